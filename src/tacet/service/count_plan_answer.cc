#include "tacet/service/count_plan_answer.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/outcome.h"
#include "tacet/report/plot.h"
#include "tacet/report/text_table.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/simulation_fields.h"

namespace tacet::service {
namespace {

constexpr std::uint64_t kMostPlanned = std::uint64_t{1} << 53;

std::string csv_of_counts(const PowerCurves& curves) {
  std::string csv = "n";
  for (const auto& curve : curves.curves) {
    csv += fmt::format(",{}", name(curve.statistic));
    if (curve.powers.front().standard_error) csv += fmt::format(",{}_standard_error", name(curve.statistic));
  }
  csv += "\n";
  for (std::size_t i = 0; i < curves.people.size(); ++i) {
    csv += fmt::format("{}", curves.people[i]);
    for (const auto& curve : curves.curves) {
      csv += fmt::format(",{}", curve.powers[i].power);
      if (const auto error = curve.powers[i].standard_error) csv += fmt::format(",{}", *error);
    }
    csv += "\n";
  }
  return csv;
}

report::LinePlot plot_of_counts(const PowerCurves& curves, const CountTestPlan& plan, const std::string& test) {
  report::LinePlot plot{
      .title = "How often the supposed deviation is found",
      .subtitle = fmt::format("{} at level {} with {} noise of scale {:.4g}; {}", test, plan.alpha, name(plan.noise.family),
                              plan.noise.scale, plan.draws ? "by simulation" : "by the limit for large n"),
      .x = {"people", true},
      .y = {"power"},
      .curves = {}};
  for (const auto& curve : curves.curves) {
    report::Curve shown{std::string(name(curve.statistic)), {}};
    for (std::size_t i = 0; i < curves.people.size(); ++i) shown.points.emplace_back(curves.people[i], curve.powers[i].power);
    plot.curves.push_back(std::move(shown));
  }
  return plot;
}

std::map<std::string, std::optional<double>> powers_of(const CountTestPlan& plan) {
  std::map<std::string, std::optional<double>> powers;
  for (const StatisticPower& one : plan.powers) powers[std::string(name(one.statistic))] = one.power;
  return powers;
}

std::string basis_words(const CountTestPlan& plan) {
  if (plan.draws) return fmt::format("From {} simulated tables under each hypothesis.", *plan.draws);
  std::string out = "By the limit for large n";
  if (plan.noise.family == kernel::NoiseFamily::Laplace) out += ", with normal noise of the variance of the Laplace noise";
  out += ".";
  if (plan.least_expected < inference::kLeastExpected) {
    out += fmt::format(" A cell is expected to hold fewer than {} people, so the limit cannot be trusted: use the method simulation.",
                       inference::kLeastExpected);
  }
  return out;
}

AnswerTable<NoiseDistribution> noise_answer() {
  return AnswerTable<NoiseDistribution>()
      .value("family", &NoiseDistribution::family, "its distribution")
      .value("scale", &NoiseDistribution::scale, "the standard deviation of Gaussian noise, the scale of Laplace noise");
}

}  // namespace

RequestTable<CountPlanFields> count_plan_table() {
  const auto options = [](auto member) { return [member](CountPlanFields& fields) -> auto& { return fields.options.*member; }; };
  return RequestTable<CountPlanFields>()
      .include(options(&CountPlanOptions::loss), privacy_table("the privacy of the table (replace-one)"))
      .field("mechanism", options(&CountPlanOptions::mechanism), "M", "by default laplace for a pure epsilon and otherwise gaussian")
      .whole("n", options(&CountPlanOptions::n), 1, kMostPlanned, "N", "the number of people")
      .field("power", options(&CountPlanOptions::power), "P", "in place of n: the power that is wanted")
      .field("alpha", options(&CountPlanOptions::alpha), "A", "the level of the test")
      .field("statistic", options(&CountPlanOptions::statistic), "S", "the test statistic")
      .field("method", options(&CountPlanOptions::method), "M", "by the limit for large n, or by tables that are drawn")
      .include(std::identity(),
               simulation_table<CountPlanFields>(options(&CountPlanOptions::simulation),
                                                 "tables to simulate under each hypothesis; by default 9,999, fewer for large tables"))
      .include(&CountPlanFields::files,
               curve_files_table("the power of each statistic from a twentieth of these people to twenty times as many"));
}

CountPlanOptions options_of(const CountPlanFields& fields) {
  CountPlanOptions options = fields.options;
  options.curves = fields.files.any();
  return options;
}

AnswerTable<CountPlanReply> count_plan_answer() {
  const AnswerTable<CountTestPlan> plan =
      AnswerTable<CountTestPlan>()
          .value("power", &CountTestPlan::power, "how often the test finds the supposed deviation")
          .value("reason", &CountTestPlan::reason, "why the power is below the level; null otherwise")
          .value("standard_error", &CountTestPlan::standard_error, "of a simulated power")
          .value("n", &CountTestPlan::n, "the number of people")
          .value("alpha", &CountTestPlan::alpha, "the level of the test")
          .value("statistic", &CountTestPlan::statistic, "the test statistic")
          .value("method", &CountTestPlan::method, "how the power was found")
          .value("draws", &CountTestPlan::draws, "the simulated tables under each hypothesis; null: none")
          .value("seed", &CountTestPlan::seed, "the seed of the simulation")
          .object("noise", &CountTestPlan::noise, noise_answer(), "the noise of each cell")
          .value("least_expected", &CountTestPlan::least_expected, "the people that the null hypothesis expects in its smallest cell")
          .value("powers", powers_of, "the power of each statistic")
          .value("wanted", &CountTestPlan::people_wanted, "whether n was found for a wanted power");
  return AnswerTable<CountPlanReply>()
      .include(&CountPlanReply::plan, plan)
      .value(
          "deviation", [](const CountPlanReply& reply) { return reply.planned.deviation; }, "what is to be found")
      .include(&CountPlanReply::files, curve_files_answer());
}

Result<CountPlanReply> count_plan_reply(CountTestPlan plan, const CurveFiles& files, PlannedTest planned) {
  if (plan.curves) {
    TACET_CHECK(write_curve_files(files, csv_of_counts(*plan.curves), plot_of_counts(*plan.curves, plan, planned.test)));
  }
  return CountPlanReply{std::move(plan), std::move(planned), files};
}

std::string count_plan_words(const CountPlanReply& reply) {
  const CountTestPlan& plan = reply.plan;
  const std::string n = report::readable(plan.n);
  std::string out = plan.people_wanted ? fmt::format("{} people are needed: ", n) : fmt::format("With {} people ", n);
  out += fmt::format("the {} statistic finds {} with probability {:.4f}{} at level {:.4g}.\nPower of each statistic:", name(plan.statistic),
                     reply.planned.deviation, plan.power,
                     plan.standard_error ? fmt::format(" (standard error {:.4f})", *plan.standard_error) : "", plan.alpha);
  std::string separator = " ";
  for (const auto& [statistic, power] : powers_of(plan)) {
    if (!power) continue;
    out += fmt::format("{}{} {:.4f}", separator, statistic, *power);
    separator = ", ";
  }
  out += ".\n";
  if (plan.reason) out += fmt::format("The power is below the level: {}.\n", *plan.reason);
  return out + fmt::format("{} No data was read, and nothing was spent.\n", basis_words(plan)) + written_words(reply.files);
}

}  // namespace tacet::service
