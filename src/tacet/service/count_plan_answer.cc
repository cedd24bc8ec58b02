#include "tacet/service/count_plan_answer.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/counts/gof_simulation.h"
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

std::string noise_words(const CountTestPlan& plan) {
  if (plan.noise) return fmt::format("{} noise of scale {:.4g}", name(plan.noise->family), plan.noise->scale);
  const bool noisy = plan.randomizer->kind == LocalKind::Gaussian || plan.randomizer->kind == LocalKind::Laplace;
  return fmt::format("reports of the kind {}, {} {:.4g}", name(plan.randomizer->kind), noisy ? "scale" : "epsilon",
                     plan.randomizer->parameter);
}

report::LinePlot plot_of_counts(const PowerCurves& curves, const CountTestPlan& plan, const std::string& test) {
  report::LinePlot plot{.title = "How often the supposed deviation is found",
                        .subtitle = fmt::format("{} at level {} with {}; {}", test, plan.alpha, noise_words(plan),
                                                plan.draws ? "by simulation" : "by the limit for large n"),
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

std::map<std::string, std::optional<double>> variances_of(const CountTestPlan& plan) {
  std::map<std::string, std::optional<double>> variances;
  for (const StatisticPower& one : plan.powers) variances[std::string(name(one.statistic))] = one.variance;
  return variances;
}

std::optional<std::map<std::string, std::optional<double>>> randomizer_powers(const CountTestPlan& plan) {
  if (plan.randomizers.empty()) return std::nullopt;
  std::map<std::string, std::optional<double>> powers;
  for (const RandomizerPower& one : plan.randomizers) powers[std::string(name(one.kind))] = one.power;
  return powers;
}

std::string basis_words(const CountTestPlan& plan) {
  if (plan.draws)
    return fmt::format("From {} simulated {} under each hypothesis.", *plan.draws, plan.noise ? "tables" : "collections of reports");
  std::string out = "By the limit for large n";
  if (plan.noise && plan.noise->family == kernel::NoiseFamily::Laplace) out += ", with normal noise of the variance of the Laplace noise";
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

AnswerTable<LocalRandomizer> randomizer_answer() {
  return AnswerTable<LocalRandomizer>()
      .value("kind", &LocalRandomizer::kind, "its kind")
      .value("parameter", &LocalRandomizer::parameter, "the epsilon of exp and flip, the scale of the noise of gaussian and laplace");
}

/// What else a plan says, a line each.
std::string more_words(const CountTestPlan& plan) {
  std::string out;
  if (inference::denoises({.shrink = plan.shrink, .project = plan.project})) {
    out += fmt::format(
        "The classical statistic is that of denoised tables (shrink {}, project {}); the others are of the tables as released.\n",
        name(plan.shrink), name(plan.project));
  }
  if (const auto powers = randomizer_powers(plan)) {
    out += "Power by randomizer, for the same loss:";
    std::string separator = " ";
    for (const auto& [kind, power] : *powers) {
      if (!power) continue;
      out += fmt::format("{}{} {:.4f}", separator, kind, *power);
      separator = ", ";
    }
    out += ".\n";
    if (plan.randomizer->kind == LocalKind::Exp) out += "Reports of the kind exp keep their total, so all three statistics coincide.\n";
  }
  if (plan.naive_level && *plan.naive_level > 1.1 * plan.alpha) {
    out += fmt::format(
        "Pearson's test of the noisy table, which forgets the noise, would reject a true null hypothesis with probability {:.4f}.\n",
        *plan.naive_level);
  }
  return out;
}

}  // namespace

RequestTable<CountPlanFields> denoised_plan_table() {
  const auto options = [](auto member) { return [member](CountPlanFields& fields) -> auto& { return fields.options.*member; }; };
  return RequestTable<CountPlanFields>()
      .field("shrink", options(&CountPlanOptions::shrink), "S",
             "plan for denoised tables, as in infer estimate, and the classical statistic of them; by simulation")
      .field("project", options(&CountPlanOptions::project), "P", "the same: none, nonnegative or simplex");
}

RequestTable<CountPlanFields> count_plan_table(CountPlanFor what) {
  const auto options = [](auto member) { return [member](CountPlanFields& fields) -> auto& { return fields.options.*member; }; };
  RequestTable<CountPlanFields> table;
  if (what == CountPlanFor::TablesAndReports) {
    table.field("local", options(&CountPlanOptions::local), "KIND",
                "no table: people randomise their own reports in this way, and the privacy is that of each report");
  }
  return table.include(options(&CountPlanOptions::loss), privacy_table("the privacy of the table (replace-one)"))
      .field("mechanism", options(&CountPlanOptions::mechanism), "M", "by default laplace for a pure epsilon and otherwise gaussian")
      .whole("n", options(&CountPlanOptions::n), 1, kMostPlanned, "N", "the number of people")
      .field("power", options(&CountPlanOptions::power), "P", "in place of n: the power that is wanted")
      .field("alpha", options(&CountPlanOptions::alpha), "A", "the level of the test")
      .field("statistic", options(&CountPlanOptions::statistic), "S",
             "the test statistic; projected if not given, classical for denoised tables and for reports of the kind exp")
      .field("method", options(&CountPlanOptions::method), "M",
             "by the limit for large n, or by tables that are drawn; asymptotic if not given, simulation for denoised tables")
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
          .object("noise", &CountTestPlan::noise, noise_answer(), "the noise of each cell; null for local reports")
          .object("randomizer", &CountTestPlan::randomizer, randomizer_answer(), "how each report is randomised; null for tables")
          .value("least_expected", &CountTestPlan::least_expected, "the people that the null hypothesis expects in its smallest cell")
          .value("powers", powers_of, "the power of each statistic")
          .value("variances", variances_of, "of goodness of fit: the variance of each statistic under the alternative, for large n")
          .value("naive_level", &CountTestPlan::naive_level,
                 "of goodness of fit: how often a test that forgets the noise rejects a true null hypothesis")
          .value("randomizers", randomizer_powers,
                 "of local reports: the power by each randomizer that can keep the same loss; null for tables")
          .value("shrink", &CountTestPlan::shrink, "how tables are shrunk first, for the classical statistic")
          .value("project", &CountTestPlan::project, "where they are moved first")
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
  out += ".\n" + more_words(plan);
  if (plan.reason) out += fmt::format("The power is below the level: {}.\n", *plan.reason);
  return out + fmt::format("{} No data was read, and nothing was spent.\n", basis_words(plan)) + written_words(reply.files);
}

}  // namespace tacet::service
