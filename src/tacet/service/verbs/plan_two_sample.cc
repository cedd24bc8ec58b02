#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/moments.h"
#include "tacet/data/schema.h"
#include "tacet/planning/equal_means_power.h"
#include "tacet/planning/people_needed.h"
#include "tacet/report/text_table.h"
#include "tacet/schemas/column_request.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/moment_design.h"
#include "tacet/service/power_answer.h"
#include "tacet/service/request.h"
#include "tacet/service/table_file.h"

namespace tacet::service {
namespace {

using mechanisms::MomentRelease;
using planning::MeansPower;
using planning::MeansQuestion;

constexpr std::size_t kMostColumns = 64;
constexpr std::uint64_t kMostInAGroup = std::uint64_t{1} << 49;
constexpr std::size_t kUsualDraws = 1000;
constexpr std::size_t kMostGroups = 1000;
constexpr const char* kGroups = "(the groups)";  // a column of no file

/// A list of numbers: one for all columns, or one for each.
Result<std::vector<std::string>> for_each_column(const Json& request, const std::string& name, std::size_t columns) {
  TACET_TRY(std::vector<std::string> items, digits_field(request, name));
  if (items.size() == 1) items.resize(columns, items.front());
  if (items.size() == columns) return items;
  return Error::invalid(
      name, items.empty() ? "missing" : fmt::format("{} numbers", items.size()),
      columns == 1 ? "must be one number" : fmt::format("must be one number for all {} columns, or one for each", columns),
      fmt::format("for example: --{} 5", name));
}

Result<std::vector<double>> numbers_for_each_column(const Json& request, const std::string& name, std::size_t columns) {
  TACET_TRY(const std::vector<std::string> items, for_each_column(request, name, columns));
  std::vector<double> numbers;
  for (const std::string& item : items) {
    TACET_TRY(const double number, plain_number(name, item));
    numbers.push_back(number);
  }
  return numbers;
}

/// Without a schema: names, or their number, or else as many as the longest list has.
Result<std::vector<std::string>> column_names(const Json& request, std::size_t in_covariance) {
  TACET_TRY(std::vector<std::string> names, list_field(request, "columns"));
  const bool number = names.size() == 1 && names.front().find_first_not_of("0123456789") == std::string::npos;
  std::size_t count = std::max(names.size(), in_covariance);
  if (number) {
    TACET_TRY(count, whole_number("columns", names.front(), 1, kMostColumns));
  } else if (names.empty()) {
    for (const char* list : {"lower", "upper", "sd", "difference", "mean"}) {
      TACET_TRY(const std::vector<std::string> items, digits_field(request, list));
      count = std::max(count, items.size());
    }
  } else {
    return names;
  }
  names.clear();
  for (std::size_t j = 0; j < count; ++j) names.push_back(fmt::format("column {}", j + 1));
  return names;
}

Result<Decimal> decimal_of(const std::string& name, const std::string& text) {
  auto value = Decimal::parse(text);
  if (!value) return Error::invalid(name, text.substr(0, 40), "must be a finite decimal number");
  return *std::move(value);
}

/// A schema as if its custodian had written these bounds, with a thousand steps between them.
Result<data::Schema> supposed_schema(const Json& request, const std::vector<std::string>& names) {
  static const Decimal part = *Decimal::parse("0.001");
  static const Decimal half = *Decimal::parse("0.5");
  TACET_TRY(const std::vector<std::string> lower, for_each_column(request, "lower", names.size()));
  TACET_TRY(const std::vector<std::string> upper, for_each_column(request, "upper", names.size()));
  data::Schema schema;
  for (std::size_t j = 0; j < names.size(); ++j) {
    data::Bounds bounds;
    TACET_TRY(bounds.lower, decimal_of("lower", lower[j]));
    TACET_TRY(bounds.upper, decimal_of("upper", upper[j]));
    if (bounds.lower >= bounds.upper) {
      return Error::invalid("lower", bounds.lower.to_string(), "must be less than upper, which is " + bounds.upper.to_string(),
                            "for example: --lower 0 --upper 100");
    }
    bounds.resolution = (bounds.upper - bounds.lower) * part;
    bounds.missing = (bounds.upper + bounds.lower) * half;
    schema.columns.push_back({names[j], std::nullopt, std::move(bounds), {}});
  }
  return schema;
}

/// What is public about the columns: declared, or supposed.
struct Described {
  data::Schema schema;
  std::vector<std::string> columns;
};

Result<Described> described(const Json& request, std::size_t in_covariance) {
  if (!request.contains("schema")) {
    for (const char* bound : {"lower", "upper"}) {
      if (!request.contains(bound)) {
        return Error::invalid(bound, "missing", "must be given where no schema declares the bounds",
                              "for example: --lower 0 --upper 100, or --schema patients.toml --columns ldl,hdl");
      }
    }
    TACET_TRY(std::vector<std::string> names, column_names(request, in_covariance));
    TACET_TRY(data::Schema schema, supposed_schema(request, names));
    return Described{std::move(schema), std::move(names)};
  }
  for (const char* bound : {"lower", "upper"}) {
    if (request.contains(bound)) {
      return Error::invalid(bound, "given with a schema", "must be left out, as the schema declares it",
                            "leave out --schema to suppose others");
    }
  }
  TACET_TRY(std::vector<std::string> names, list_field(request, "columns"));
  TACET_TRY(data::Schema schema, schemas::read_schema(*text_field(request, "schema")));
  return Described{std::move(schema), std::move(names)};
}

/// The release that would be made, with all its noise and no values.
Result<MomentRelease> blank_release(const Described& columns, std::size_t groups, data::Membership membership, MomentMechanism mechanism,
                                    const Json& request) {
  data::MomentRequest wanted;
  wanted.columns = columns.columns;
  wanted.counts = true;  // where it is private
  // Without the column of no file, so that no message speaks of it.
  TACET_CHECK(schemas::check_summed(columns.schema, wanted.columns));
  TACET_CHECK(data::design_moments(columns.schema, wanted));
  data::Schema schema = columns.schema;
  std::vector<std::string> labels;
  for (std::size_t group = 0; group < groups; ++group) labels.push_back(fmt::format("{}", group + 1));
  schema.columns.push_back({kGroups, data::Categories{std::move(labels), groups, 0, 0}, std::nullopt, {}});
  if (membership == data::Membership::Public) {
    if (!schema.relation.people_are_public()) {
      return Error::invalid("membership", "public",
                            "must be private under add-or-remove-one, where the number of people in a group is private",
                            "leave it out, or plan under replace-one");
    }
    TACET_TRY(schema.relation, kernel::Relation::within({kGroups}));
  }
  wanted.groups = {kGroups, membership};
  TACET_TRY(const data::MomentDesign design, data::design_moments(schema, wanted));
  TACET_TRY(const std::vector<double> weights, weights_for(design, mechanism, mechanisms::MomentGoal::TwoSample));
  TACET_TRY(const privacy::Budget promise, budget_field(request));
  TACET_TRY(const privacy::Loss loss, charged_loss(request, mechanism, design.sensitivity, weights, promise.currency));
  TACET_TRY(const std::vector<double> scales, planned_scales(mechanism, design.sensitivity, weights, loss));
  MomentRelease blank{};
  blank.kind = mechanisms::MomentKind::Covariance;
  blank.columns = released_columns(schema, design.columns);
  blank.mechanism = mechanism;
  const std::vector<double> values(scales.size());
  for (std::size_t group = 0; group < groups; ++group)
    blank.parts.push_back(group_figures(design.columns, design.layout, group, values, scales));
  return blank;
}

Result<std::vector<double>> covariance_of(const Json& request, std::size_t columns) {
  TACET_TRY(const std::vector<double> sd, numbers_for_each_column(request, "sd", columns));
  for (const double one : sd) {
    if (!(one > 0)) return Error::invalid("sd", fmt::format("{}", one), "must be greater than 0", "for example: --sd 15");
  }
  TACET_TRY(const double correlation, level_field(request, "correlation", 0));
  const double least = columns == 1 ? -1 : -1 / static_cast<double>(columns - 1);
  if (!(correlation > least && correlation < 1)) {
    return Error::invalid(
        "correlation", fmt::format("{}", correlation),
        fmt::format("must be greater than {:.4g} and less than 1 for {} columns that are all correlated alike", least, columns),
        "for example: --correlation 0.3");
  }
  std::vector<double> covariance;
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t k = 0; k < columns; ++k) covariance.push_back(sd[j] * sd[k] * (j == k ? 1 : correlation));
  }
  return covariance;
}

/// Either --sd, with or without --correlation, or --covariance.
Result<std::optional<mechanisms::Flattened>> covariance_file(const Json& request) {
  if (request.contains("sd") == request.contains("covariance")) {
    return Error::invalid("sd", request.contains("sd") ? "given with a covariance" : "missing",
                          "must say how the rows vary, or else a covariance must",
                          "for example: --sd 15,10, or --covariance covariance.json");
  }
  if (!request.contains("covariance")) return std::optional<mechanisms::Flattened>();
  if (request.contains("correlation"))
    return Error::invalid("correlation", *number_field(request, "correlation"), "goes with --sd", "leave it out, or give --sd");
  TACET_TRY(mechanisms::Flattened matrix, square_matrix_field(request, "covariance"));
  return std::optional(std::move(matrix));
}

struct Plan {
  MeansQuestion question;
  data::Membership membership;
  kernel::Relation relation;
};

Result<Plan> plan_of(const Json& request, std::size_t groups) {
  TACET_TRY(const privacy::Loss loss, loss_field(request));
  TACET_TRY(const MomentMechanism mechanism,
            mechanism_field(request, mechanisms::MomentKind::Covariance, loss, mechanisms::MomentGoal::TwoSample));
  TACET_TRY(const data::Membership membership, membership_field(request, data::Membership::Private));
  TACET_TRY(const std::optional<mechanisms::Flattened> matrix, covariance_file(request));
  TACET_TRY(const Described columns, described(request, matrix ? matrix->shape[0] : 0));
  TACET_TRY(MomentRelease blank, blank_release(columns, groups, membership, mechanism, request));
  const std::size_t d = blank.dimension();
  MeansQuestion question{std::move(blank), {}, {}, {}, 0};
  if (matrix) {
    question.covariance = matrix->values;
  } else {
    TACET_TRY(question.covariance, covariance_of(request, d));
  }
  TACET_TRY(question.difference, numbers_for_each_column(request, "difference", d));
  for (const mechanisms::ReleasedColumn& column : question.release.columns) question.mean.push_back((column.lower + column.upper) / 2);
  if (request.contains("mean")) {
    TACET_TRY(question.mean, numbers_for_each_column(request, "mean", d));
  }
  TACET_TRY(question.alpha, level_field(request, "alpha", 0.05));
  return Plan{std::move(question), membership, columns.schema.relation};
}

Result<std::size_t> groups_field(const Json& request) {
  TACET_TRY(const std::uint64_t groups, whole_number("groups", *number_field(request, "groups"), 2, kMostGroups));
  return static_cast<std::size_t>(groups);
}

/// In each group: one number for all, or one for each.
Result<std::vector<double>> people_field(const Json& request, std::size_t groups) {
  TACET_TRY(const std::vector<std::string> items, digits_field(request, "n"));
  if (items.size() != 1 && items.size() != groups) {
    return Error::invalid("n", fmt::format("{} numbers", items.size()),
                          groups == 2 ? "must be one number for both groups, or two"
                                      : fmt::format("must be one number for all groups, or one for each of the {}", groups),
                          groups == 2 ? "for example: --n 1000, or --n 500,1500" : "for example: --n 1000");
  }
  std::vector<double> people;
  for (const std::string& item : items) {
    TACET_TRY(const std::uint64_t some, whole_number("n", item, 2, kMostInAGroup));
    people.push_back(static_cast<double>(some));
  }
  people.resize(groups, people.front());
  return people;
}

/// In each of equal groups, by this power of the question; one person has no test.
Result<double> equal_groups(MeansQuestion question, double wanted, const std::function<Result<double>(const MeansQuestion&)>& power,
                            std::optional<double> near = {}) {
  const auto with = [&](double people) -> Result<double> {
    if (people < 2) return 0.0;
    question.set_people(std::vector<double>(question.groups(), people));
    return power(question);
  };
  if (near) return planning::people_needed_near(*near, wanted, planning::kMostPeople, with);
  return planning::people_needed(wanted, question.alpha, planning::kMostPeople, with);
}

/// From the law for large n, which is quick, to what simulation says.
Result<double> people_for_power(const MeansQuestion& question, double wanted, const inference::Simulation& simulation) {
  TACET_TRY(const double by_distribution, equal_groups(question, wanted, planning::means_power_limit));
  const auto simulated = [&simulation](const MeansQuestion& asked) -> Result<double> {
    TACET_TRY(const MeansPower power, planning::means_power(asked, simulation));
    return power.power;
  };
  return equal_groups(question, wanted, simulated, by_distribution);
}

/// The power from few people to many, in the proportion of the groups, in files where that is wanted.
Status write_curves(const Json& request, const Context& context, MeansQuestion question, inference::Simulation simulation, Json& result) {
  if (!request.contains("csv") && !request.contains("html")) return {};
  std::vector<double> planned;
  for (const mechanisms::GroupMoments& part : question.release.parts) planned.push_back(part.people.value);
  const double all = std::accumulate(planned.begin(), planned.end(), 0.0);
  report::LinePlot plot{.title = "How often the supposed difference of means is found",
                        .subtitle = fmt::format("Test of {} groups at level {} with {} noise", planned.size(), question.alpha,
                                                name(question.release.mechanism)),
                        .x = {"people in all groups", true},
                        .y = {"power"},
                        .curves = {{"simulated", {}}, {"law for large n", {}}, {"without privacy", {}}}};
  std::string csv = "n,power,standard_error,limit,without_privacy\n";
  const std::vector<double> sizes =
      planning::curve_sizes(all, 2 * static_cast<double>(planned.size()), std::max(2 * planning::kMostPeople, 20 * all));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::vector<double> people;
    for (const double one : planned) people.push_back(std::max(2.0, std::round(sizes[i] * one / all)));
    question.set_people(people);
    const double n = std::accumulate(people.begin(), people.end(), 0.0);
    simulation.progress = [&](double fraction) {
      context.tell("simulating curves", (static_cast<double>(i) + fraction) / static_cast<double>(sizes.size()));
    };
    TACET_TRY(const MeansPower power, planning::means_power(question, simulation));
    TACET_TRY(const double without, planning::means_power_without_noise(question));
    csv += fmt::format("{},{},{},{},{}\n", n, power.power, power.standard_error, power.limit, without);
    plot.curves[0].points.emplace_back(n, power.power);
    plot.curves[1].points.emplace_back(n, power.limit);
    plot.curves[2].points.emplace_back(n, without);
  }
  return write_curve_files(request, csv, plot, result);
}

std::vector<double> scales_of(const std::vector<mechanisms::NoisyNumber>& figures) {
  std::vector<double> scales;
  for (const mechanisms::NoisyNumber& figure : figures) scales.push_back(figure.scale);
  return scales;
}

/// By how much the difference of the means varies in each column, from the sample and from noise.
Json columns_json(const MeansQuestion& question) {
  Json columns = Json::array();
  const std::size_t d = question.release.dimension();
  for (std::size_t j = 0; j < d; ++j) {
    const mechanisms::ReleasedColumn& column = question.release.columns[j];
    double sampling = 0;
    double noise = 0;
    for (const std::size_t group : {std::size_t{0}, question.groups() - 1}) {  // any other is like the first
      const mechanisms::GroupMoments& part = question.release.parts[group];
      // A mean is a sum about the centre over the number of people, which may be noisy too.
      const double away = question.mean[j] + question.offset(group) * question.difference[j] - column.centre;
      const double of_sum = question.release.sum_noise_sd(part.sums[j].scale) / part.people.value;
      const double of_people = part.people.scale > 0 ? question.release.sum_noise_sd(part.people.scale) / part.people.value * away : 0;
      sampling += question.covariance[j * d + j] / part.people.value;
      noise += of_sum * of_sum + of_people * of_people;
    }
    columns.push_back({{"name", column.name},
                       {"lower", column.lower},
                       {"upper", column.upper},
                       {"mean", question.mean[j]},
                       {"sd", std::sqrt(question.covariance[j * d + j])},
                       {"difference", question.difference[j]},
                       {"sampling_sd", std::sqrt(sampling)},
                       {"noise_sd", std::sqrt(noise)}});
  }
  return columns;
}

Json people_json(const MeansQuestion& question) {
  Json people = Json::array();
  for (const mechanisms::GroupMoments& part : question.release.parts) people.push_back(part.people.value);
  return people;
}

Result<Json> run(const Json& request, const Context& context) {
  TACET_CHECK(check_n_or_power(request));
  std::size_t groups = 2;
  if (request.contains("groups")) {
    TACET_TRY(groups, groups_field(request));
  }
  TACET_TRY(Plan plan, plan_of(request, groups));
  MeansQuestion& question = plan.question;
  TACET_TRY(const inference::Simulation simulation, simulation_fields(request, context, kUsualDraws, "simulating releases"));
  context.tell("computing power");
  Json result = {{"wanted", request.contains("power")}};
  if (request.contains("n")) {
    TACET_TRY(const std::vector<double> people, people_field(request, groups));
    question.set_people(people);
  } else {
    TACET_TRY(const double wanted, level_field(request, "power", 0));
    TACET_TRY(const double people, people_for_power(question, wanted, simulation));
    TACET_TRY(result["n_without_privacy"], equal_groups(question, wanted, planning::means_power_without_noise));
    question.set_people(std::vector<double>(groups, people));
  }
  TACET_TRY(const MeansPower power, planning::means_power(question, simulation));
  TACET_TRY(const double without, planning::means_power_without_noise(question));
  const auto& parts = question.release.parts;
  result.update({{"power", power.power},
                 {"standard_error", power.standard_error},
                 {"limit", power.limit},
                 {"without_privacy", without},
                 {"n", people_json(question)},
                 {"alpha", question.alpha},
                 {"draws", simulation.draws},
                 {"seed", simulation.seed},
                 {"membership", name(plan.membership)},
                 {"neighbours", name(plan.relation.kind())},
                 {"columns", columns_json(question)},
                 {"noise",
                  {{"family", name(question.release.mechanism)},
                   {"people", parts[0].people.scale},
                   {"sums", scales_of(parts[0].sums)},
                   {"products", scales_of(parts[0].products)}}}});
  TACET_CHECK(write_curves(request, context, question, simulation, result));
  return result;
}

std::string times(double probability) { return fmt::format("{:.0f} times in 100", 100 * probability); }

std::string groups_words(const Json& result) {
  const std::string first = report::readable(result.at("n")[0].get<double>());
  if (result.at("wanted").get<bool>()) {
    return fmt::format("{} people are needed in each group, and {} without privacy. Then", first,
                       report::readable(result.at("n_without_privacy").get<double>()));
  }
  const Json& people = result.at("n");
  const bool alike = std::all_of(people.begin(), people.end(), [&people](const Json& one) { return one == people.front(); });
  if (alike) return fmt::format("{} groups of {} people:", people.size() == 2 ? "Two" : fmt::format("{}", people.size()), first);
  std::string out = "Groups of " + first;
  for (std::size_t g = 1; g < people.size(); ++g)
    out += (g + 1 == people.size() ? " and " : ", ") + report::readable(people[g].get<double>());
  return out + " people:";
}

/// One line for each column, or for all of them where they are alike.
std::string columns_table(const Json& columns) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& column : columns) {
    rows.push_back({report::printable(column.at("name").get<std::string>()), fmt::format("{:.4g}", column.at("difference").get<double>()),
                    fmt::format("{:.3g}", column.at("sampling_sd").get<double>()),
                    fmt::format("{:.3g}", column.at("noise_sd").get<double>())});
  }
  const auto like_the_first = [&rows](const auto& row) { return std::equal(row.begin() + 1, row.end(), rows.front().begin() + 1); };
  if (rows.size() > 1 && std::all_of(rows.begin(), rows.end(), like_the_first)) {
    rows.front().front() = fmt::format("each of {}", rows.size());
    rows.resize(1);
  }
  report::TextTable table({"column", "difference", "sampling (sd)", "noise (sd)"});
  for (std::vector<std::string>& row : rows) table.add(std::move(row));
  return table.render();
}

std::string words(const Json& result) {
  const auto number = [&result](const char* field) { return result.at(field).get<double>(); };
  std::string out = fmt::format("{} the difference is found {} at level {:.4g}; without privacy {}.\n", groups_words(result),
                                times(number("power")), number("alpha"), times(number("without_privacy")));
  out += columns_table(result.at("columns"));
  out += fmt::format("Power {:.4f} (standard error {:.4f}), by {} simulated releases and tests; the law for large n says {:.4f}.\n",
                     number("power"), number("standard_error"), report::readable(number("draws")), number("limit"));
  constexpr double kNotable = 0.05;
  if (number("limit") - number("power") > kNotable + 3 * number("standard_error"))
    out += "That law does not know that noise hides how the rows vary, or that the groups are small.\n";
  out += fmt::format("Noise: {}, as of tacet release covariance --group-by COLUMN --membership {} --for two-sample.\n",
                     result.at("noise").at("family").get<std::string>(), result.at("membership").get<std::string>());
  return out + "No data was read, and nothing was spent.\n" + written_words(result);
}

/// What both verbs take.
std::vector<Field> plan_fields(const std::string& which) {
  std::vector<Field> fields = {
      {"schema", "S", "take the bounds of --columns from this schema file"},
      {"columns", "a,b", "the numeric columns; without a schema, their names or how many they are", FieldKind::List},
      {"lower", "a,b", "without a schema: the lower bound of each column, or of all", FieldKind::Numbers},
      {"upper", "a,b", "without a schema: the upper bound of each column, or of all", FieldKind::Numbers},
      {"difference", "a,b", which + ", which is to be found, in each column or all", FieldKind::Numbers, true},
      {"sd", "a,b", "the supposed standard deviation of each column within a group, or of all", FieldKind::Numbers},
      {"correlation", "R", "with --sd: the correlation of every two columns; 0 if not given", FieldKind::Number},
      {"covariance", "FILE", "in place of --sd: the supposed covariance of a row, a JSON matrix"},
      {"mean", "a,b", "the average of the means of the groups; the middle of the bounds if not given", FieldKind::Numbers},
      {"n", "N", "the number of people in each group; N,M,... for groups of these sizes", FieldKind::Numbers},
      {"power", "P", "in place of --n: the power that is wanted, with as many people in each group", FieldKind::Number},
      {"membership", "M", "who is in which group: public (known and fixed) or private (the default)"},
      {"mechanism", "M", "gaussian, laplace, k-norm or k-norm+laplace; if not given, what suits the test"},
      {"alpha", "A", "the level of the test; 0.05 if not given", FieldKind::Number},
      {"draws", "B", "releases to simulate, with their tests; 1000 if not given", FieldKind::Number},
      {"seed", "S", "where the simulation starts; 1 if not given", FieldKind::Number},
      {"csv", "FILE", "write the power from a twentieth of these people to twenty times as many"},
      {"html", "FILE", "the same as a picture: one page that needs no network"}};
  for (Field& field : currency_fields("what the release will spend")) fields.push_back(std::move(field));
  return fields;
}

}  // namespace

Verb plan_two_sample_verb() {
  return {
      "plan two-sample",
      "How often a noisy two-sample test will find a difference of means, or the people that a wanted power needs",
      "tacet plan two-sample --schema patients.toml --columns ldl,hdl --sd 35,15 --difference 4,-2 --n 2000 --membership public --rho 0.02",
      plan_fields("the difference of the means"),
      run,
      words};
}

Verb plan_k_sample_verb() {
  std::vector<Field> fields = plan_fields("the difference of the mean of one group, the last, from that of all others");
  fields.insert(fields.begin(), {"groups", "K", "how many groups there are", FieldKind::Number, true});
  return {"plan k-sample",
          "How often a noisy comparison of several means will find one group that differs, or the people that a wanted power needs",
          "tacet plan k-sample --groups 4 --columns 2 --lower 0 --upper 200 --sd 30 --difference 3 --n 2000 --membership public --rho 0.05",
          std::move(fields),
          run,
          words};
}

}  // namespace tacet::service
