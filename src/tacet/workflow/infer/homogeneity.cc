#include "tacet/workflow/infer/homogeneity.h"

#include <utility>

#include "tacet/inference/counts/homogeneity.h"
#include "tacet/workflow/infer/one_each.h"

namespace tacet {

Result<HomogeneityTest> test_homogeneity(const std::vector<CountRelease>& groups, const HomogeneityOptions& options,
                                         const Context& context) {
  std::vector<const mechanisms::ReleaseHeader*> headers;
  for (const CountRelease& group : groups) {
    TACET_CHECK(check_one_each(group.header));
    headers.push_back(&group.header);
  }
  TACET_TRY(const Disjoint disjoint, check_disjoint(headers, options.disjoint));
  const inference::GofOptions asked = gof_options(options, context);
  TACET_TRY(inference::HomogeneityTest compared, inference::test_homogeneity(groups, asked));
  HomogeneityTest test{count_test(std::move(compared.test), asked)};
  test.disjoint = disjoint;
  for (const CountRelease& group : groups) test.n.push_back(group.n);
  test.people = std::move(compared.people);
  if (!compared.pooled.empty()) test.pooled = std::move(compared.pooled);
  return test;
}

}  // namespace tacet
