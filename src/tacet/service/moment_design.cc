#include "tacet/service/moment_design.h"

#include <numeric>

#include <fmt/format.h>

#include "tacet/kernel/scale_check.h"
#include "tacet/mechanisms/cube_plan.h"
#include "tacet/mechanisms/laplace_loss.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/service/charged_release.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using Mechanism = MomentMechanism;

/// The unit of every figure of one group: 1 for a count, a column's resolution for a sum, a product of two for a product.
std::vector<double> units_of(const std::vector<data::MomentColumn>& columns, const data::MomentLayout& layout) {
  std::vector<double> units(layout.stretch(), 1);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    units[layout.sum(0, j)] = columns[j].grid.resolution().approximate();
    for (std::size_t k = j; layout.shape.products && k < columns.size(); ++k)
      units[layout.product(0, j, k)] = columns[j].grid.resolution().approximate() * columns[k].grid.resolution().approximate();
  }
  return units;
}

}  // namespace

Result<MomentMechanism> mechanism_field(const Json& request, mechanisms::MomentKind kind, const privacy::Loss& asked,
                                        mechanisms::MomentGoal goal) {
  const bool pure_test = goal == mechanisms::MomentGoal::TwoSample && std::holds_alternative<privacy::PureLoss>(asked);
  const std::string text = text_field(request, "mechanism").value_or(pure_test ? "k-norm+laplace" : "gaussian");
  constexpr const char* kExample = "for example: --mechanism gaussian --rho 0.125";
  TACET_TRY(const MomentMechanism mechanism, named<MomentMechanism>("mechanism", text, kExample));
  if (needs_products(mechanism) && !mechanisms::has_products(kind))
    return Error::invalid("mechanism", text, "must be gaussian, laplace or k-norm", kExample);
  const bool gaussian = mechanism == Mechanism::Gaussian;
  if (gaussian ? std::holds_alternative<privacy::PureLoss>(asked) : std::holds_alternative<privacy::ApproximateLoss>(asked)) {
    return Error::invalid("mechanism", text,
                          gaussian ? "must be asked for with --rho, --mu, or --epsilon and --delta: Gaussian noise is never pure"
                                   : "must be asked for with --epsilon alone, --rho or --mu: it needs no delta",
                          gaussian ? kExample : fmt::format("for example: --mechanism {} --epsilon 0.5", text));
  }
  return mechanism;
}

Result<data::Membership> membership_field(const Json& request, data::Membership usual) {
  const auto text = text_field(request, "membership");
  return text ? named<data::Membership>("membership", *text) : usual;
}

Result<std::vector<double>> weights_for(const data::MomentDesign& design, MomentMechanism mechanism, mechanisms::MomentGoal goal) {
  const std::vector<double> units = units_of(design.columns, design.layout);
  std::vector<double> sizes = mechanisms::charged_sizes(family_of(mechanism), design.sensitivity);
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] *= units[i];
  const mechanisms::MomentFigures figures{design.layout.counts, design.columns.size(), design.layout.shape.products};
  if (mechanism == Mechanism::CubeProducts) return mechanisms::cube_product_weights(figures, sizes, goal);
  // ed shares epsilon, as Laplace noise does.
  const auto family = mechanism == Mechanism::Eigen ? kernel::NoiseFamily::Laplace : family_of(mechanism);
  return mechanisms::moment_weights(figures, sizes, goal, family);
}

std::vector<double> eigen_weights(const std::vector<double>& weights, std::size_t products) {
  const auto first = weights.end() - static_cast<std::ptrdiff_t>(products);
  std::vector<double> shared(weights.begin(), first);
  shared.push_back(std::accumulate(first, weights.end(), 0.0));
  return shared;
}

Result<privacy::Loss> charged_loss(const Json& request, MomentMechanism mechanism, const kernel::BoxSensitivity& box,
                                   const std::vector<double>& weights, privacy::Currency budget) {
  if (mechanism != Mechanism::Laplace) {
    TACET_TRY(const privacy::Loss asked, loss_field(request));
    return ChargedRelease::as_charged(asked, budget);
  }
  TACET_TRY(const privacy::Budget promise, budget_field(request));
  return mechanisms::laplace_loss(box, weights, promise, budget);
}

Result<MomentPlan> plan_moments(MomentMechanism mechanism, const kernel::BoxSensitivity& box, const std::vector<double>& weights,
                                const privacy::Loss& loss) {
  if (mechanism == Mechanism::Eigen) {
    const std::size_t products = box.outer_products * (box.outer_products + 1) / 2;
    TACET_TRY(eigen::EigenPlan plan, eigen::plan_eigen(box, eigen_weights(weights, products), loss));
    return MomentPlan(std::move(plan));
  }
  if (mechanism == Mechanism::KNorm) {
    TACET_TRY(kernel::CubePlan plan, mechanisms::plan_k_norm(box, loss));
    TACET_CHECK(kernel::check_scales(plan, box, loss));
    return MomentPlan(std::move(plan));
  }
  if (mechanism == Mechanism::CubeProducts) {
    TACET_TRY(kernel::CubeProductsPlan plan, mechanisms::plan_cube_products(box, weights, loss));
    TACET_CHECK(kernel::check_scales(plan, box, loss));
    return MomentPlan(std::move(plan));
  }
  TACET_TRY(kernel::NumbersPlan plan, mechanisms::plan_numbers(family_of(mechanism), box, weights, loss));
  TACET_CHECK(kernel::check_scales(plan, box, loss));
  return MomentPlan(std::move(plan));
}

Result<std::vector<double>> planned_scales(MomentMechanism mechanism, const kernel::BoxSensitivity& box, const std::vector<double>& weights,
                                           const privacy::Loss& loss) {
  TACET_TRY(const MomentPlan plan, plan_moments(mechanism, box, weights, loss));
  if (const auto* numbers = std::get_if<kernel::NumbersPlan>(&plan)) return numbers->scale;
  if (const auto* by_eigenvalues = std::get_if<eigen::EigenPlan>(&plan)) return by_eigenvalues->figures.scale;
  std::vector<double> scales;
  for (std::size_t j = 0; j < box.most.size(); ++j) {
    const auto* cube = std::get_if<kernel::CubePlan>(&plan);
    scales.push_back(cube != nullptr ? cube->scale_of(j) : std::get<kernel::CubeProductsPlan>(plan).scale_of(j));
  }
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

mechanisms::GroupMoments group_figures(const std::vector<data::MomentColumn>& columns, const data::MomentLayout& layout, std::size_t group,
                                       const std::vector<double>& values, const std::vector<double>& scales) {
  const std::vector<double> units = units_of(columns, layout);
  const auto figure = [&](std::size_t at) -> mechanisms::NoisyNumber {
    const double unit = units[at - group * layout.stretch()];
    return {values[at] * unit, scales[at] * unit};
  };
  mechanisms::GroupMoments part{};
  if (layout.counts) part.people = figure(layout.count(group));
  for (std::size_t j = 0; j < columns.size(); ++j) part.sums.push_back(figure(layout.sum(group, j)));
  for (std::size_t j = 0; layout.shape.products && j < columns.size(); ++j) {
    for (std::size_t k = j; k < columns.size(); ++k) part.products.push_back(figure(layout.product(group, j, k)));
  }
  return part;
}

}  // namespace tacet::service
