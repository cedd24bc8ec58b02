#include "tacet/workflow/release/moment_design.h"

#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/cube_plan.h"
#include "tacet/mechanisms/laplace_loss.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/mechanisms/noisy_values.h"
#include "tacet/privacy/parameters.h"

namespace tacet {
namespace {

/// The unit of each value of a group: 1 for a count, the resolution of the column for a sum, the
/// product of two resolutions for a product.
std::vector<double> units_of(const std::vector<data::MomentColumn>& columns, const data::MomentLayout& layout) {
  std::vector<double> units(layout.stretch(), 1);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    units[layout.sum(0, j)] = columns[j].grid.resolution().approximate();
    for (std::size_t k = j; layout.shape.products && k < columns.size(); ++k)
      units[layout.product(0, j, k)] = columns[j].grid.resolution().approximate() * columns[k].grid.resolution().approximate();
  }
  return units;
}

/// ED has one weight for all products together, after those of counts and sums.
std::vector<double> eigen_weights(const std::vector<double>& weights, std::size_t products) {
  const auto first = weights.end() - static_cast<std::ptrdiff_t>(products);
  std::vector<double> shared(weights.begin(), first);
  shared.push_back(std::accumulate(first, weights.end(), 0.0));
  return shared;
}

/// The plan, if the kernel's own proof accepts it.
template <class Plan>
Result<MomentPlan> proven(Plan plan, const kernel::BoxSensitivity& sensitivity, const privacy::Loss& loss) {
  TACET_CHECK(kernel::check_scales(plan, sensitivity, loss));
  return MomentPlan(std::move(plan));
}

}  // namespace

Result<MomentMechanism> choose_mechanism(const std::optional<MomentMechanism>& asked, bool products, const privacy::Loss& loss,
                                         MomentGoal goal) {
  constexpr const char* kExample = "for example: mechanism = gaussian rho = 0.125";
  const bool pure = std::holds_alternative<privacy::PureLoss>(loss);
  const bool pure_test = pure && products && goal == MomentGoal::TwoSample;
  const MomentMechanism mechanism = asked.value_or(pure_test ? MomentMechanism::CubeProducts
                                                   : pure    ? MomentMechanism::Laplace
                                                             : MomentMechanism::Gaussian);
  const std::string text(name(mechanism));
  if (needs_products(mechanism) && !products) return Error::invalid("mechanism", text, "must be gaussian, laplace or k-norm", kExample);
  const bool gaussian = mechanism == MomentMechanism::Gaussian;
  if (gaussian ? pure : std::holds_alternative<privacy::ApproximateLoss>(loss)) {
    return Error::invalid("mechanism", text,
                          gaussian ? "must be asked for with rho, mu, or epsilon and delta: Gaussian noise is never pure"
                                   : "must be asked for with epsilon alone, rho or mu: it needs no delta",
                          gaussian ? kNoiseForEpsilon : fmt::format("for example: mechanism = {} epsilon = 0.5", text));
  }
  return mechanism;
}

Result<std::vector<double>> noise_weights(const data::MomentDesign& design, MomentMechanism mechanism, MomentGoal goal) {
  if (mechanism == MomentMechanism::Eigen && goal == MomentGoal::TwoSample) {
    return Error::invalid("mechanism", "ed", "cannot be for two-sample: no test that keeps its level is known for such a covariance",
                          "leave mechanism out, or name laplace or k-norm");
  }
  const std::vector<double> units = units_of(design.columns, design.layout);
  std::vector<double> sizes = mechanisms::charged_sizes(family_of(mechanism), design.sensitivity);
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] *= units[i];
  const mechanisms::MomentNumbers numbers{design.layout.counts, design.columns.size(), design.layout.shape.products};
  if (mechanism == MomentMechanism::CubeProducts) return mechanisms::cube_product_weights(numbers, sizes, goal);
  // ED shares epsilon, as Laplace noise does.
  const auto family = mechanism == MomentMechanism::Eigen ? kernel::NoiseFamily::Laplace : family_of(mechanism);
  return mechanisms::moment_weights(numbers, sizes, goal, family);
}

Result<privacy::Loss> charged_loss(const PrivacyAmount& amount, MomentMechanism mechanism, const kernel::BoxSensitivity& sensitivity,
                                   const std::vector<double>& weights, privacy::Currency budget) {
  if (mechanism != MomentMechanism::Laplace) {
    TACET_TRY(const privacy::Loss asked, loss_of(amount));
    return as_charged(asked, budget);
  }
  TACET_TRY(const privacy::Budget promise, budget_of(amount));
  return mechanisms::laplace_loss(sensitivity, weights, promise, budget);
}

Result<MomentPlan> plan_moments(MomentMechanism mechanism, const kernel::BoxSensitivity& sensitivity, const std::vector<double>& weights,
                                const privacy::Loss& loss) {
  switch (mechanism) {
    case MomentMechanism::Eigen: {
      const std::size_t products = sensitivity.outer_products * (sensitivity.outer_products + 1) / 2;
      TACET_TRY(eigen::EigenPlan plan, eigen::plan_eigen(sensitivity, eigen_weights(weights, products), loss));
      return MomentPlan(std::move(plan));
    }
    case MomentMechanism::KNorm: {
      TACET_TRY(kernel::CubePlan plan, mechanisms::plan_k_norm(sensitivity, loss));
      return proven(std::move(plan), sensitivity, loss);
    }
    case MomentMechanism::CubeProducts: {
      TACET_TRY(kernel::CubeProductsPlan plan, mechanisms::plan_cube_products(sensitivity, weights, loss));
      return proven(std::move(plan), sensitivity, loss);
    }
    case MomentMechanism::Gaussian:
    case MomentMechanism::Laplace: break;
  }
  TACET_TRY(kernel::NumbersPlan plan, mechanisms::plan_numbers(family_of(mechanism), sensitivity, weights, loss));
  return proven(std::move(plan), sensitivity, loss);
}

std::vector<double> planned_scales(const MomentPlan& plan) {
  if (const auto* numbers = std::get_if<kernel::NumbersPlan>(&plan)) return numbers->scale;
  if (const auto* by_eigenvalues = std::get_if<eigen::EigenPlan>(&plan)) return by_eigenvalues->numbers.scale;
  const auto* cube = std::get_if<kernel::CubePlan>(&plan);
  const std::size_t values = cube != nullptr ? cube->multiples.size() : std::get<kernel::CubeProductsPlan>(plan).size();
  std::vector<double> scales;
  for (std::size_t j = 0; j < values; ++j)
    scales.push_back(cube != nullptr ? mechanisms::scale_of(*cube, j) : mechanisms::scale_of(std::get<kernel::CubeProductsPlan>(plan), j));
  return scales;
}

std::vector<mechanisms::ReleasedColumn> released_columns(const data::Schema& schema, const std::vector<data::MomentColumn>& columns) {
  std::vector<mechanisms::ReleasedColumn> released;
  for (const data::MomentColumn& column : columns) {
    const data::Bounds& bounds = *schema.find(column.name)->bounds;
    released.push_back({column.name, bounds.lower.approximate(), bounds.upper.approximate(), column.grid.resolution().approximate(),
                        column.grid.centre().approximate()});
  }
  return released;
}

mechanisms::GroupMoments group_moments(const std::vector<data::MomentColumn>& columns, const data::MomentLayout& layout, std::size_t group,
                                       const std::vector<double>& values, const std::vector<double>& scales) {
  const std::vector<double> units = units_of(columns, layout);
  const auto noisy = [&](std::size_t at) -> mechanisms::NoisyNumber {
    const double unit = units[at - group * layout.stretch()];
    return {values[at] * unit, scales[at] * unit};
  };
  mechanisms::GroupMoments part{};
  if (layout.counts) part.people = noisy(layout.count(group));
  for (std::size_t j = 0; j < columns.size(); ++j) part.sums.push_back(noisy(layout.sum(group, j)));
  for (std::size_t j = 0; layout.shape.products && j < columns.size(); ++j) {
    for (std::size_t k = j; k < columns.size(); ++k) part.products.push_back(noisy(layout.product(group, j, k)));
  }
  return part;
}

}  // namespace tacet
