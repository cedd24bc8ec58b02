#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tacet/data/moments.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/release_eigen.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/mechanisms/covariance.h"
#include "tacet/mechanisms/moment_noise.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/mechanisms/privacy_json.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/charged_release.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using mechanisms::GroupMoments;
using mechanisms::MomentRelease;
using mechanisms::NoisyNumber;

/// How the figures get their noise.
enum class Mechanism : std::uint8_t { Gaussian, Laplace, Eigen };
std::string_view name(Mechanism mechanism) {
  if (mechanism == Mechanism::Eigen) return "ed";
  return mechanism == Mechanism::Gaussian ? "gaussian" : "laplace";
}

bool has_products(const std::string& kind) { return kind == "second-moment" || kind == "covariance"; }

Result<Mechanism> mechanism_field(const Json& request, const std::string& kind, const privacy::Loss& asked) {
  const std::string name = text_field(request, "mechanism").value_or("gaussian");
  const bool eigen = name == "ed" && has_products(kind);
  if (name != "gaussian" && name != "laplace" && !eigen) {
    return Error::invalid("mechanism", name.substr(0, 40),
                          has_products(kind) ? "must be gaussian, laplace or ed" : "must be gaussian or laplace",
                          "for example: --mechanism gaussian --rho 0.125");
  }
  const bool gaussian = name == "gaussian";
  if (gaussian ? std::holds_alternative<privacy::PureLoss>(asked) : std::holds_alternative<privacy::ApproximateLoss>(asked)) {
    return Error::invalid(
        "mechanism", name,
        gaussian ? "must be asked for with --rho, --mu, or --epsilon and --delta: Gaussian noise is never pure"
                 : "must be asked for with --epsilon alone, --rho or --mu: Laplace noise needs no delta",
        gaussian ? "for example: --mechanism gaussian --rho 0.125" : fmt::format("for example: --mechanism {} --epsilon 0.5", name));
  }
  if (eigen) return Mechanism::Eigen;
  return gaussian ? Mechanism::Gaussian : Mechanism::Laplace;
}

Result<data::MomentRequest> moment_request(const Json& request, const std::string& kind) {
  data::MomentRequest wanted;
  TACET_TRY(wanted.columns, list_field(request, "columns"));
  wanted.products = has_products(kind);
  wanted.counts = true;  // where it is private
  const auto group = text_field(request, "group-by");
  const std::string membership = text_field(request, "membership").value_or("private");
  if (membership != "private" && membership != "public")
    return Error::invalid("membership", membership.substr(0, 40), "must be public or private");
  if (membership == "public" && !group) return Error::invalid("membership", membership, "goes with --group-by");
  if (group) wanted.groups = {*group, membership == "public" ? data::Membership::Public : data::Membership::Private};
  return wanted;
}

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

Result<std::vector<double>> weights_for(const data::MomentDesign& design, mechanisms::MomentGoal goal) {
  const std::vector<double> units = units_of(design.columns, design.layout);
  std::vector<double> sizes;
  for (std::size_t i = 0; i < design.layout.stretch(); ++i)
    sizes.push_back(std::max(1.0, static_cast<double>(design.sensitivity.most[i])) * units[i]);
  return mechanisms::moment_weights({design.layout.counts, design.columns.size(), design.layout.shape.products}, sizes, goal);
}

/// Of the figures before the products, and of all products together.
std::vector<double> eigen_weights(const std::vector<double>& weights, std::size_t products) {
  const auto first = weights.end() - static_cast<std::ptrdiff_t>(products);
  std::vector<double> shared(weights.begin(), first);
  shared.push_back(std::accumulate(first, weights.end(), 0.0));
  return shared;
}

kernel::NoiseFamily noise_family(Mechanism mechanism) {
  return mechanism == Mechanism::Gaussian ? kernel::NoiseFamily::Gaussian : kernel::NoiseFamily::Laplace;
}

Status check_plan(Mechanism mechanism, const kernel::BoxSensitivity& box, const std::vector<double>& weights, const privacy::Loss& loss) {
  if (mechanism == Mechanism::Eigen) {
    TACET_CHECK(kernel::plan_eigen(box, eigen_weights(weights, box.outer_products * (box.outer_products + 1) / 2), loss));
    return {};
  }
  TACET_CHECK(kernel::plan_numbers(noise_family(mechanism), box, weights, loss));
  return {};
}

Result<kernel::NoisyNumbers> add_noise(Mechanism mechanism, data::Moments&& moments, const std::vector<double>& weights,
                                       kernel::Grant&& grant, exact::RandomBits& bits) {
  if (mechanism == Mechanism::Eigen) {
    const std::size_t products = moments.layout.stretch() - moments.layout.product(0, 0, 0);
    TACET_TRY(const auto released,
              kernel::release_eigen(std::move(moments.values), eigen_weights(weights, products), std::move(grant), bits));
    return released.value().figures;
  }
  TACET_TRY(const auto released, kernel::release(std::move(moments.values), noise_family(mechanism), weights, std::move(grant), bits));
  return released.value();
}

struct PublicFacts {
  std::vector<data::MomentColumn> columns;
  data::MomentLayout layout;
  data::PublicRows rows;
  std::optional<data::Groups> groups;
};

GroupMoments group_moments(const PublicFacts& facts, const kernel::NoisyNumbers& noisy, std::size_t group) {
  const std::vector<double> units = units_of(facts.columns, facts.layout);
  const auto figure = [&](std::size_t at) -> NoisyNumber {
    const double unit = units[at - group * facts.layout.stretch()];
    return {noisy.value(at) * unit, noisy.plan.scale[at] * unit};
  };
  GroupMoments part{};
  if (facts.layout.counts) {
    part.people = figure(facts.layout.count(group));
  } else if (facts.rows.group_sizes) {
    part.people = {static_cast<double>((*facts.rows.group_sizes)[group]), 0};
  } else {
    part.people = {static_cast<double>(facts.rows.n.value_or(0)), 0};
  }
  for (std::size_t j = 0; j < facts.columns.size(); ++j) part.sums.push_back(figure(facts.layout.sum(group, j)));
  for (std::size_t j = 0; facts.layout.shape.products && j < facts.columns.size(); ++j) {
    for (std::size_t k = j; k < facts.columns.size(); ++k) part.products.push_back(figure(facts.layout.product(group, j, k)));
  }
  return part;
}

MomentRelease describe(const std::string& kind, Mechanism mechanism, const data::Schema& schema, const PublicFacts& facts,
                       const kernel::NoisyNumbers& noisy, const Json& statement) {
  MomentRelease release{};
  release.kind = kind;
  release.statement = statement;
  for (const data::MomentColumn& column : facts.columns) {
    const data::Bounds& bounds = *schema.find(column.name)->bounds;
    release.columns.push_back({column.name, bounds.lower.approximate(), bounds.upper.approximate(), column.grid.resolution().approximate(),
                               column.grid.centre().approximate()});
  }
  if (facts.groups && facts.rows.groups)
    release.groups = {facts.groups->column, facts.rows.groups->labels, facts.groups->membership == data::Membership::Public};
  for (std::size_t group = 0; group < facts.layout.shape.groups; ++group) release.parts.push_back(group_moments(facts, noisy, group));
  release.family = name(mechanism);
  release.privacy = mechanisms::privacy_json(noisy.loss, noisy.relation, noisy.receipt);
  release.guarantee = mechanism == Mechanism::Eigen ? "idealised" : "exact";
  if (mechanism == Mechanism::Eigen) release.floating_point = kernel::kWhyIdealised;
  release.ledger = mechanisms::receipt_json(noisy.receipt);
  release.time = noisy.receipt.time;
  return release;
}

Result<Json> run(const std::string& kind, const Json& request, const Context& context) {
  TACET_TRY(const privacy::Loss asked, loss_field(request));
  TACET_TRY(const Mechanism mechanism, mechanism_field(request, kind, asked));
  TACET_TRY(const mechanisms::MomentGoal goal, mechanisms::moment_goal_named(text_field(request, "goal").value_or("least-squares")));
  TACET_TRY(const data::MomentRequest wanted, moment_request(request, kind));
  TACET_TRY(const data::Schema schema, data::read_schema(*text_field(request, "schema")));
  TACET_TRY(const data::MomentDesign design, data::design_moments(schema, wanted));
  TACET_TRY(const std::vector<double> weights, weights_for(design, goal));
  TACET_TRY(ChargedRelease order, ChargedRelease::open(request, context, asked, schema.relation));
  TACET_CHECK(check_plan(mechanism, design.sensitivity, weights, order.loss()));
  Json statement = {{"release", kind}, {"columns", wanted.columns}, {"mechanism", name(mechanism)}, {"goal", mechanisms::name(goal)}};
  if (wanted.groups) {
    statement["group_by"] = wanted.groups->column;
    statement["membership"] = wanted.groups->membership == data::Membership::Public ? "public" : "private";
  }
  constexpr std::size_t kPerFigure = 200;
  constexpr std::size_t kRest = 16384;
  TACET_CHECK(order.prepare(statement, 2 * design.layout.size() * kPerFigure + kRest));

  context.tell("reading");
  TACET_TRY(const data::DataFile file, data::DataFile::open(*text_field(request, "data")));
  TACET_TRY(data::Moments moments,
            data::moments(file, schema, wanted, {.progress = [&context](double fraction) { context.tell("reading", fraction); }}));
  TACET_TRY(kernel::Grant grant, order.charge());
  context.tell("adding noise");
  const PublicFacts facts{moments.columns, moments.layout, moments.rows, wanted.groups};
  TACET_TRY(const kernel::NoisyNumbers noisy, add_noise(mechanism, std::move(moments), weights, std::move(grant), order.bits()));
  context.tell("writing");
  return order.publish(mechanisms::to_json(describe(kind, mechanism, schema, facts, noisy, order.statement())));
}

/// The standard deviation that noise alone gives a figure.
double noise_sd(const std::string& family, double scale) { return family == "laplace" ? std::sqrt(2.0) * scale : scale; }

std::string vector_words(const MomentRelease& release, std::size_t group) {
  const bool mean = release.kind == "mean";
  const GroupMoments& part = release.parts[group];
  const double people = mean ? std::max(1.0, part.people.value) : 1;
  const std::vector<double> values = mean ? release.mean(group) : release.sum(group);
  report::TextTable table({"column", release.kind, "noise (sd)"});
  for (std::size_t j = 0; j < release.dimension(); ++j) {
    table.add({report::printable(release.columns[j].name), fmt::format("{:.6g}", values[j]),
               fmt::format("{:.3g}", noise_sd(release.family, part.sums[j].scale) / people)});
  }
  return table.render();
}

std::string matrix_words(const MomentRelease& release, std::size_t group) {
  const std::size_t d = release.dimension();
  std::vector<double> matrix;
  if (release.kind == "covariance") {
    const auto covariance = mechanisms::covariance_of(release, group);
    if (!covariance) return {};
    matrix = covariance->matrix;
  } else {
    matrix = release.second_moment(group);
  }
  std::vector<std::string> header = {""};
  for (const auto& column : release.columns) header.push_back(report::printable(column.name));
  report::TextTable table(header);
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<std::string> row = {report::printable(release.columns[j].name)};
    for (std::size_t k = 0; k < d; ++k) row.push_back(fmt::format("{:.5g}", matrix[j * d + k]));
    table.add(std::move(row));
  }
  return table.render();
}

std::string words(const Json& result) {
  const auto release = mechanisms::moment_release_from_json(result);
  if (!release) return {};
  std::string out;
  for (std::size_t group = 0; group < release->parts.size(); ++group) {
    const std::string who = release->groups ? fmt::format("{}={}", release->groups->column, release->groups->labels[group]) : "everybody";
    const double people = release->parts[group].people.value;
    out += fmt::format("Noisy {} of {} ({}{} people):\n", release->kind, report::printable(who),
                       release->parts[group].people.scale > 0 ? "about " : "", report::readable(std::round(people)));
    const bool matrix = has_products(release->kind);
    out += matrix ? matrix_words(*release, group) : vector_words(*release, group);
  }
  if (!release->floating_point.empty()) out += fmt::format("Guarantee: {}, as {}.\n", release->guarantee, release->floating_point);
  return out + fmt::format("Noise: {}. ", release->family) + ChargedRelease::words(result, "tacet infer region");
}

Verb moment_verb(const std::string& kind, const std::string& summary, const std::string& example) {
  const std::vector<Field> own = {
      {"columns", "a,b", "the numeric columns, with bounds declared in the schema", FieldKind::List, true},
      {"mechanism", "M", has_products(kind) ? "gaussian (the default), laplace or ed" : "gaussian (the default) or laplace"},
      {"goal", "G", "least-squares (least squared error; the default) or region (smallest confidence region)"},
      {"group-by", "COLUMN", "apart for each group of a categorical column"},
      {"membership", "M", "with --group-by: public (who is in which group is known and fixed) or private (the default)"}};
  return {"release " + kind,
          summary,
          example,
          ChargedRelease::fields(own),
          [kind](const Json& request, const Context& context) { return run(kind, request, context); },
          words};
}

}  // namespace

Verb release_sum_verb() {
  return moment_verb("sum", "Publish sums of bounded columns with exact noise",
                     "tacet release sum --data patients.csv --schema patients.toml --columns ldl,glucose --rho 0.01 --out sums.json");
}

Verb release_mean_verb() {
  return moment_verb("mean", "Publish means of bounded columns with exact noise",
                     "tacet release mean --data patients.csv --schema patients.toml --columns ldl,hdl,glucose --rho 0.02 --out means.json");
}

Verb release_second_moment_verb() {
  return moment_verb(
      "second-moment", "Publish second moments of bounded columns about their public centres, and their means",
      "tacet release second-moment --data patients.csv --schema patients.toml --columns ldl,hdl --rho 0.02 --out moments.json");
}

Verb release_covariance_verb() {
  return moment_verb(
      "covariance", "Publish a covariance matrix of bounded columns, and their means",
      "tacet release covariance --data patients.csv --schema patients.toml --columns ldl,hdl --rho 0.02 --out covariance.json");
}

}  // namespace tacet::service
