#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "tacet/data/moments.h"
#include "tacet/data/schema.h"
#include "tacet/eigen/release_eigen.h"
#include "tacet/kernel/release_cube_products.h"
#include "tacet/kernel/release_k_norm.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/mechanisms/moment_noise.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/mechanisms/printed_figure.h"
#include "tacet/report/text_table.h"
#include "tacet/schemas/column_request.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/charged_release.h"
#include "tacet/service/moment_design.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using mechanisms::GroupMoments;
using mechanisms::Guarantee;
using mechanisms::MomentGoal;
using mechanisms::MomentKind;
using mechanisms::MomentRelease;
using Mechanism = MomentMechanism;

/// The figures as they left, whatever the noise: in steps.
struct NoisyFigures {
  std::vector<double> values, scales;
  Mechanism mechanism;
  kernel::Relation relation;
  privacy::Loss loss;
  kernel::Receipt receipt;
};

NoisyFigures figures_of(const kernel::NoisyNumbers& noisy) {
  NoisyFigures out{{},
                   noisy.plan.scale,
                   noisy.plan.family == kernel::NoiseFamily::Gaussian ? Mechanism::Gaussian : Mechanism::Laplace,
                   noisy.relation,
                   noisy.loss,
                   noisy.receipt};
  for (std::size_t j = 0; j < noisy.ticks.size(); ++j) out.values.push_back(noisy.value(j));
  return out;
}

NoisyFigures figures_of(const kernel::NoisyCube& noisy) {
  NoisyFigures out{{}, {}, Mechanism::KNorm, noisy.relation, noisy.loss, noisy.receipt};
  for (std::size_t j = 0; j < noisy.ticks.size(); ++j) {
    out.values.push_back(noisy.value(j));
    out.scales.push_back(noisy.plan.scale_of(j));
  }
  return out;
}

NoisyFigures figures_of(const kernel::NoisyCubeProducts& noisy) {
  NoisyFigures out{{}, {}, Mechanism::CubeProducts, noisy.relation, noisy.loss, noisy.receipt};
  for (std::size_t j = 0; j < noisy.ticks.size(); ++j) {
    out.values.push_back(noisy.value(j));
    out.scales.push_back(noisy.plan.scale_of(j));
  }
  return out;
}

Result<NoisyFigures> add_noise(data::Moments&& moments, const MomentPlan& plan, kernel::Grant&& grant, exact::RandomBits& bits) {
  if (const auto* cube = std::get_if<kernel::CubePlan>(&plan)) {
    TACET_TRY(const auto released, kernel::release_k_norm(std::move(moments.values), *cube, std::move(grant), bits));
    return figures_of(released.value());
  }
  if (const auto* both = std::get_if<kernel::CubeProductsPlan>(&plan)) {
    TACET_TRY(const auto released, kernel::release_cube_products(std::move(moments.values), *both, std::move(grant), bits));
    return figures_of(released.value());
  }
  if (const auto* by_eigenvalues = std::get_if<eigen::EigenPlan>(&plan)) {
    TACET_TRY(const auto released, eigen::release_eigen(std::move(moments.values), *by_eigenvalues, std::move(grant), bits));
    NoisyFigures figures = figures_of(released.value().figures);
    figures.mechanism = Mechanism::Eigen;
    return figures;
  }
  TACET_TRY(const auto released, kernel::release(std::move(moments.values), std::get<kernel::NumbersPlan>(plan), std::move(grant), bits));
  return figures_of(released.value());
}

/// Groups are public where the terms say so, unless --membership private asks for more noise.
Result<data::MomentRequest> moment_request(const Json& request, MomentKind kind, const kernel::Relation& relation) {
  data::MomentRequest wanted;
  TACET_TRY(wanted.columns, list_field(request, "columns"));
  wanted.products = has_products(kind);
  wanted.counts = true;  // where it is private
  const auto group = text_field(request, "group-by");
  const bool is_public = group && relation.is_public(*group);
  TACET_TRY(const data::Membership membership, membership_field(request, is_public ? data::Membership::Public : data::Membership::Private));
  if (membership == data::Membership::Public && !group) return Error::invalid("membership", "public", "goes with --group-by");
  if (group) wanted.groups = {*group, membership};
  return wanted;
}

/// --for names the test that the release is made for, --goal what its noise is to be best at: one of them.
struct GoalRequest {
  MomentGoal goal;
  std::vector<double> eta;  // of --goal test:a,b, which one column serves best; empty otherwise
};

Result<GoalRequest> goal_field(const Json& request, MomentKind kind) {
  const auto purpose = text_field(request, "for");
  const auto given = text_field(request, "goal");
  if (purpose) {
    if (given) return Error::invalid("goal", given->substr(0, 40), "cannot be given with --for, which sets it", "give one of them");
    if (*purpose != name(MomentGoal::TwoSample))
      return Error::invalid("for", purpose->substr(0, 40), "must be two-sample", "leave it out for a release of general use");
    return GoalRequest{MomentGoal::TwoSample, {}};
  }
  const std::string text = given.value_or("region");
  constexpr std::string_view kTest = "test:";
  if (!text.starts_with(kTest)) {
    for (const MomentGoal goal : {MomentGoal::Region, MomentGoal::LeastSquares}) {
      if (text == name(goal)) return GoalRequest{goal, {}};
    }
    return Error::invalid("goal", text.substr(0, 40), "must be region or least-squares", "for one direction: tacet release query");
  }
  if (has_products(kind)) return Error::invalid("goal", text.substr(0, 40), "must be region or least-squares for second moments");
  TACET_TRY(std::vector<double> eta, numbers_field(Json{{"goal", text.substr(kTest.size())}}, "goal"));
  return GoalRequest{MomentGoal::Region, std::move(eta)};
}

/// The column that tells a mean of eta from 0 best: the largest |eta_j| over its range (Adjusted, Theorem 2.4; no combination of columns does better,
/// since a'eta over the sum of |a_j| range_j is largest where a has one number other than 0).
Result<std::string> column_for_test(const std::vector<std::string>& columns, const std::vector<double>& eta, const data::Schema& schema) {
  if (eta.size() != columns.size()) {
    return Error::invalid("goal", fmt::format("a test of {} numbers", eta.size()),
                          fmt::format("must have one for each of the {} columns", columns.size()),
                          "for example: --columns ldl,hdl --goal test:10,-5");
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

/// What is to be published, and how its noise is shared.
struct Wanted {
  data::MomentRequest request;
  std::vector<std::string> asked_columns;
  data::MomentDesign design;
  std::vector<double> weights;
};

Result<Wanted> wanted_figures(const Json& request, MomentKind kind, const GoalRequest& goal, Mechanism mechanism,
                              const data::Schema& schema) {
  TACET_TRY(data::MomentRequest wanted, moment_request(request, kind, schema.relation));
  std::vector<std::string> asked_columns = wanted.columns;
  if (!goal.eta.empty()) {
    TACET_TRY(std::string best, column_for_test(asked_columns, goal.eta, schema));
    wanted.columns = {std::move(best)};
  }
  TACET_CHECK(schemas::check_summed(schema, wanted.columns));
  if (wanted.groups) TACET_CHECK(schemas::check_tabulated(schema, {wanted.groups->column}));
  TACET_TRY(data::MomentDesign design, data::design_moments(schema, wanted));
  TACET_TRY(std::vector<double> weights, weights_for(design, mechanism, goal.goal));
  return Wanted{std::move(wanted), std::move(asked_columns), std::move(design), std::move(weights)};
}

struct PublicFacts {
  std::vector<data::MomentColumn> columns;
  data::MomentLayout layout;
  data::PublicRows rows;
  std::optional<data::Groups> groups;
};

GroupMoments group_moments(const PublicFacts& facts, const NoisyFigures& noisy, std::size_t group) {
  GroupMoments part = group_figures(facts.columns, facts.layout, group, noisy.values, noisy.scales);
  if (facts.layout.counts) return part;
  const std::int64_t people = facts.rows.group_sizes ? facts.rows.group_sizes->value()[group] : facts.rows.n ? facts.rows.n->value() : 0;
  part.people = {static_cast<double>(people), 0};
  return part;
}

MomentRelease describe(MomentKind kind, const data::Schema& schema, const PublicFacts& facts, const NoisyFigures& noisy,
                       const Json& statement) {
  const bool idealised = noisy.mechanism == Mechanism::Eigen;
  MomentRelease release{.header = mechanisms::charged_header(noisy.loss, noisy.relation, noisy.receipt, dump(statement),
                                                             idealised ? Guarantee::Idealised : Guarantee::Exact),
                        .kind = kind,
                        .columns = released_columns(schema, facts.columns),
                        .mechanism = noisy.mechanism};
  if (facts.groups && facts.rows.groups)
    release.groups = {facts.groups->column, facts.rows.groups->labels.value(), facts.groups->membership};
  for (std::size_t group = 0; group < facts.layout.shape.groups; ++group) release.parts.push_back(group_moments(facts, noisy, group));
  if (idealised) release.floating_point = eigen::kWhyIdealised;
  return release;
}

/// A refusal of noise that says what to do about units: least squares in units that are far apart asks for noise beyond all bounds.
Error explained(const Error& error, MomentGoal goal) {
  if (error.name() != "noise scale" || goal != MomentGoal::LeastSquares) return error;
  return Error::invalid(error.name(), error.value(), error.rule(),
                        "leave out --goal least-squares, which depends on units, or declare the columns in units that are less far apart; "
                        "otherwise " +
                            error.remedy());
}

Result<Json> run(MomentKind kind, const Json& request, const Context& context) {
  TACET_TRY(const privacy::Loss asked, loss_field(request));
  TACET_TRY(const GoalRequest goal, goal_field(request, kind));
  TACET_TRY(const Mechanism mechanism, mechanism_field(request, kind, asked, goal.goal));
  std::optional<Wanted> planned;
  const auto price = [&](const data::Declared& declared, privacy::Currency budget) -> Result<privacy::Loss> {
    TACET_TRY(Wanted figures, wanted_figures(request, kind, goal, mechanism, declared.schema()));
    planned.emplace(std::move(figures));
    auto loss = charged_loss(request, mechanism, planned->design.sensitivity, planned->weights, budget);
    if (!loss.ok()) return explained(loss.error(), goal.goal);
    return loss;
  };
  TACET_TRY(ChargedRelease order, ChargedRelease::open(request, context, price));
  const data::Schema& schema = order.declared().schema();
  const data::MomentRequest& wanted = planned->request;
  const Result<MomentPlan> planned_noise = plan_moments(mechanism, planned->design.sensitivity, planned->weights, order.loss());
  if (!planned_noise.ok()) return explained(planned_noise.error(), goal.goal);
  const MomentPlan& plan = *planned_noise;
  Json statement = {{"release", name(kind)}, {"columns", wanted.columns}, {"mechanism", name(mechanism)}, {"goal", name(goal.goal)}};
  if (!goal.eta.empty()) statement.update({{"goal", "test"}, {"asked_columns", planned->asked_columns}, {"eta", goal.eta}});
  if (wanted.groups) {
    statement["group_by"] = wanted.groups->column;
    statement["membership"] = name(wanted.groups->membership);
  }
  constexpr std::size_t kPerFigure = 200;
  constexpr std::size_t kRest = 16384;
  return order.carry_out(
      {std::move(statement), 2 * planned->design.layout.size() * kPerFigure + kRest, /*idealised=*/mechanism == Mechanism::Eigen},
      [&](const data::CountOptions& options) { return data::moments(order.data(), order.declared(), wanted, options); },
      [&](data::Moments&& moments, kernel::Grant&& grant, exact::RandomBits& bits) -> Result<Json> {
        const PublicFacts facts{moments.columns, moments.layout, moments.rows, wanted.groups};
        TACET_TRY(const NoisyFigures noisy, add_noise(std::move(moments), plan, std::move(grant), bits));
        return mechanisms::to_json(describe(kind, schema, facts, noisy, order.statement()));
      });
}

std::string vector_words(const MomentRelease& release, const mechanisms::PrintedFigure& figure) {
  report::TextTable table({"column", std::string(name(release.kind)), "noise (sd)"});
  for (std::size_t j = 0; j < release.dimension(); ++j) {
    table.add({report::printable(release.columns[j].name), fmt::format("{:.6g}", figure.values[j]),
               fmt::format("{:.3g}", figure.noise_sd->at(j))});
  }
  return table.render();
}

std::string matrix_words(const MomentRelease& release, const mechanisms::PrintedFigure& figure) {
  const std::size_t d = release.dimension();
  std::vector<std::string> header = {""};
  for (const auto& column : release.columns) header.push_back(report::printable(column.name));
  report::TextTable table(header);
  bool hidden = false;
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<std::string> row = {report::printable(release.columns[j].name)};
    for (std::size_t k = 0; k < d; ++k) {
      const double value = figure.values[j * d + k];
      const std::string shown = fmt::format("{:.5g}", value);
      if (!figure.noise_sd) {
        row.push_back(shown);
        continue;
      }
      const double sd = figure.noise_sd->at(j * d + k);
      const bool below = std::abs(value) < sd;
      hidden = hidden || below;
      row.push_back(fmt::format("{} ({:.2g})", below ? "below noise" : shown, sd));
    }
    table.add(std::move(row));
  }
  std::string out = table.render();
  if (figure.noise_sd) out += "In parentheses: the standard deviation of the noise.\n";
  if (hidden) out += "Below noise: too small to be told from 0 beside its noise.\n";
  if (!figure.noise_sd) out += "How much noise an entry has is not known: ed adds it to eigenvalues and directions.\n";
  return out;
}

std::string group_words(const MomentRelease& release, std::size_t group) {
  const mechanisms::NoisyNumber& people = release.parts[group].people;
  const std::string who = release.groups ? fmt::format("{}={}", release.groups->column, release.groups->labels[group]) : "everybody";
  const std::string head = fmt::format("Noisy {} of {} ({}{} people):", name(release.kind), report::printable(who),
                                       people.scale > 0 ? "about " : "", report::readable(std::round(people.value)));
  if (const auto reason = mechanisms::why_no_answer(release, group)) return fmt::format("{} no answer, as {}.\n", head, *reason);
  const mechanisms::PrintedFigure figure = mechanisms::printed_figure(release, group);
  return head + "\n" + (release.has_matrix() ? matrix_words(release, figure) : vector_words(release, figure));
}

std::string words(const Json& result) {
  const auto release = mechanisms::moment_release_from_json(result);
  if (!release) return {};
  std::string out;
  for (std::size_t group = 0; group < release->parts.size(); ++group) out += group_words(*release, group);
  const Json& statement = result.at("statement");
  if (statement.is_object() && statement.value("goal", "") == "test") {
    out += fmt::format("Of the columns asked for, {} alone was published: it tells the alternative of the test best.\n",
                       report::printable(release->columns.front().name));
  }
  if (release->floating_point) out += fmt::format("Guarantee: {}, as {}.\n", name(release->header.guarantee), *release->floating_point);
  return out + fmt::format("Noise: {}. ", name(release->mechanism)) + ChargedRelease::words(result, "");
}

Verb moment_verb(MomentKind kind, const std::string& summary, const std::string& example) {
  std::vector<Field> own = {
      {"columns", "a,b", "the numeric columns, with bounds declared in the schema", FieldKind::List, true},
      {"mechanism", "M",
       std::string("gaussian (the default), laplace, k-norm (pure epsilon, better than laplace for several columns)") +
           (has_products(kind) ? ", k-norm+laplace (sums and products apart), ed (by eigenvalues; idealised)" : "")},
      {"goal", "G",
       std::string("region (smallest confidence region, whatever the units; the default), least-squares (least squared error in the units "
                   "as declared)") +
           (has_products(kind) ? "" : ", or test:a,b (publish the one column that tells a mean of a,b from 0 best)")},
      {"group-by", "COLUMN", "apart for each group of a categorical column"},
      {"membership", "M", "with --group-by: public, where the terms say so (then the default), or private"}};
  if (has_products(kind)) {
    own.push_back({"for", "TEST",
                   "two-sample: noise that suits `infer two-sample`, in place of --goal; under a pure epsilon --mechanism k-norm+laplace"});
  }
  return {fmt::format("release {}", name(kind)),
          summary,
          example,
          ChargedRelease::fields(own),
          [kind](const Json& request, const Context& context) { return run(kind, request, context); },
          words};
}

}  // namespace

Verb release_sum_verb() {
  return moment_verb(MomentKind::Sum, "Publish sums of bounded columns with exact noise",
                     "tacet release sum --data patients.csv --schema patients.toml --columns ldl,glucose --rho 0.01 --out sums.json");
}

Verb release_mean_verb() {
  return moment_verb(MomentKind::Mean, "Publish means of bounded columns with exact noise",
                     "tacet release mean --data patients.csv --schema patients.toml --columns ldl,hdl,glucose --rho 0.02 --out means.json");
}

Verb release_second_moment_verb() {
  return moment_verb(
      MomentKind::SecondMoment, "Publish second moments of bounded columns about their public centres, and their means",
      "tacet release second-moment --data patients.csv --schema patients.toml --columns ldl,hdl --rho 0.02 --out moments.json");
}

Verb release_covariance_verb() {
  return moment_verb(MomentKind::Covariance, "Publish a covariance matrix of bounded columns, and their means",
                     "tacet release covariance --data patients.csv --schema patients.toml --columns ldl,hdl --group-by smoking --rho 0.02 "
                     "--out by_smoking.json");
}

}  // namespace tacet::service
