#include "tacet/workflow/infer/gwas.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/inference/counts/independence.h"
#include "tacet/inference/counts/noised_gwas.h"
#include "tacet/workflow/infer/one_each.h"

namespace tacet {
namespace {

Status check_shape(const mechanisms::ReleasedTable& table) {
  TACET_TRY(const inference::TableShape shape, inference::two_way(table));
  if (shape.cells() == 6) return {};
  return Error::invalid("release", fmt::format("a table of {} x {}", shape.rows, shape.columns), "must be 3 genotypes x 2 groups, or 2 x 3",
                        "use `infer independence` for any other table");
}

/// Gaussian noise of variance 1/rho in each cell is rho under replace-one.
std::optional<double> baseline_critical(const CountRelease& release, double alpha) {
  if (!release.n || release.noise.family != kernel::NoiseFamily::Gaussian) return std::nullopt;
  const auto critical = inference::gwas_critical(*release.n, 1 / inference::cell_noise(release.noise).variance, alpha);
  return critical ? std::optional(*critical) : std::nullopt;
}

}  // namespace

Result<GwasTest> test_gwas(const CountRelease& release, const GwasOptions& options, const Context& context) {
  TACET_CHECK(check_one_each(release.header));
  TACET_TRY(const CountRelease table, tested_table(release, options));
  TACET_CHECK(check_shape(table));
  TACET_TRY(IndependenceTest test, test_independence(release, options, context));
  return GwasTest{std::move(test), baseline_critical(table, options.alpha)};
}

Result<GwasTest> test_gwas(const LocalRelease& release, const GwasOptions& options, const Context& context) {
  TACET_CHECK(check_shape(release));
  TACET_TRY(IndependenceTest test, test_independence(release, options, context));
  return GwasTest{std::move(test), std::nullopt};
}

Result<GwasTest> test_gwas(const TableRelease& release, const GwasOptions& options, const Context& context) {
  return std::visit([&](const auto& table) { return test_gwas(table, options, context); }, release);
}

Result<GwasTest> test_gwas(const NoisedChiSquare& noised, double alpha) {
  TACET_TRY(inference::GofTest test, inference::test_noised_gwas(noised.statistic, noised.n, noised.rho, alpha));
  return GwasTest{{count_test(std::move(test), {.alpha = alpha}), noised.n}, std::nullopt};
}

}  // namespace tacet
