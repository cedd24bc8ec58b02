#include "tacet/workflow/release/release_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/schema.h"
#include "tacet/eigen/release_eigen.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/mechanisms/noisy_values.h"
#include "tacet/schemas/column_request.h"
#include "tacet/schemas/row_condition.h"
#include "tacet/workflow/release/asked_groups.h"
#include "tacet/workflow/release/charged_release.h"
#include "tacet/workflow/release/moment_design.h"

namespace tacet {
namespace {

using mechanisms::GroupMoments;
using mechanisms::Guarantee;

/// The published values, in steps, with any noise.
struct NoisyValues {
  std::vector<double> values, scales;
  kernel::Relation relation;
  privacy::Loss loss;
  kernel::Receipt receipt;
};

template <class Plan>
NoisyValues values_of(const kernel::Noisy<Plan>& noisy) {
  NoisyValues out{{}, {}, noisy.relation, noisy.loss, noisy.receipt};
  for (std::size_t j = 0; j < noisy.ticks.size(); ++j) {
    out.values.push_back(mechanisms::value_of(noisy, j));
    out.scales.push_back(mechanisms::scale_of(noisy.plan, j));
  }
  return out;
}

Result<NoisyValues> add_noise(data::Moments&& moments, const MomentPlan& plan, kernel::Grant&& grant, exact::RandomBits& bits) {
  if (const auto* cube = std::get_if<kernel::CubePlan>(&plan)) {
    TACET_TRY(const auto released, kernel::release_k_norm(std::move(moments.values), *cube, std::move(grant), bits));
    return values_of(released.value());
  }
  if (const auto* both = std::get_if<kernel::CubeProductsPlan>(&plan)) {
    TACET_TRY(const auto released, kernel::release_cube_products(std::move(moments.values), *both, std::move(grant), bits));
    return values_of(released.value());
  }
  if (const auto* by_eigenvalues = std::get_if<eigen::EigenPlan>(&plan)) {
    TACET_TRY(const auto released, eigen::release_eigen(std::move(moments.values), *by_eigenvalues, std::move(grant), bits));
    return values_of(released.value().numbers);
  }
  TACET_TRY(const auto released, kernel::release(std::move(moments.values), std::get<kernel::NumbersPlan>(plan), std::move(grant), bits));
  return values_of(released.value());
}

/// The column that best distinguishes a mean of eta from 0: the largest |eta_j| over its range
/// (Adjusted, Theorem 2.4). No combination a of columns does better, because a'eta over the sum of
/// |a_j| range_j is largest if only one a_j is not 0.
Result<std::string> column_for_test(const std::vector<std::string>& columns, const std::vector<double>& eta, const data::Schema& schema) {
  if (eta.size() != columns.size()) {
    return Error::invalid("goal", fmt::format("a test of {} numbers", eta.size()),
                          fmt::format("must have one for each of the {} columns", columns.size()),
                          "for example: columns = ldl,hdl goal = test:10,-5");
  }
  double best = 0;
  std::string chosen;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const data::Column* column = schema.find(columns[j]);
    if (column == nullptr || !column->bounds) {
      return Error::invalid("columns", fmt::format("\"{}\"", columns[j].substr(0, 60)), "must be columns with bounds in the schema",
                            "declare lower, upper and resolution for it");
    }
    const double signal = std::abs(eta[j]) / (column->bounds->upper.approximate() - column->bounds->lower.approximate());
    if (signal > best) chosen = columns[j];
    best = std::max(best, signal);
  }
  if (chosen.empty()) return Error::invalid("goal", "a test of zeros", "must have a number other than 0");
  return chosen;
}

/// The values to publish, and how their noise is shared.
struct Wanted {
  data::MomentRequest rows;
  data::MomentDesign design;
  std::vector<double> weights;
  std::optional<std::string> where;  // the condition in its one spelling
};

Result<Wanted> wanted_values(const MomentReleaseRequest& request, MomentMechanism mechanism, const data::Schema& schema) {
  data::MomentRequest rows;
  rows.columns = request.columns;
  rows.products = has_products(request.kind);
  rows.counts = true;  // if the number of people is private
  std::optional<std::string> where;
  if (request.where) {
    TACET_TRY(schemas::Condition condition, schemas::parse_condition(schema, *request.where));
    rows.where = std::move(condition.filter);
    where = std::move(condition.text);
  }
  if (request.tested_mean) {
    TACET_TRY(std::string best, column_for_test(request.columns, *request.tested_mean, schema));
    rows.columns = {std::move(best)};
  }
  TACET_CHECK(schemas::check_summed(schema, rows.columns));
  TACET_TRY(rows.groups, asked_groups(schema, request.group_by, request.membership));
  TACET_TRY(data::MomentDesign design, data::design_moments(schema, rows));
  TACET_TRY(std::vector<double> weights, noise_weights(design, mechanism, request.goal));
  if (request.weights) {
    if (mechanism == MomentMechanism::KNorm)
      return Error::invalid("weights", "given with k-norm", "goes with gaussian or laplace: k-norm noise is one draw for all columns");
    if (request.tested_mean) return Error::invalid("weights", "given with a test", "must be left out: one column is published");
    const mechanisms::MomentNumbers numbers{design.layout.counts, design.columns.size(), design.layout.shape.products};
    TACET_TRY(weights, mechanisms::with_own_weights(numbers, std::move(weights), *request.weights));
  }
  return Wanted{std::move(rows), std::move(design), std::move(weights), std::move(where)};
}

struct PublicFacts {
  std::vector<data::MomentColumn> columns;
  data::MomentLayout layout;
  data::PublicRows rows;
  std::optional<data::Groups> groups;
  std::optional<data::PersonLimit> people;
};

GroupMoments part_of(const PublicFacts& facts, const NoisyValues& noisy, std::size_t group) {
  GroupMoments part = group_moments(facts.columns, facts.layout, group, noisy.values, noisy.scales);
  if (facts.layout.counts) return part;
  const std::int64_t people = facts.rows.groups && facts.rows.groups->sizes ? facts.rows.groups->sizes->value()[group]
                              : facts.rows.n                                ? facts.rows.n->value()
                                                                            : 0;
  part.people = {static_cast<double>(people), 0};
  return part;
}

MomentRelease describe(MomentKind kind, MomentMechanism mechanism, const data::Schema& schema, const PublicFacts& facts,
                       const NoisyValues& noisy, const std::string& statement) {
  const bool idealised = mechanism == MomentMechanism::Eigen;
  MomentRelease release{};
  release.header =
      mechanisms::charged_header(noisy.loss, noisy.relation, noisy.receipt, statement, idealised ? Guarantee::Idealised : Guarantee::Exact);
  release.header.contributions = released_contributions(facts.people, data::CountUnit::Rows);
  release.kind = kind;
  release.columns = released_columns(schema, facts.columns);
  if (facts.groups && facts.rows.groups)
    release.groups = {facts.groups->column, facts.rows.groups->labels.value(), facts.groups->membership};
  for (std::size_t group = 0; group < facts.layout.shape.groups; ++group) release.parts.push_back(part_of(facts, noisy, group));
  release.mechanism = mechanism;
  if (idealised) release.floating_point = eigen::kWhyIdealised;
  return release;
}

/// A refusal of noise with advice about units: least squares in very different units needs
/// unbounded noise.
Error explained(const Error& error, MomentGoal goal) {
  if (error.name() != "noise scale" || (goal != MomentGoal::LeastSquares && goal != MomentGoal::Isotropic)) return error;
  return Error::invalid(error.name(), error.value(), error.rule(),
                        fmt::format("leave out goal = {}, which depends on units, or declare the columns in units that are less far apart; "
                                    "otherwise {}",
                                    name(goal), error.remedy()));
}

nlohmann::json statement_of(const MomentReleaseRequest& request, MomentMechanism mechanism, const Wanted& wanted,
                            const data::Schema& schema) {
  const data::MomentRequest& rows = wanted.rows;
  nlohmann::json statement = {{"release", name(request.kind)},
                              {"columns", rows.columns},
                              {"mechanism", name(mechanism)},
                              {"goal", name(request.goal)},
                              {"missing_numbers", missing_numbers(schema, rows.columns)}};
  nlohmann::json dates = nlohmann::json::array();
  for (const std::string& column : rows.columns)
    if (schema.find(column)->text.date) dates.push_back(column);
  if (!dates.empty()) statement["dates"] = std::move(dates);
  if (request.tested_mean) statement.update({{"goal", "test"}, {"asked_columns", request.columns}, {"eta", *request.tested_mean}});
  if (request.weights) statement.update({{"goal", "weights"}, {"weights", *request.weights}});
  if (wanted.where) statement["where"] = *wanted.where;
  if (rows.groups) {
    statement["group_by"] = rows.groups->column;
    statement["membership"] = name(rows.groups->membership);
  }
  return statement;
}

}  // namespace

Result<Published<MomentRelease>> release_moments(const Dataset& dataset, const MomentReleaseRequest& request) {
  TACET_TRY(const PrivacyAmount amount, required_privacy(request.loss));
  TACET_TRY(const privacy::Loss asked, loss_of(amount));
  TACET_TRY(const MomentMechanism mechanism, choose_mechanism(request.mechanism, has_products(request.kind), asked, request.goal));
  std::optional<Wanted> wanted;
  const auto price = [&](const data::Declared& declared, privacy::Currency budget) -> Result<privacy::Loss> {
    TACET_TRY(Wanted values, wanted_values(request, mechanism, declared.schema()));
    wanted.emplace(std::move(values));
    auto loss = charged_loss(amount, mechanism, wanted->design.sensitivity, wanted->weights, budget);
    if (!loss.ok()) return explained(loss.error(), request.goal);
    return loss;
  };
  const auto named = request.mechanism ? std::optional(name(mechanism)) : std::nullopt;
  TACET_TRY(ChargedRelease order, ChargedRelease::open(dataset, {.out = request.out, .price = price, .mechanism = named}));
  const data::Schema& schema = order.declared().schema();
  const data::MomentRequest& rows = wanted->rows;
  const Result<MomentPlan> plan = plan_moments(mechanism, wanted->design.sensitivity, wanted->weights, order.loss());
  if (!plan.ok()) return explained(plan.error(), request.goal);
  constexpr std::size_t kPerValue = 400;
  constexpr std::size_t kRest = 16384;
  return order.carry_out<MomentRelease>(
      {statement_of(request, mechanism, *wanted, schema), wanted->design.layout.size() * kPerValue + kRest,
       /*idealised=*/mechanism == MomentMechanism::Eigen},
      [&](const data::CountOptions& options) { return data::moments(order.data(), order.declared(), rows, options); },
      [&](data::Moments&& moments, kernel::Grant&& grant, exact::RandomBits& bits) -> Result<MomentRelease> {
        const PublicFacts facts{moments.columns, moments.layout, moments.rows, rows.groups, wanted->design.scan.people};
        TACET_TRY(const NoisyValues noisy, add_noise(std::move(moments), *plan, std::move(grant), bits));
        return describe(request.kind, mechanism, schema, facts, noisy, order.statement());
      });
}

}  // namespace tacet
