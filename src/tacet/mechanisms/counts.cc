#include "tacet/mechanisms/counts.h"

#include <array>
#include <cmath>
#include <utility>
#include <variant>

#include "tacet/mechanisms/noise_plan.h"

namespace tacet::mechanisms {

kernel::NoiseFamily family(CountMechanism mechanism) {
  return mechanism == CountMechanism::Laplace ? kernel::NoiseFamily::Laplace : kernel::NoiseFamily::Gaussian;
}

CountMechanism choose_mechanism(const std::optional<CountMechanism>& asked, const privacy::Loss& loss) {
  return asked.value_or(std::holds_alternative<privacy::PureLoss>(loss) ? CountMechanism::Laplace : CountMechanism::Gaussian);
}

Result<kernel::NoisePlan> plan_counts(CountMechanism mechanism, const kernel::Sensitivity& sensitivity, const privacy::Loss& loss) {
  if (mechanism == CountMechanism::RankDeficient && !sensitivity.relation.people_are_public()) {
    return Error::invalid("mechanism", "rank-deficient", "keeps the total, which must be public, but it is private under add-or-remove-one",
                          "use mechanism = gaussian");
  }
  return plan_noise(family(mechanism), sensitivity, loss);
}

void keep_total(std::vector<double>& values, double total) {
  double sum = 0;
  for (const double value : values) sum += value;
  const double share = (sum - total) / static_cast<double>(values.size());
  for (double& value : values) value -= share;
}

CountRelease describe_counts(const kernel::Released<kernel::NoisyVector>& released, CountMechanism mechanism, std::vector<ReleaseAxis> axes,
                             const std::optional<kernel::PublicFact<std::int64_t>>& n, std::string statement) {
  const kernel::NoisyVector& noisy = released.value();
  CountRelease release{};
  release.header = charged_header(noisy.loss, noisy.relation, noisy.receipt, std::move(statement));
  if (n) release.n = static_cast<double>(n->value());
  release.axes = std::move(axes);
  for (const ReleaseAxis& axis : release.axes) release.shape.push_back(axis.labels.size());
  release.values.reserve(noisy.ticks.size());
  for (const Int128 tick : noisy.ticks) release.values.push_back(std::ldexp(static_cast<double>(tick), -noisy.plan.grid_log2));
  release.grid = std::ldexp(1.0, -noisy.plan.grid_log2);
  release.noise = {noisy.plan.family, noisy.plan.scale, NoiseStructure::Independent};
  if (mechanism == CountMechanism::RankDeficient && release.n) {
    keep_total(release.values, *release.n);
    release.noise.structure = NoiseStructure::SumZero;
  }
  return release;
}

}  // namespace tacet::mechanisms
