#include "tacet/workflow/infer/one_each.h"

#include <fmt/format.h>

namespace tacet {
namespace {

constexpr const char* kOneEach =
    "use a release where each person counts once: contributions of 1 row in the terms, or a table of people by columns that are the same "
    "in all rows of a person, with contributions of 1 group";

bool may_count_again(const mechanisms::ReleaseHeader& header) { return header.contributions && header.contributions->most() > 1; }

}  // namespace

AboutWhom about_whom(const mechanisms::ReleaseHeader& header) {
  AboutWhom about{header.counted(), std::nullopt};
  if (may_count_again(header)) {
    about.no_population = fmt::format(
        "a person may count up to {} times in this release, and an interval for a population needs people who were drawn independently, "
        "each once; for one, {}",
        header.contributions->most(), kOneEach);
  }
  return about;
}

Status check_one_each(const mechanisms::ReleaseHeader& header) {
  if (!may_count_again(header)) return {};
  return Error::of(Code::Unsupported,
                   fmt::format("a person may count up to {} times in this release, and inference about a population needs people who were "
                               "drawn independently, each once",
                               header.contributions->most()),
                   kOneEach);
}

}  // namespace tacet
