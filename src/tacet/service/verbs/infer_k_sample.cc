#include "tacet/service/all_verbs.h"
#include "tacet/service/means_comparison.h"

namespace tacet::service::infer_k_sample_verb {
namespace {

Result<MeansComparison> run(const ComparisonFields& request, const Context& context) {
  TACET_TRY(const ComparisonInput input, read_comparison(request));
  return compare_means(input.releases, input.comparison, context);
}

}  // namespace

Verb make() {
  return verb<ComparisonFields, MeansComparison>(
      {.name = "infer k-sample",
       .summary = "Do two or more groups all have the same mean of several columns? A test that knows the noise",
       .example = "tacet infer k-sample --releases by_smoking.json",
       .library = LibraryFunction{"compare_means", "tacet/workflow/infer/compare_means.h"},
       .request = comparison_request(),
       .answer = comparison_answer(),
       .run = run,
       .words = comparison_words});
}

}  // namespace tacet::service::infer_k_sample_verb
