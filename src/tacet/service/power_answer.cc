#include "tacet/service/power_answer.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/data/counts.h"
#include "tacet/inference/outcome.h"
#include "tacet/mechanisms/counts.h"
#include "tacet/mechanisms/laplace_loss.h"
#include "tacet/report/plot.h"
#include "tacet/report/text_table.h"
#include "tacet/service/new_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using inference::GofStatistic;
using inference::Simulation;
using mechanisms::CountMechanism;
using planning::PlannedPower;

Result<std::optional<Simulation>> simulation_of(const Json& request, const Context& context) {
  const std::string method = text_field(request, "method").value_or("asymptotic");
  if (method != "asymptotic" && method != "simulation") {
    return Error::invalid("method", method.substr(0, 40), "must be asymptotic (the laws for large n) or simulation");
  }
  if (method == "asymptotic") return std::optional<Simulation>();
  TACET_TRY(Simulation simulation, simulation_fields(request, context, Simulation{}.draws, "simulating tables"));
  return std::optional(std::move(simulation));
}

std::string csv_of(const planning::PowerCurves& curves, bool simulated) {
  std::string csv = "n";
  for (const auto& curve : curves.curves) {
    csv += fmt::format(",{}", name(curve.statistic));
    if (simulated) csv += fmt::format(",{}_standard_error", name(curve.statistic));
  }
  csv += "\n";
  for (std::size_t i = 0; i < curves.people.size(); ++i) {
    csv += fmt::format("{}", curves.people[i]);
    for (const auto& curve : curves.curves) {
      csv += fmt::format(",{}", curve.powers[i].power);
      if (simulated) csv += fmt::format(",{}", curve.powers[i].standard_error);
    }
    csv += "\n";
  }
  return csv;
}

report::LinePlot plot_of(const planning::PowerCurves& curves, const PowerQuestion& question, bool simulated) {
  report::LinePlot plot{
      .title = "How often the supposed deviation is found",
      .subtitle = fmt::format("{} at level {} with {} noise of scale {:.4g}; {}", question.test, question.plan.alpha,
                              name(question.noise.family), question.noise.scale, simulated ? "by simulation" : "by the laws for large n"),
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

/// Power curves in files, where wanted.
Status write_curves(const Json& request, const PowerQuestion& question, double n, const std::optional<Simulation>& simulation,
                    Json& result) {
  if (!request.contains("csv") && !request.contains("html")) return {};
  TACET_TRY(const planning::PowerCurves curves, planning::power_curves(question.plan, n, simulation));
  return write_curve_files(request, csv_of(curves, simulation.has_value()), plot_of(curves, question, simulation.has_value()), result);
}

std::string basis_words(const Json& result) {
  if (result.at("method") == "simulation")
    return fmt::format("By {} simulated tables of each truth.", result.at("draws").get<std::size_t>());
  std::string out = "By the laws for large n";
  if (result.at("noise").at("family") == "laplace") out += ", with normal noise of the variance of the Laplace noise";
  out += ".";
  if (result.at("least_expected").get<double>() < inference::kLeastExpected)
    out += " A cell is expected to hold fewer than 5 people, where these laws are not to be trusted: --method simulation.";
  return out;
}

}  // namespace

Status check_n_or_power(const Json& request) {
  if (request.contains("n") != request.contains("power")) return {};
  return Error::invalid("n", request.contains("n") ? "given with a wanted power" : "missing",
                        "must be given where power is asked for, and left out where people are",
                        "for example: --n 1000 for the power, or --power 0.8 for the people");
}

Result<Simulation> simulation_fields(const Json& request, const Context& context, std::size_t usual, const std::string& doing) {
  Simulation simulation{.draws = usual};
  if (const auto seed = number_field(request, "seed")) {
    TACET_TRY(simulation.seed, whole_number("seed", *seed, 0, std::uint64_t{1} << 53));
  }
  if (const auto draws = number_field(request, "draws")) {
    TACET_TRY(simulation.draws, whole_number("draws", *draws, 1, inference::kMostDraws));
  }
  simulation.progress = [&context, doing](double fraction) { context.tell(doing, fraction); };
  return simulation;
}

Status write_curve_files(const Json& request, const std::string& csv, const report::LinePlot& plot, Json& result) {
  std::vector<std::pair<NewFile, std::string>> files;
  for (const std::string field : {"csv", "html"}) {
    const auto path = text_field(request, field);
    if (!path) continue;
    std::string text = csv;
    if (field == "html") {
      TACET_TRY(text, report::to_html(plot));
    }
    result[field] = *path;
    TACET_TRY(NewFile file, NewFile::reserve(*path, text.size()));
    files.emplace_back(std::move(file), std::move(text));
  }
  for (auto& [file, text] : files) TACET_CHECK(file.publish(text));
  return {};
}

std::string written_words(const Json& result) {
  std::string out;
  for (const char* field : {"csv", "html"}) {
    if (result.contains(field)) out += fmt::format("Wrote {}.\n", report::shell_word(result.at(field).get<std::string>()));
  }
  return out;
}

std::vector<Field> power_fields(std::vector<Field> own) {
  for (Field& field : currency_fields("the privacy of the table (replace-one)")) own.push_back(std::move(field));
  for (const Field& field : std::vector<Field>{
           {"mechanism", "M", "gaussian, rank-deficient or laplace; if not given, laplace for a pure epsilon and else gaussian"},
           {"n", "N", "the number of people", FieldKind::Number},
           {"power", "P", "in place of --n: the power that is wanted", FieldKind::Number},
           {"alpha", "A", "the level of the test; 0.05 if not given", FieldKind::Number},
           {"statistic", "S", "projected (the default), classical or nonprojected"},
           {"method", "M", "asymptotic (the laws for large n; the default) or simulation"},
           {"draws", "B", "tables to simulate of each truth; 9999 if not given", FieldKind::Number},
           {"seed", "S", "where the simulation starts; 1 if not given", FieldKind::Number},
           {"csv", "FILE", "write the power of each statistic from a twentieth of these people to twenty times as many"},
           {"html", "FILE", "the same as a picture: one page that needs no network"}}) {
    own.push_back(field);
  }
  return own;
}

Result<mechanisms::NoiseDistribution> planned_noise(const Json& request) {
  TACET_TRY(privacy::Loss loss, loss_field(request));
  const bool pure = request.contains("epsilon") && !request.contains("delta");
  auto mechanism = pure ? CountMechanism::Laplace : CountMechanism::Gaussian;
  if (const auto text = text_field(request, "mechanism")) {
    TACET_TRY(mechanism, named<CountMechanism>("mechanism", *text, "for example: --mechanism gaussian --rho 0.125"));
  }
  const kernel::Sensitivity sensitivity = data::count_sensitivity(kernel::Relation::ReplaceOne);
  if (mechanism == CountMechanism::Laplace) {
    TACET_TRY(const privacy::Budget promise, budget_field(request));
    TACET_TRY(loss, mechanisms::laplace_loss(sensitivity, promise, promise.currency));
  }
  TACET_TRY(const kernel::NoisePlan plan, mechanisms::plan_counts(mechanism, sensitivity, loss));
  return mechanisms::NoiseDistribution{
      plan.family, plan.scale,
      mechanism == CountMechanism::RankDeficient ? mechanisms::NoiseStructure::SumZero : mechanisms::NoiseStructure::Independent};
}

Result<Json> power_json(const Json& request, const Context& context, const PowerQuestion& question) {
  TACET_CHECK(check_n_or_power(request));
  TACET_TRY(const std::optional<Simulation> simulation, simulation_of(request, context));
  auto statistic = GofStatistic::Projected;
  if (const auto text = text_field(request, "statistic")) {
    TACET_TRY(statistic, named<GofStatistic>("statistic", *text));
  }
  context.tell("computing power");
  double n = 0;
  if (const auto people = number_field(request, "n")) {
    TACET_TRY(const std::uint64_t whole, whole_number("n", *people, 1, std::uint64_t{1} << 53));
    n = static_cast<double>(whole);
  } else {
    TACET_TRY(const double wanted, level_field(request, "power", 0));
    TACET_TRY(n, planning::people_for_power(question.plan, statistic, wanted, simulation));
  }
  TACET_TRY(const PlannedPower power, question.plan.power(statistic, n, simulation));
  Json powers = Json::object();
  for (const GofStatistic other : {GofStatistic::Classical, GofStatistic::Projected, GofStatistic::Nonprojected}) {
    const auto reached = question.plan.power(other, n, simulation);
    powers[std::string(name(other))] = reached ? Json(reached->power) : Json(nullptr);
  }
  Json result = {{"power", power.power},
                 {"standard_error", simulation ? Json(power.standard_error) : Json(nullptr)},
                 {"n", n},
                 {"alpha", question.plan.alpha},
                 {"statistic", name(statistic)},
                 {"method", simulation ? "simulation" : "asymptotic"},
                 {"draws", simulation ? simulation->draws : 0},
                 {"seed", simulation ? Json(simulation->seed) : Json(nullptr)},
                 {"noise", {{"family", name(question.noise.family)}, {"scale", question.noise.scale}}},
                 {"least_expected", n * question.least},
                 {"powers", powers},
                 {"deviation", question.deviation},
                 {"wanted", request.contains("power")}};
  TACET_CHECK(write_curves(request, question, n, simulation, result));
  return result;
}

std::string power_words(const Json& result) {
  const std::string n = report::readable(result.at("n").get<double>());
  std::string out = result.at("wanted").get<bool>() ? fmt::format("{} people are needed: ", n) : fmt::format("With {} people ", n);
  const Json& error = result.at("standard_error");
  out += fmt::format("the {} statistic finds {} with probability {:.4f}{} at level {:.4g}.\nPower of each statistic:",
                     result.at("statistic").get<std::string>(), result.at("deviation").get<std::string>(), result.at("power").get<double>(),
                     error.is_null() ? "" : fmt::format(" (standard error {:.4f})", error.get<double>()), result.at("alpha").get<double>());
  std::string separator = " ";
  for (const auto& [name, power] : result.at("powers").items()) {
    if (power.is_null()) continue;
    out += fmt::format("{}{} {:.4f}", separator, name, power.get<double>());
    separator = ", ";
  }
  return out + fmt::format(".\n{} No data was read, and nothing was spent.\n", basis_words(result)) + written_words(result);
}

}  // namespace tacet::service
