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
  std::optional<Relation::Kind> neighbours;
  std::optional<double> l1, l2;
  bool sampled = false;
  std::optional<std::uint64_t> trials;
  std::uint64_t seed = 1;
};

enum class Supposed : std::uint8_t { Given, Even };
constexpr auto names_of(Supposed) { return std::to_array<Named<Supposed>>({{Supposed::Given, "given"}, {Supposed::Even, "even"}}); }

struct Reply {
  TableCosts costs;
  Supposed table;
  bool sampled;
  std::optional<Relation::Kind> neighbours;
  PrivacyAmount loss;
};

Status check_norms(const Request& request) {
  if (request.l1.has_value() != request.l2.has_value()) {
    return Error::invalid(request.l1 ? "l2" : "l1", "missing", "must be given with the other norm", "for example: l1 = 2 l2 = 1.5");
  }
  if (request.l1 && request.neighbours) {
    return Error::invalid("neighbours", std::string(name(*request.neighbours)), "goes without l1 and l2, which say how far a person moves",
                          "leave one of them out");
  }
  return {};
}

Result<Reply> run(const Request& request, const Context& context) {
  const bool even = request.n && request.p;
  if (request.counts ? request.n || request.p : !even) {
    return Error::invalid("table", request.counts ? "given twice" : "missing",
                          "must be counts, or both n and p for n people spread evenly over p cells",
                          "for example: counts = 75,149,28 or n = 252 p = 3");
  }
  TACET_CHECK(check_norms(request));
  TACET_TRY(const PrivacyAmount loss, required_privacy(request.loss));
  TableCostsRequest costs{
      .table = std::vector<double>(), .loss = loss, .trials = request.trials, .seed = request.seed, .sampled = request.sampled};
  std::optional<Relation::Kind> neighbours;
  if (request.l1) {
    costs.norms = StatisticNorms{*request.l1, *request.l2};
  } else {
    neighbours = request.neighbours.value_or(Relation::ReplaceOne);
    costs.neighbours = *neighbours;
  }
  if (even) {
    costs.table = EvenTable{*request.n, *request.p};
  } else {
    costs.table = *request.counts;
  }
  TACET_TRY(TableCosts found, plan_costs(costs, context));
  return Reply{std::move(found), even ? Supposed::Even : Supposed::Given, request.sampled, neighbours, loss};
}

/// "--mechanism rank-deficient, then --shrink js+ --project simplex".
std::string how(const TableWay& way) {
  std::string out = fmt::format("--mechanism {}", name(way.mechanism));
  if (way.scale) {
    switch (*way.scale) {
      case accounting::LaplaceRule::Table: out = "Laplace noise, the least scale for a table"; break;
      case accounting::LaplaceRule::OneOrTwoDimensional: out = "Laplace noise, the least scale where a person is in one cell"; break;
      case accounting::LaplaceRule::Universal: out = "Laplace noise, the scale for any statistic"; break;
    }
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

/// "mu 0.1 (rho 0.005)", or "epsilon 1".
std::string loss_words(const Reply& reply) {
  const TableCosts& costs = reply.costs;
  if (std::holds_alternative<Rho>(reply.loss) || std::holds_alternative<Mu>(reply.loss))
    return fmt::format("mu {:.6g} (rho {:.6g})", *costs.mu, *costs.rho);
  return words(reply.loss);
}

std::string neighbours_words(const Reply& reply) {
  if (!reply.neighbours) return "Neighbours are those of l1 and l2; nothing is known of their total.";
  if (*reply.neighbours == Relation::ReplaceOne) return "Neighbours replace one person.";
  return "Neighbours add or remove one person, so that the total is private.";
}

/// "Laplace noise costs less than Gaussian noise from mu 3.687 (scale for a table) ...".
std::string crossing_words(const Reply& reply) {
  const TableCosts& costs = reply.costs;
  if (costs.crossings.empty()) return "";
  const char* currency = std::holds_alternative<Rho>(reply.loss) ? "rho" : "mu";
  std::string out = "\nLaplace noise costs less than Gaussian noise";
  const char* before = " from";
  for (const CostCrossing& crossing : costs.crossings) {
    const char* scale = crossing.rule == CrossingRule::Table       ? "the scale for a table"
                        : crossing.rule == CrossingRule::Universal ? "the scale for any statistic"
                        : crossing.proven                          ? "the scale where a person changes one or two numbers"
                                                                   : "the scale of conjecture 12, which is not proven";
    out += fmt::format("{} {} {:.4g} ({})", before, currency, crossing.at, scale);
    before = ",";
  }
  return out + ".";
}

std::string supposed_words(const Reply& reply) {
  std::string out =
      reply.table == Supposed::Even
          ? "\nAn even table makes shrinkage towards the mean look better than it is; give a typical table with --counts, if you can."
          : "\nThe counts are an assumption: a past table or a guess, not the data.";
  if (reply.sampled) out += " They are expected counts: costs are averages over tables that are drawn.";
  return out;
}

std::string words_of(const Reply& reply) {
  const TableCosts& costs = reply.costs;
  const auto cells = static_cast<double>(costs.cells);
  const auto gaussian = std::find_if(costs.ways.begin(), costs.ways.end(), [](const TableCost& cost) { return cost.name == "gaussian"; });
  const bool compared = gaussian != costs.ways.end();
  std::string out = fmt::format("Expected sum of squared errors of a table with {} cells and {} people at {}, the least first:\n",
                                report::readable(cells), report::readable(costs.people), loss_words(reply));
  report::TextTable table(compared ? std::vector<std::string>{"way", "cost", "of gaussian", "per cell"}
                                   : std::vector<std::string>{"way", "cost", "per cell"});
  for (const TableCost& cost : costs.ways) {
    if (!cost.helps) continue;
    std::vector<std::string> row = {how(cost.way) + (cost.standard_error ? " *" : ""), report::readable(cost.cost)};
    if (compared) row.push_back(fmt::format("{:.1f} %", 100 * cost.cost / gaussian->cost));
    row.push_back(report::readable(std::sqrt(cost.cost / cells)));
    table.add(std::move(row));
  }
  out += table.render();
  out += "Per cell: the root of the mean squared error.";
  if (any_simulated(costs)) {
    out += reply.sampled ? " * simulated; the standard errors are in the JSON answer."
                         : fmt::format(" * simulated, {} trials; the others are exact.", costs.trials);
  }
  out += " " + neighbours_words(reply) + crossing_words(reply) + supposed_words(reply);
  return out + " No data was read, and nothing was spent.\n";
}

/// Every way is a field of its own, under its name.
std::vector<AnswerField> way_fields() {
  const Json number = Codec<double>::schema();
  std::vector<AnswerField> fields;
  for (const char* name : {"gaussian", "gaussian_nonnegative", "js0", "js", "js+"})
    fields.push_back({name, "the expected sum of squared errors of this way; left out under epsilon alone", number, false});
  for (const char* name : {"rank_deficient", "rank_deficient_nonnegative", "rank_deficient_js", "rank_deficient_js+", "rjs"})
    fields.push_back({name, "the same, for a public total; otherwise left out", number, false});
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
      .value("mu", of_costs(&TableCosts::mu), "the privacy of Gaussian noise in mu; null under epsilon alone")
      .value("rho", of_costs(&TableCosts::rho), "the same in rho")
      .value("sigma", of_costs(&TableCosts::sigma), "the standard deviation of the Gaussian noise of a cell; null under epsilon alone")
      .value("neighbours", &Reply::neighbours, "who neighbours are; null with l1 and l2")
      .value("sampled", &Reply::sampled, "whether costs are averages over tables that are drawn")
      .value("table", &Reply::table, "whether the counts were given, or people spread evenly")
      .value("trials", of_costs(&TableCosts::trials), "the trials of each simulated way")
      .value("standard_errors", standard_errors, "of the ways that were simulated, or averaged")
      .list("ranking", ranking,
            AnswerTable<TableCost>()
                .value("name", &TableCost::name, "the field of this way")
                .value("cost", &TableCost::cost, "the expected sum of squared errors")
                .value(
                    "how", [](const TableCost& cost) { return how(cost.way); }, "the options that do it"),
            "the ways that help, the least cost first")
      .list("crossings", of_costs(&TableCosts::crossings),
            AnswerTable<CostCrossing>()
                .value("rule", &CostCrossing::rule, "the theorem for the scale of Laplace noise")
                .value("proven", &CostCrossing::proven, "whether this scale is proven for this table")
                .value("at", &CostCrossing::at, "the mu, or rho, from which Laplace noise costs less"),
            "of a promise in mu or rho: where Laplace noise begins to cost less than Gaussian noise");
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "plan costs",
       .summary = "Compare the ways to publish a table of counts by their expected error, before anything is spent",
       .example = "tacet plan costs --n 4000 --p 12 --mu 0.1",
       .library = LibraryFunction{"plan_costs", "tacet/workflow/plan/plan_costs.h"},
       .request =
           RequestTable<Request>()
               .field("counts", &Request::counts, "c,...", "a table to suppose: a past one or a guess, not the data")
               .field("n", &Request::n, "N", "with p: suppose N people spread evenly, where nothing is known")
               .field("p", &Request::p, "P", "with n: the number of cells")
               .include(&Request::loss, privacy_table("the privacy of the release"))
               .field("neighbours", &Request::neighbours, "RELATION", "who neighbours are; replace-one if not given")
               .field("l1", &Request::l1, "S", "with l2, in place of neighbours: how far one person moves any statistic, in the L1 norm")
               .field("l2", &Request::l2, "S", "the same in the L2 norm")
               .field("sampled", &Request::sampled, "",
                      "the counts are expected ones: average the costs over tables of as many people that are drawn")
               .field("trials", &Request::trials, "T", "trials for what has no formula; 0 for none, 4000 or fewer if not given")
               .field("seed", &Request::seed, "S", "where the simulation starts"),
       .answer = answer_table(),
       .run = run,
       .words = words_of});
}

}  // namespace tacet::service::plan_costs_verb
