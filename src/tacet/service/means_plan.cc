#include "tacet/service/means_plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/kernel/sensitive.h"
#include "tacet/report/text_table.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/simulation_fields.h"
#include "tacet/service/table_file.h"

namespace tacet::service {
namespace {

/// Names stay; a single number, without a schema, is the number of columns.
Result<std::vector<std::string>> column_names(const MeansPlanFields& fields) {
  const bool number = fields.columns.size() == 1 && fields.columns.front().find_first_not_of("0123456789") == std::string::npos;
  if (!number || fields.schema) return fields.columns;
  TACET_TRY(const std::uint64_t count, read_whole_number(fields.columns.front(), "columns", 1, kernel::kMostColumns));
  std::vector<std::string> names;
  for (std::uint64_t j = 1; j <= count; ++j) names.push_back(fmt::format("column {}", j));
  return names;
}

bool groups_are_equal(const MeansPlan& plan) {
  return std::all_of(plan.n.begin(), plan.n.end(), [&plan](double one) { return one == plan.n.front(); });
}

/// Curves count people as words do: in each group. Groups of different sizes have no such number.
double people_of(const MeansPlan& plan, const MeansPowerPoint& point) {
  return groups_are_equal(plan) ? point.n / static_cast<double>(plan.n.size()) : point.n;
}

std::string csv_of(const MeansPlan& plan) {
  std::string csv = "n,power,standard_error,limit,without_privacy\n";
  for (const MeansPowerPoint& point : plan.curve) {
    const ComparisonPower& power = point.power;
    csv += fmt::format("{},{},{},{},{}\n", people_of(plan, point), power.power, power.standard_error, power.limit, power.without_privacy);
  }
  return csv;
}

report::LinePlot plot_of(const MeansPlan& plan) {
  report::LinePlot plot{
      .title = "How often the supposed difference of means is found",
      .subtitle = fmt::format("Test of {} groups at level {} with {} noise", plan.n.size(), plan.alpha, name(plan.noise.mechanism)),
      .x = {groups_are_equal(plan) ? "people in each group" : "people in all groups", true},
      .y = {"power"},
      .curves = {{"simulated", {}}, {"distribution for large n", {}}, {"without privacy", {}}}};
  for (const MeansPowerPoint& point : plan.curve) {
    const double n = people_of(plan, point);
    plot.curves[0].points.emplace_back(n, point.power.power);
    plot.curves[1].points.emplace_back(n, point.power.limit);
    plot.curves[2].points.emplace_back(n, point.power.without_privacy);
  }
  return plot;
}

AnswerTable<ComparisonPower> power_table() {
  return AnswerTable<ComparisonPower>()
      .value("power", &ComparisonPower::power, "how often the difference is found")
      .value("standard_error", &ComparisonPower::standard_error, "of the power, which is simulated")
      .value("limit", &ComparisonPower::limit, "the power by the distribution for large n")
      .value("without_privacy", &ComparisonPower::without_privacy, "the power of the test on the rows themselves")
      .value("inconclusive", &ComparisonPower::inconclusive, "how often the simulated test is inconclusive");
}

AnswerTable<PlannedColumn> planned_column_table() {
  return AnswerTable<PlannedColumn>()
      .value("name", &PlannedColumn::name, "the column")
      .value("lower", &PlannedColumn::lower, "its lower bound")
      .value("upper", &PlannedColumn::upper, "its upper bound")
      .value("mean", &PlannedColumn::mean, "the average of the means of the groups")
      .value("sd", &PlannedColumn::sd, "the supposed standard deviation of a row")
      .value("difference", &PlannedColumn::difference, "of the means, which is to be found")
      .value("sampling_sd", &PlannedColumn::sampling_sd, "the standard deviation of the difference by sampling")
      .value("noise_sd", &PlannedColumn::noise_sd, "the standard deviation of the difference by noise");
}

AnswerTable<PlannedNoise> noise_table() {
  return AnswerTable<PlannedNoise>()
      .value("family", &PlannedNoise::mechanism, "the mechanism of the release")
      .value("people", &PlannedNoise::people, "the scale of the noise in the number of people; null: it is public")
      .value("sums", &PlannedNoise::sums, "the scale of the noise in the sum of each column")
      .value("products", &PlannedNoise::products, "the scales of the noise in the sums of products");
}

template <class T>
auto of_plan(T MeansPlan::* member) {
  return [member](const MeansPlanReply& reply) -> const T& { return reply.plan.*member; };
}

std::string times(double probability) { return fmt::format("{:.0f} times in 100", 100 * probability); }

std::string groups_words(const MeansPlan& plan) {
  const std::string first = report::readable(plan.n.front());
  if (plan.n_without_privacy) {
    return fmt::format("{} people are needed in each group, and {} without privacy. Then", first,
                       report::readable(*plan.n_without_privacy));
  }
  const std::size_t groups = plan.n.size();
  if (groups_are_equal(plan)) return fmt::format("{} groups of {} people:", groups == 2 ? "Two" : fmt::format("{}", groups), first);
  std::string out = "Groups of " + first;
  for (std::size_t g = 1; g < groups; ++g) out += (g + 1 == groups ? " and " : ", ") + report::readable(plan.n[g]);
  return out + " people:";
}

/// One line for each column, or one for all if they are equal.
std::string columns_table(const std::vector<PlannedColumn>& columns) {
  std::vector<std::vector<std::string>> rows;
  for (const PlannedColumn& column : columns) {
    rows.push_back({report::printable(column.name), fmt::format("{:.4g}", column.difference), fmt::format("{:.3g}", column.sampling_sd),
                    fmt::format("{:.3g}", column.noise_sd)});
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

}  // namespace

RequestTable<MeansPlanFields> means_plan_request(const std::string& difference) {
  const auto plan = [](MeansPlanFields& f) -> auto& { return f.plan; };
  return RequestTable<MeansPlanFields>()
      .field("schema", &MeansPlanFields::schema, "S", "take the bounds of the columns from this schema file")
      .field("columns", &MeansPlanFields::columns, "a,b", "the numeric columns; without a schema, their names or how many they are")
      .include(
          plan,
          RequestTable<MeansPlanRequest>()
              .field("lower", &MeansPlanRequest::lower, "a,b", "without a schema: the lower bound of each column, or of all")
              .field("upper", &MeansPlanRequest::upper, "a,b", "without a schema: the upper bound of each column, or of all")
              .required("difference", &MeansPlanRequest::difference, "a,b", difference + ", which is to be found, in each column or all")
              .field("sd", &MeansPlanRequest::sd, "a,b", "the supposed standard deviation of each column within a group, or of all")
              .field("correlation", &MeansPlanRequest::correlation, "R",
                     "with sd: the correlation of every two columns; uncorrelated if not given"))
      .field("covariance", &MeansPlanFields::covariance, "FILE", "in place of sd: the supposed covariance of a row, a JSON matrix")
      .include(
          plan,
          RequestTable<MeansPlanRequest>()
              .field("mean", &MeansPlanRequest::mean, "a,b",
                     "the average of the means of the groups; the middle of the bounds if not given")
              .field("n", &MeansPlanRequest::n, "N", "the number of people in each group; N,M,... for groups of these sizes")
              .field("power", &MeansPlanRequest::power, "P", "in place of n: the power that is wanted, with as many people in each group")
              .field("membership", &MeansPlanRequest::membership, "M", "who is in which group: known and fixed, or as private as the rest")
              .field("mechanism", &MeansPlanRequest::mechanism, "M", "any but ed; if not given, what suits the test")
              .field("alpha", &MeansPlanRequest::alpha, "A", "the level of the test")
              .include(std::identity(),
                       simulation_table<MeansPlanRequest>(&MeansPlanRequest::simulation, "releases to simulate, with their tests")))
      .include(&MeansPlanFields::files, curve_files_table("the power from a twentieth of these people to twenty times as many"))
      .include([](MeansPlanFields& f) -> auto& { return f.plan.loss; }, privacy_table("what the release will spend"));
}

Result<MeansPlanRequest> read_means_plan(const MeansPlanFields& fields) {
  MeansPlanRequest request = fields.plan;
  request.curve = fields.files.any();
  TACET_TRY(request.columns, column_names(fields));
  if (fields.covariance) {
    TACET_TRY(request.covariance, read_square_matrix(*fields.covariance, "covariance"));
  }
  if (fields.schema) {
    TACET_TRY(request.schema, schemas::read_schema(*fields.schema));
  }
  return request;
}

Result<MeansPlanReply> with_curve_files(MeansPlan plan, const CurveFiles& files) {
  if (files.any()) TACET_CHECK(write_curve_files(files, csv_of(plan), plot_of(plan)));
  return MeansPlanReply{std::move(plan), files};
}

AnswerTable<MeansPlanReply> means_plan_answer() {
  return AnswerTable<MeansPlanReply>()
      .include(of_plan(&MeansPlan::power), power_table())
      .value("reason", of_plan(&MeansPlan::reason), "why the power is below the level; null otherwise")
      .value("n", of_plan(&MeansPlan::n), "the people in each group")
      .value(
          "wanted", [](const MeansPlanReply& r) { return r.plan.n_without_privacy.has_value(); },
          "whether a power was wanted, and the people for it were found")
      .value("n_without_privacy", of_plan(&MeansPlan::n_without_privacy), "the people in each group that would do without noise")
      .unless_null()
      .value("alpha", of_plan(&MeansPlan::alpha), "the level of the test")
      .value("draws", of_plan(&MeansPlan::draws), "how many releases were simulated")
      .value("seed", of_plan(&MeansPlan::seed), "where the simulation started")
      .value("membership", of_plan(&MeansPlan::membership), "who is in which group: public or private")
      .value("neighbours", of_plan(&MeansPlan::neighbours), "the neighbour relation")
      .list("columns", of_plan(&MeansPlan::columns), planned_column_table(), "what was supposed of each column")
      .object("noise", of_plan(&MeansPlan::noise), noise_table(), "the noise of the release, the same in each group")
      .include(&MeansPlanReply::files, curve_files_answer());
}

std::string means_plan_words(const MeansPlanReply& reply) {
  const MeansPlan& plan = reply.plan;
  const ComparisonPower& power = plan.power;
  std::string out = fmt::format("{} the difference is found {} at level {:.4g}; without privacy {}.\n", groups_words(plan),
                                times(power.power), plan.alpha, times(power.without_privacy));
  out += columns_table(plan.columns);
  out +=
      fmt::format("Power {:.4f} (standard error {:.4f}), by {} simulated releases and tests; the distribution for large n gives {:.4f}.\n",
                  power.power, power.standard_error, report::readable(static_cast<double>(plan.draws)), power.limit);
  if (plan.reason) out += fmt::format("The power is below the level: {}.\n", *plan.reason);
  constexpr double kNotable = 0.05;
  if (power.limit - power.power > kNotable + 3 * power.standard_error)
    out += "That distribution takes the covariances as known: it ignores their noise, and their sampling error in small groups.\n";
  out += fmt::format("Noise: {}, the same as in tacet release covariance --group-by COLUMN --membership {} --for two-sample.\n",
                     name(plan.noise.mechanism), name(plan.membership));
  return out + "No data was read, and nothing was spent.\n" + written_words(reply.files);
}

}  // namespace tacet::service
