#include "tacet/workflow/plan/plan_costs.h"

#include <cmath>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/privacy_fields.h"

namespace tacet::service::plan_costs_verb {
namespace {

struct Request {
  std::optional<std::vector<double>> counts;
  std::optional<std::uint64_t> n, p;
  std::optional<PrivacyAmount> loss;
  std::optional<std::uint64_t> trials;
  std::uint64_t seed = 1;
};

enum class Supposed : std::uint8_t { Given, Even };
constexpr auto names_of(Supposed) { return std::to_array<Named<Supposed>>({{Supposed::Given, "given"}, {Supposed::Even, "even"}}); }

struct Reply {
  TableCosts costs;
  Supposed table;
};

Result<Reply> run(const Request& request, const Context& context) {
  const bool even = request.n && request.p;
  if (request.counts ? request.n || request.p : !even) {
    return Error::invalid("table", request.counts ? "given twice" : "missing",
                          "must be counts, or both n and p for n people spread evenly over p cells",
                          "for example: counts = 75,149,28 or n = 252 p = 3");
  }
  const auto* rho = std::get_if<Rho>(&*request.loss);
  TableCostsRequest costs{.table = std::vector<double>(),
                          .loss = rho != nullptr ? GaussianAmount(*rho) : GaussianAmount(std::get<Mu>(*request.loss)),
                          .trials = request.trials,
                          .seed = request.seed};
  if (even) {
    costs.table = EvenTable{*request.n, *request.p};
  } else {
    costs.table = *request.counts;
  }
  TACET_TRY(TableCosts found, plan_costs(costs, context));
  return Reply{std::move(found), even ? Supposed::Even : Supposed::Given};
}

/// "--mechanism rank-deficient, then --shrink js+ --project simplex".
std::string how(const TableWay& way) {
  std::string out = fmt::format("--mechanism {}", name(way.mechanism));
  if (way.scale) {
    out = way.scale == accounting::LaplaceRule::Table ? "Laplace noise, the least scale for a table"
                                                      : "Laplace noise, the scale for any statistic";
  }
  const char* before = ", then";
  if (way.shrink != inference::Shrinkage::None) {
    out += fmt::format("{} --shrink {}", before, name(way.shrink));
    before = "";
  }
  if (way.project != inference::Projection::None) out += fmt::format("{} --project {}", before, name(way.project));
  return out;
}

bool any_simulated(const TableCosts& costs) {
  return std::any_of(costs.ways.begin(), costs.ways.end(), [](const TableCost& cost) { return cost.standard_error.has_value(); });
}

std::string words(const Reply& reply) {
  const TableCosts& costs = reply.costs;
  const auto cells = static_cast<double>(costs.cells);
  const auto gaussian =
      std::find_if(costs.ways.begin(), costs.ways.end(), [](const TableCost& cost) { return cost.name == "gaussian"; })->cost;
  std::string out =
      fmt::format("Expected sum of squared errors of a table with {} cells and {} people at mu {:.6g} (rho {:.6g}), the least first:\n",
                  report::readable(cells), report::readable(costs.people), costs.mu, costs.rho);
  report::TextTable table({"way", "cost", "of gaussian", "per cell"});
  for (const TableCost& cost : costs.ways) {
    if (!cost.helps) continue;
    table.add({how(cost.way) + (cost.standard_error ? " *" : ""), report::readable(cost.cost),
               fmt::format("{:.1f} %", 100 * cost.cost / gaussian), report::readable(std::sqrt(cost.cost / cells))});
  }
  out += table.render();
  out += "Per cell: the root of the mean squared error.";
  if (any_simulated(costs)) out += fmt::format(" * simulated, {} trials; the others are exact.", costs.trials);
  out += reply.table == Supposed::Even
             ? "\nAn even table makes shrinkage towards the mean look better than it is; give a typical table with --counts, if you can."
             : "\nThe counts are an assumption: a past table or a guess, not the data.";
  return out + " No data was read, and nothing was spent.\n";
}

/// Every way is a field of its own, under its name.
std::vector<AnswerField> way_fields() {
  const Json number = Codec<double>::schema();
  std::vector<AnswerField> fields;
  for (const char* name : {"gaussian", "gaussian_nonnegative", "js0", "js", "js+", "rank_deficient", "rank_deficient_nonnegative",
                           "rank_deficient_js", "rank_deficient_js+", "rjs"}) {
    fields.push_back({name, "the expected sum of squared errors of this way", number});
  }
  for (const char* name : {"laplace", "laplace_nonnegative", "laplace_universal"})
    fields.push_back({name, "the same for Laplace noise; null where no scale is known", Codec<std::optional<double>>::schema()});
  for (const char* name : {"simplex", "rank_deficient_js+_simplex", "js_nonnegative", "rjs_nonnegative", "rjs_simplex"})
    fields.push_back({name, "the same, simulated; left out where it was not", number, false});
  return fields;
}

Json ways_json(const Reply& reply) {
  Json out = {{"laplace", nullptr}, {"laplace_nonnegative", nullptr}, {"laplace_universal", nullptr}};
  for (const TableCost& cost : reply.costs.ways) out[cost.name] = cost.cost;
  return out;
}

std::map<std::string, double> standard_errors(const Reply& reply) {
  std::map<std::string, double> errors;
  for (const TableCost& cost : reply.costs.ways) {
    if (cost.standard_error) errors[cost.name] = *cost.standard_error;
  }
  return errors;
}

std::vector<TableCost> ranking(const Reply& reply) {
  std::vector<TableCost> helping;
  std::copy_if(reply.costs.ways.begin(), reply.costs.ways.end(), std::back_inserter(helping),
               [](const TableCost& cost) { return cost.helps; });
  return helping;
}

template <class Member>
auto of_costs(Member TableCosts::* member) {
  return [member](const Reply& reply) { return reply.costs.*member; };
}

AnswerTable<Reply> answer_table() {
  return AnswerTable<Reply>()
      .json_object(way_fields(), ways_json)
      .value("cells", of_costs(&TableCosts::cells), "the number of cells")
      .value("n", of_costs(&TableCosts::people), "the number of people")
      .value("mu", of_costs(&TableCosts::mu), "the privacy of every way in mu")
      .value("rho", of_costs(&TableCosts::rho), "the same in rho")
      .value("sigma", of_costs(&TableCosts::sigma), "the standard deviation of the Gaussian noise of a cell")
      .value(
          "neighbours", [](const Reply&) { return kernel::Relation::ReplaceOne; }, "who neighbours are")
      .value("table", &Reply::table, "whether the counts were given, or people spread evenly")
      .value("trials", of_costs(&TableCosts::trials), "the trials of each simulated way")
      .value("standard_errors", standard_errors, "of the ways that were simulated")
      .list("ranking", ranking,
            AnswerTable<TableCost>()
                .value("name", &TableCost::name, "the field of this way")
                .value("cost", &TableCost::cost, "the expected sum of squared errors")
                .value(
                    "how", [](const TableCost& cost) { return how(cost.way); }, "the options that do it"),
            "the ways that help, the least cost first");
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "plan costs",
       .summary = "Compare the ways to publish a table of counts by their expected error, before anything is spent",
       .example = "tacet plan costs --n 4000 --p 12 --mu 0.1",
       .library = LibraryFunction{"plan_costs", "tacet/workflow/plan/plan_costs.h"},
       .request = RequestTable<Request>()
                      .field("counts", &Request::counts, "c,...", "a table to suppose: a past one or a guess, not the data")
                      .field("n", &Request::n, "N", "with p: suppose N people spread evenly, where nothing is known")
                      .field("p", &Request::p, "P", "with n: the number of cells")
                      .include(&Request::loss,
                               privacy_table_of({{"mu", "M", "the privacy of the release in mu (Gaussian privacy)", FieldKind::Number},
                                                 {"rho", "R", "the same in rho (zero-concentrated privacy)", FieldKind::Number}}))
                      .field("trials", &Request::trials, "T", "trials for what has no formula; 0 for none, 4000 or fewer if not given")
                      .field("seed", &Request::seed, "S", "where the simulation starts"),
       .answer = answer_table(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::plan_costs_verb
