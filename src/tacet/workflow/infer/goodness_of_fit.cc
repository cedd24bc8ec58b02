#include "tacet/workflow/infer/goodness_of_fit.h"

#include <utility>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/local/local_goodness_of_fit.h"
#include "tacet/workflow/infer/denoised_before.h"
#include "tacet/workflow/infer/one_each.h"

namespace tacet {
namespace {

GoodnessOfFitTest answer(inference::GofTest test, const inference::GofOptions& options, std::optional<double> n) {
  return {count_test(std::move(test), options), n, options.denoise.shrink, options.denoise.project};
}

Result<inference::GofOptions> denoising_options(const GoodnessOfFitOptions& options, const Context& context) {
  if (!options.target.empty() && options.shrink == Shrinkage::None)
    return Error::invalid("target", "given without shrink", "goes with shrink = js, js+ or rjs", "add shrink = js+");
  inference::GofOptions asked = gof_options(options, context);
  asked.denoise = {.shrink = options.shrink, .project = options.project, .target = options.target};
  return asked;
}

}  // namespace

Result<GoodnessOfFitTest> test_goodness_of_fit(const CountRelease& release, const std::vector<double>& null,
                                               const GoodnessOfFitOptions& options, const Context& context) {
  TACET_CHECK(check_one_each(release.header));
  TACET_TRY(const inference::GofOptions asked, denoising_options(options, context));
  TACET_TRY(inference::GofTest test, inference::test_goodness_of_fit(release, null, asked));
  return answer(std::move(test), asked, release.n);
}

Result<GoodnessOfFitTest> test_goodness_of_fit(const LocalRelease& release, const std::vector<double>& null,
                                               const GoodnessOfFitOptions& options, const Context& context) {
  TACET_TRY(const inference::GofOptions asked, denoising_options(options, context));
  if (inference::denoises(asked.denoise)) {
    return Error::invalid("release", "local reports", "must be counts with noise where shrink or project is asked for",
                          "local reports are tested as they are: leave shrink and project out");
  }
  TACET_TRY(inference::GofTest test, inference::test_local_goodness_of_fit(release, null, asked));
  return answer(std::move(test), asked, release.n);
}

Result<GoodnessOfFitTest> test_goodness_of_fit(const DenoisedRelease& release, const std::vector<double>& null,
                                               const GoodnessOfFitOptions& options, const Context& context) {
  inference::GofOptions asked = gof_options(options, context);
  TACET_TRY(asked.denoise, denoised_before(release, options.shrink, options.project));
  if (!options.target.empty())
    return Error::invalid("target", "given", "goes with shrink, and this table is denoised already", "leave it out");
  TACET_TRY(inference::GofTest test, inference::test_goodness_of_fit(release.table, null, asked));
  return answer(std::move(test), asked, release.table.n);
}

Result<GoodnessOfFitTest> test_goodness_of_fit(const TestedTable& release, const std::vector<double>& null,
                                               const GoodnessOfFitOptions& options, const Context& context) {
  return std::visit([&](const auto& table) { return test_goodness_of_fit(table, null, options, context); }, release);
}

}  // namespace tacet
