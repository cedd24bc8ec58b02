#include "tacet/workflow/infer/one_each.h"

#include <fmt/format.h>

namespace tacet {

Status check_one_each(const mechanisms::ReleaseHeader& header) {
  const auto& contributions = header.contributions;
  if (!contributions || contributions->most() == 1) return {};
  return Error::of(Code::Unsupported,
                   fmt::format("a person may count up to {} times in this release, and inference about a population needs people who were "
                               "drawn independently, each once",
                               contributions->most()),
                   "use a release where each person counts once: contributions of 1 row in the terms, or a table of people by columns that "
                   "are the same in all rows of a person, with contributions of 1 group");
}

}  // namespace tacet
