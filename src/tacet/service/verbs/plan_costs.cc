#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/decimal.h"
#include "tacet/planning/table_costs.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using planning::TableCost;
using planning::TableDesign;

constexpr double kMostWhole = 0x1p53;
/// Noise values for each simulated way, where the request does not say how many trials: about a tenth of a second.
constexpr std::size_t kSimulatedCells = 2'000'000;
constexpr std::size_t kUsualTrials = 4000;

Result<privacy::GaussianLoss> loss_of(const Json& request) {
  if (request.contains("rho") == request.contains("mu")) {
    return Error::invalid("privacy", request.contains("rho") ? "given twice" : "missing", "must be exactly one of mu, rho",
                          "for example: --mu 0.5");
  }
  TACET_TRY(const privacy::Loss loss, loss_field(request));
  return std::get<privacy::GaussianLoss>(loss);
}

Result<double> number(const std::string& text, const std::string& name, const std::string& rule, const std::string& remedy) {
  const auto exact = Decimal::parse(text);
  if (!exact) return Error::invalid(name, text.substr(0, 40), rule, remedy);
  return exact->approximate();
}

Result<std::uint64_t> whole(const Json& request, const std::string& name, const std::string& remedy) {
  const std::string text = *number_field(request, name);
  constexpr const char* kRule = "must be a whole number, at least 0 and at most 2^53";
  TACET_TRY(const double value, number(text, name, kRule, remedy));
  if (!(value >= 0 && value <= kMostWhole && value == std::floor(value))) return Error::invalid(name, text.substr(0, 40), kRule, remedy);
  return static_cast<std::uint64_t>(value);
}

Result<TableDesign> design_of(const Json& request, const privacy::GaussianLoss& loss) {
  const bool even = request.contains("n") && request.contains("p");
  if (request.contains("counts") ? request.contains("n") || request.contains("p") : !even) {
    return Error::invalid("table", request.contains("counts") ? "given twice" : "missing",
                          "must be counts, or both n and p for n people spread evenly over p cells",
                          "for example: --counts 75,149,28 or --n 252 --p 3");
  }
  if (even) {
    TACET_TRY(const std::uint64_t n, whole(request, "n", "for example: --n 1000"));
    TACET_TRY(const std::uint64_t p, whole(request, "p", "for example: --p 12"));
    return TableDesign::uniform(static_cast<double>(n), p, loss);
  }
  TACET_TRY(const std::vector<std::string> items, list_field(request, "counts"));
  std::vector<double> counts;
  counts.reserve(items.size());
  for (const std::string& item : items) {
    TACET_TRY(const double count, number(item, "counts", "must be numbers from 0 to 2^53", "for example: --counts 75,149,28"));
    counts.push_back(count);
  }
  return TableDesign::of(std::move(counts), loss);
}

Result<planning::Simulation> simulation_of(const Json& request, std::size_t cells) {
  planning::Simulation simulation{std::clamp(kSimulatedCells / cells, planning::kFewestTrials, kUsualTrials), 1};
  if (request.contains("trials")) {
    TACET_TRY(simulation.trials, whole(request, "trials", "for example: --trials 4000"));
  }
  if (request.contains("seed")) {
    TACET_TRY(simulation.seed, whole(request, "seed", "for example: --seed 1"));
  }
  return simulation;
}

Result<Json> run(const Json& request, const Context& context) {
  TACET_TRY(const privacy::GaussianLoss loss, loss_of(request));
  TACET_TRY(const TableDesign design, design_of(request, loss));
  TACET_TRY(const planning::Simulation simulation, simulation_of(request, design.counts().size()));
  context.tell("computing costs");
  std::vector<TableCost> costs = planning::exact_costs(design);
  TACET_TRY(const std::vector<TableCost> laplace,
            planning::laplace_costs(design, request.contains("rho") ? privacy::Currency::Zcdp : privacy::Currency::Gdp));
  costs.insert(costs.end(), laplace.begin(), laplace.end());
  if (simulation.trials > 0) {
    context.tell("simulating");
    TACET_TRY(const std::vector<TableCost> simulated, planning::simulated_costs(design, simulation));
    costs.insert(costs.end(), simulated.begin(), simulated.end());
  }
  Json result = {{"cells", design.counts().size()},
                 {"n", design.total()},
                 {"mu", design.mu()},
                 {"rho", 1 / design.variance()},
                 {"sigma", std::sqrt(design.variance())},
                 {"neighbours", "replace-one"},
                 {"table", request.contains("counts") ? "given" : "even"},
                 {"trials", simulation.trials},
                 {"standard_errors", Json::object()},
                 {"ranking", Json::array()}};
  for (const std::string name : {"laplace", "laplace_nonnegative", "laplace_universal"}) result[name] = nullptr;
  for (const TableCost& way : costs) {
    result[way.name] = way.cost;
    if (way.standard_error) result["standard_errors"][way.name] = *way.standard_error;
  }
  std::stable_sort(costs.begin(), costs.end(), [](const TableCost& a, const TableCost& b) { return a.cost < b.cost; });
  for (const TableCost& way : costs) {
    if (way.helps) result["ranking"].push_back({{"name", way.name}, {"cost", way.cost}, {"how", way.how}});
  }
  return result;
}

std::string words(const Json& result) {
  const double gaussian = result.at("gaussian").get<double>();
  const auto cells = result.at("cells").get<double>();
  std::string out =
      fmt::format("Expected sum of squared errors of a table with {} cells and {} people at mu {:.6g} (rho {:.6g}), the least first:\n",
                  report::readable(cells), report::readable(result.at("n").get<double>()), result.at("mu").get<double>(),
                  result.at("rho").get<double>());
  report::TextTable table({"way", "cost", "of gaussian", "per cell"});
  for (const Json& way : result.at("ranking")) {
    const auto cost = way.at("cost").get<double>();
    const bool simulated = result.at("standard_errors").contains(way.at("name").get<std::string>());
    table.add({way.at("how").get<std::string>() + (simulated ? " *" : ""), report::readable(cost),
               fmt::format("{:.1f} %", 100 * cost / gaussian), report::readable(std::sqrt(cost / cells))});
  }
  out += table.render();
  out += "Per cell: the root of the mean squared error.";
  if (!result.at("standard_errors").empty()) {
    out += fmt::format(" * simulated, {} trials; the others are exact.", result.at("trials").get<std::uint64_t>());
  }
  out += result.at("table") == "even"
             ? "\nAn even table flatters shrinkage towards the mean: suppose another one with --counts, if you can."
             : "\nThe counts are taken as supposed: a past table or a guess, not the data.";
  return out + " No data was read, and nothing was spent.\n";
}

}  // namespace

Verb plan_costs_verb() {
  return {"plan costs",
          "Compare the ways to publish a table of counts by their expected error, before anything is spent",
          "tacet plan costs --n 4000 --p 12 --mu 0.1",
          {{"counts", "c,...", "a table to suppose: a past one or a guess, not the data", FieldKind::List},
           {"n", "N", "with --p: suppose N people spread evenly, where nothing is known", FieldKind::Number},
           {"p", "P", "with --n: the number of cells", FieldKind::Number},
           {"mu", "M", "the privacy of the release in mu (Gaussian privacy)", FieldKind::Number},
           {"rho", "R", "the same in rho (zero-concentrated privacy)", FieldKind::Number},
           {"trials", "T", "trials for what has no formula; 0 for none, 4000 or fewer if not given", FieldKind::Number},
           {"seed", "S", "where the simulation starts; 1 if not given", FieldKind::Number}},
          run,
          words};
}

}  // namespace tacet::service
