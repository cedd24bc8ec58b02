#include "tacet/workflow/infer/homogeneity.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/inference/counts/homogeneity.h"
#include "tacet/inference/counts/marginal.h"
#include "tacet/workflow/infer/denoised_before.h"
#include "tacet/workflow/infer/one_each.h"

namespace tacet {
namespace {

Result<HomogeneityTest> compared_groups(const std::vector<CountRelease>& groups, Disjoint disjoint, const HomogeneityOptions& options,
                                        const inference::DenoiseOptions& denoise, const Context& context) {
  inference::GofOptions asked = gof_options(options, context);
  asked.denoise = denoise;
  TACET_TRY(inference::HomogeneityTest compared, inference::test_homogeneity(groups, asked));
  HomogeneityTest test{count_test(std::move(compared.test), asked)};
  test.disjoint = disjoint;
  for (const CountRelease& group : groups) test.n.push_back(group.n);
  test.people = std::move(compared.people);
  if (!compared.pooled.empty()) test.pooled = std::move(compared.pooled);
  test.shape = groups.front().shape;
  test.shrink = denoise.shrink;
  test.project = denoise.project;
  return test;
}

inference::DenoiseOptions denoised_as_asked(const HomogeneityOptions& options) {
  return {.shrink = options.shrink, .project = options.project};
}

Status check_no_people(const HomogeneityOptions& options) {
  if (options.people.empty()) return {};
  return Error::invalid("n", fmt::format("{} numbers", options.people.size()), "goes with the groups of one release",
                        "other releases say whether their people are public");
}

Status tell_people(std::vector<CountRelease>& groups, const std::vector<double>& people) {
  if (people.empty()) return {};
  if (people.size() != groups.size()) {
    return Error::invalid("n", fmt::format("{} numbers", people.size()),
                          fmt::format("must have a number for each of the {} groups", groups.size()), "in the order of the categories");
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    TACET_CHECK(mechanisms::check_people(people[i]));
    if (groups[i].n && *groups[i].n != people[i]) {
      return Error::invalid("n", fmt::format("{} people in group {}", people[i], i + 1),
                            fmt::format("must be the {} of the release", *groups[i].n),
                            "leave n out: the release says how many people each group has");
    }
    groups[i].n = people[i];
  }
  return {};
}

}  // namespace

Result<HomogeneityTest> test_homogeneity(const std::vector<CountRelease>& groups, const HomogeneityOptions& options,
                                         const Context& context) {
  TACET_CHECK(check_no_people(options));
  std::vector<const mechanisms::ReleaseHeader*> headers;
  for (const CountRelease& group : groups) {
    TACET_CHECK(check_one_each(group.header));
    headers.push_back(&group.header);
  }
  TACET_TRY(const Disjoint disjoint, check_disjoint(headers, options.disjoint));
  return compared_groups(groups, disjoint, options, denoised_as_asked(options), context);
}

Result<HomogeneityTest> test_homogeneity(const std::vector<DenoisedRelease>& groups, const HomogeneityOptions& options,
                                         const Context& context) {
  TACET_CHECK(check_no_people(options));
  if (groups.empty()) return Error::invalid("releases", "missing", "must be one for each group");
  TACET_TRY(const inference::DenoiseOptions done, denoised_before(groups.front(), options.shrink, options.project));
  std::vector<const mechanisms::ReleaseHeader*> headers;
  std::vector<CountRelease> tables;
  for (const DenoisedRelease& group : groups) {
    if (group.shrink != done.shrink || group.project != done.project) {
      return Error::invalid("releases", "tables that were denoised in different ways", "must be denoised in one way",
                            "import them as they were before they were denoised");
    }
    headers.push_back(&group.header);
    tables.push_back(group.table);
  }
  TACET_TRY(const Disjoint disjoint, check_disjoint(headers, options.disjoint));
  return compared_groups(tables, disjoint, options, done, context);
}

Result<HomogeneityTest> test_homogeneity(const CountRelease& release, const std::string& by, const HomogeneityOptions& options,
                                         const Context& context) {
  TACET_CHECK(check_one_each(release.header));
  TACET_TRY(std::vector<CountRelease> groups, inference::rows_as_groups(release, by));
  TACET_CHECK(tell_people(groups, options.people));
  TACET_TRY(HomogeneityTest test, compared_groups(groups, Disjoint::OneRelease, options, denoised_as_asked(options), context));
  TACET_TRY(const std::size_t axis, inference::variable_named(release, by));
  test.names = release.axes[axis].labels;
  return test;
}

}  // namespace tacet
