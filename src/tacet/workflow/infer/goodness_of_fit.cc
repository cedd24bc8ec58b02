#include "tacet/workflow/infer/goodness_of_fit.h"

#include <utility>

#include "tacet/inference/counts/gof_simulation.h"
#include "tacet/inference/local/local_goodness_of_fit.h"
#include "tacet/workflow/infer/one_each.h"

namespace tacet {
namespace {

GoodnessOfFitTest answer(inference::GofTest test, const inference::GofOptions& options, std::optional<double> n) {
  return {count_test(std::move(test), options), n, options.denoise.shrink, options.denoise.project};
}

inference::GofOptions denoising_options(const GoodnessOfFitOptions& options, const Context& context) {
  inference::GofOptions asked = gof_options(options, context);
  asked.denoise = {.shrink = options.shrink, .project = options.project};
  return asked;
}

}  // namespace

Result<GoodnessOfFitTest> test_goodness_of_fit(const CountRelease& release, const std::vector<double>& null,
                                               const GoodnessOfFitOptions& options, const Context& context) {
  TACET_CHECK(check_one_each(release.header));
  const inference::GofOptions asked = denoising_options(options, context);
  TACET_TRY(inference::GofTest test, inference::test_goodness_of_fit(release, null, asked));
  return answer(std::move(test), asked, release.n);
}

Result<GoodnessOfFitTest> test_goodness_of_fit(const LocalRelease& release, const std::vector<double>& null,
                                               const GoodnessOfFitOptions& options, const Context& context) {
  const inference::GofOptions asked = denoising_options(options, context);
  if (inference::denoises(asked.denoise)) {
    return Error::invalid("release", "local reports", "must be counts with noise where shrink or project is asked for",
                          "local reports are tested as they are: leave shrink and project out");
  }
  TACET_TRY(inference::GofTest test, inference::test_local_goodness_of_fit(release, null, asked));
  return answer(std::move(test), asked, release.n);
}

Result<GoodnessOfFitTest> test_goodness_of_fit(const TableRelease& release, const std::vector<double>& null,
                                               const GoodnessOfFitOptions& options, const Context& context) {
  return std::visit([&](const auto& table) { return test_goodness_of_fit(table, null, options, context); }, release);
}

}  // namespace tacet
