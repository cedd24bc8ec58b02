#include "tacet/workflow/plan/plan_budget.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/workflow/amount_words.h"

namespace tacet::service::plan_budget_verb {
namespace {

struct Request {
  std::optional<double> count_within, mean_within, expected;
  std::optional<std::uint64_t> cells, n, rows, groups;
  std::optional<CountUnit> count;
  std::vector<Digits> bounds;
  std::optional<Digits> epsilon, delta;
  double confidence = 0.95;
  kernel::Relation::Kind relation = kernel::Relation::ReplaceOne;
  std::uint64_t releases = 1;
};

struct Reply {
  BudgetPlanRequest asked;
  BudgetPlan plan;
};

Status check_alone(const char* name, bool given, const char* with) {
  if (!given) return {};
  return Error::invalid(name, "given", fmt::format("goes with {}", with), "leave it out");
}

Result<MeanWish> mean_wish(const Request& request) {
  if (request.bounds.size() != 2) {
    return Error::invalid("bounds", request.bounds.empty() ? "missing" : fmt::format("{} numbers", request.bounds.size()),
                          "must be the lower and the upper bound of the column", "for example: bounds = 0,120");
  }
  if (!request.n) return Error::invalid("n", "missing", "must be given: the noise of a mean depends on it", "for example: n = 5000");
  return MeanWish{*request.mean_within, request.bounds[0], request.bounds[1], *request.n, request.expected};
}

Result<BudgetPlanRequest> plan_of(const Request& request) {
  const int wishes = int{request.count_within.has_value()} + int{request.mean_within.has_value()} + int{request.epsilon.has_value()};
  if (wishes != 1) {
    return Error::invalid(
        "wish", wishes == 0 ? "missing" : "given twice", "must be one of count-within, mean-within, and epsilon with delta",
        "for example: count-within = 20 cells = 12, or mean-within = 0.5 bounds = 0,120 n = 5000, or epsilon = 1 delta = 1e-6");
  }
  BudgetPlanRequest plan{
      .wish = CountWish{1}, .confidence = request.confidence, .relation = request.relation, .releases = request.releases};
  if (!request.count_within) TACET_CHECK(check_alone("cells", request.cells.has_value(), "count-within"));
  if (!request.mean_within) {
    TACET_CHECK(check_alone("bounds", !request.bounds.empty(), "mean-within"));
    TACET_CHECK(check_alone("n", request.n.has_value(), "mean-within"));
    TACET_CHECK(check_alone("expected", request.expected.has_value(), "mean-within"));
  }
  if (!request.rows) {
    TACET_CHECK(check_alone("groups", request.groups.has_value(), "rows"));
    TACET_CHECK(check_alone("count", request.count.has_value(), "rows"));
  } else {
    if (request.mean_within) TACET_CHECK(check_alone("count", request.count.has_value(), "count-within: a mean is of rows"));
    plan.contributions = PlannedContributions{*request.rows, request.groups, request.count.value_or(CountUnit::People)};
  }
  if (request.count_within) {
    plan.wish = CountWish{*request.count_within, request.cells.value_or(1)};
  } else if (request.mean_within) {
    TACET_TRY(plan.wish, mean_wish(request));
  } else {
    if (!request.delta) {
      return Error::invalid("delta", "missing", "must be given with epsilon: no rho and no mu keep an epsilon alone",
                            "for example: delta = 1e-6; a pure epsilon is a budget already: `budget create`");
    }
    plan.wish = PromiseWish{*request.epsilon, *request.delta};
  }
  if (request.delta) plan.delta = *request.delta;
  return plan;
}

Result<Reply> run(const Request& request, const Context& /*context*/) {
  TACET_TRY(BudgetPlanRequest asked, plan_of(request));
  TACET_TRY(BudgetPlan plan, plan_budget(asked));
  return Reply{std::move(asked), std::move(plan)};
}

std::string_view currency_name(const PlannedBudget& budget) { return name(budget.currency); }

std::string next_command(const PlannedBudget& budget) {
  return fmt::format("tacet budget create --schema SCHEMA --{} {}", currency_name(budget), budget.total.to_string());
}

/// "1.65 to 1".
std::string odds_words(double guess) {
  const double odds = guess / (1 - guess);
  if (!(odds < 1e6)) return "over 10^6 to 1";
  const double step = odds < 10 ? 100 : 1;
  return fmt::format("{:g} to 1", std::ceil(odds * step) / step);
}

/// ", where a person has at most 3 rows and counts once in a cell"; nothing where every row is
/// another person.
std::string person_words(const BudgetPlanRequest& asked) {
  if (!asked.contributions) return {};
  const auto& [rows, groups, count] = *asked.contributions;
  const auto at_most = [](std::uint64_t most, const char* what) {
    return fmt::format("at most {} {}{}", most, what, most == 1 ? "" : "s");
  };
  const std::string limit = groups ? fmt::format("{} with {} each", at_most(*groups, "group"), at_most(rows, "row")) : at_most(rows, "row");
  const bool once = count == CountUnit::People && !std::holds_alternative<MeanWish>(asked.wish);
  return fmt::format(", where a person has {}{}", limit, once ? " and counts once in a cell" : ", all of which count");
}

/// The sentence before the table, up to the verb.
std::string wish_words(const BudgetPlanRequest& asked) {
  const std::string_view relation = name(asked.relation);
  if (const auto* counts = std::get_if<CountWish>(&asked.wish)) {
    const auto cells = static_cast<double>(counts->cells);
    return fmt::format("{} within {} of the truth, with confidence {:g}, under {}",
                       counts->cells == 1 ? "One count" : fmt::format("All {} counts at once", report::readable(cells)),
                       report::readable(counts->within), asked.confidence, relation);
  }
  if (const auto* mean = std::get_if<MeanWish>(&asked.wish)) {
    return fmt::format("A mean within {} of that of the {} {}, for values from {} to {}, with confidence {:g}, under {}",
                       report::readable(mean->within), report::readable(static_cast<double>(mean->n)),
                       asked.contributions ? "rows" : "people", mean->lower.text(), mean->upper.text(), asked.confidence, relation);
  }
  const auto& promise = std::get<PromiseWish>(asked.wish);
  return fmt::format("(epsilon {}, delta {}) in all", promise.epsilon.text(), promise.delta.text());
}

std::string head_words(const BudgetPlanRequest& asked) {
  const bool promise = std::holds_alternative<PromiseWish>(asked.wish);
  const std::string releases = report::readable(static_cast<double>(asked.releases));
  const std::string shared = asked.releases == 1 ? ""
                             : promise           ? fmt::format(", shared by {} releases", releases)
                                                 : fmt::format(", in each of {} releases", releases);
  return fmt::format("{}{}{}: {}.\n", wish_words(asked), person_words(asked), shared,
                     promise ? "each of these budgets keeps it" : "one of these budgets is enough");
}

std::string words(const Reply& reply) {
  const BudgetPlan& plan = reply.plan;
  const bool promise = std::holds_alternative<PromiseWish>(reply.asked.wish);
  const bool several = reply.asked.releases > 1;
  std::vector<std::string> header = {"budget", "noise", promise ? "of a count (sd)" : "noise (sd)"};
  if (several) header.insert(header.begin() + 1, "each release");
  if (!promise) header.emplace_back("within");
  header.insert(header.end(), {"epsilon", "at delta", "even odds become"});
  report::TextTable table(header);
  for (const PlannedBudget* budget : {&plan.rho, &plan.mu, &plan.epsilon}) {
    std::vector<std::string> row = {fmt::format("{} {}", currency_name(*budget), budget->total.to_string()),
                                    std::string(name(budget->mechanism)), fmt::format("{:.4g}", budget->noise_sd)};
    if (several) row.insert(row.begin() + 1, budget->each.to_string());
    if (!promise) row.push_back(fmt::format("{:.4g}", *budget->margin));
    row.insert(row.end(),
               {short_amount(budget->epsilon, AmountIs::Spent), fmt::format("{:g}", budget->delta), odds_words(budget->guessed_right)});
    table.add(std::move(row));
  }
  std::string out = head_words(reply.asked) + table.render();
  out += fmt::format(
      "Even odds: somebody knows all other people, and holds two records of one person for equally likely. With mu {}, the better guess is "
      "then right at most {:.1f} times in 100, and 50 times without any release.\n",
      plan.mu.total.to_string(), std::ceil(1000 * plan.mu.guessed_right) / 10);
  if (plan.rho_if_gaussian) {
    out += fmt::format("A budget in rho pays for any noise; if all noise is Gaussian, rho {} keeps the promise too.\n",
                       plan.rho_if_gaussian->to_string());
  }
  if (std::holds_alternative<MeanWish>(reply.asked.wish))
    out += "Within: by its noise; for a population the sampling error comes on top.\n";
  return out + fmt::format("Next: {}\nNo data was read, and nothing was spent.\n", next_command(plan.rho));
}

double number(const Decimal& value) { return value.approximate(); }

AnswerTable<PlannedBudget> budget_fields() {
  return AnswerTable<PlannedBudget>()
      .value("currency", &PlannedBudget::currency, "rho, mu or epsilon")
      .value(
          "budget", [](const PlannedBudget& budget) { return number(budget.total); }, "the budget of all releases")
      .value(
          "each", [](const PlannedBudget& budget) { return number(budget.each); }, "what one release spends")
      .value("mechanism", &PlannedBudget::mechanism, "the noise that it is for")
      .value("noise_sd", &PlannedBudget::noise_sd, "the standard deviation of the noise of a count, or of the mean, in each release")
      .value("within", &PlannedBudget::margin, "what is reached, at most what was wished for; null for a promise")
      .value("epsilon", &PlannedBudget::epsilon, "what the budget promises, at delta")
      .value("delta", &PlannedBudget::delta, "0 for a pure epsilon")
      .value("guessed_right", &PlannedBudget::guessed_right,
             "somebody who knows all other people and holds two records of one person for equally likely guesses right with at most this "
             "probability")
      .value("next", next_command, "the command that sets this budget");
}

AnswerTable<PlannedContributions> contribution_fields() {
  return AnswerTable<PlannedContributions>()
      .value("rows", &PlannedContributions::rows, "at most so many rows of a person, in all or in each group")
      .value("groups", &PlannedContributions::groups, "in at most so many groups; null: no limit but that of rows")
      .value("count", &PlannedContributions::count, "what a table counts");
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "plan budget",
       .summary = "How much rho, mu or epsilon a wish needs: counts or a mean within so much, or (epsilon, delta) in all",
       .example = "tacet plan budget --count-within 20 --cells 12",
       .library = LibraryFunction{"plan_budget", "tacet/workflow/plan/plan_budget.h"},
       .request =
           RequestTable<Request>()
               .field("count-within", &Request::count_within, "W", "every count within W people of the truth")
               .field("cells", &Request::cells, "C", "with count-within: so many counts, all at once; 1 if not given")
               .field("mean-within", &Request::mean_within, "W", "the mean of a column within W of that of the people in the file")
               .field("bounds", &Request::bounds, "L,U", "with mean-within: the declared bounds of the column")
               .field("n", &Request::n, "N", "with mean-within: the number of people, or of rows where a person may have several")
               .field("expected", &Request::expected, "M",
                      "with mean-within under add-or-remove-one, or with rows: where the mean is; anywhere between the bounds if not given")
               .field("epsilon", &Request::epsilon, "E", "with delta: all releases together are (E, D)-differentially private")
               .field("delta", &Request::delta, "D", "with epsilon; otherwise the delta at which an epsilon is told, 1e-6 if not given")
               .field("confidence", &Request::confidence, "C", "of an accuracy, in each release")
               .field("relation", &Request::relation, "RELATION", "who neighbours are")
               .field("rows", &Request::rows, "R",
                      "where a person may have several rows: at most so many count, in all or in each group; every row is another person "
                      "if not given")
               .field("groups", &Request::groups, "G", "with rows: in at most so many groups, which are the cells of a table")
               .field("count", &Request::count, "WHAT", "with rows: counts of people, each once in a cell, or of rows; people if not given")
               .field("releases", &Request::releases, "K", "so many releases, each as accurate, or with a share of the promise"),
       .answer = AnswerTable<Reply>()
                     .value(
                         "rho", [](const Reply& reply) { return number(reply.plan.rho.total); }, "the budget in rho, with Gaussian noise")
                     .value(
                         "mu", [](const Reply& reply) { return number(reply.plan.mu.total); }, "the budget in mu, with Gaussian noise")
                     .value(
                         "epsilon", [](const Reply& reply) { return number(reply.plan.epsilon.total); },
                         "the budget in epsilon, with Laplace noise")
                     .value(
                         "rho_if_gaussian",
                         [](const Reply& reply) {
                           const auto& rho = reply.plan.rho_if_gaussian;
                           return rho ? std::optional(number(*rho)) : std::nullopt;
                         },
                         "of a promise: the rho that keeps it if all noise is Gaussian")
                     .unless_null()
                     .list(
                         "budgets",
                         [](const Reply& reply) { return std::vector<PlannedBudget>{reply.plan.rho, reply.plan.mu, reply.plan.epsilon}; },
                         budget_fields(), "the same, with shares and meaning")
                     .value(
                         "releases", [](const Reply& reply) { return reply.asked.releases; }, "how many releases share each budget")
                     .value(
                         "relation", [](const Reply& reply) { return reply.asked.relation; }, "who neighbours are")
                     .object(
                         "contributions", [](const Reply& reply) { return reply.asked.contributions; }, contribution_fields(),
                         "the rows of a person that count; null where every row is another person")
                     .value(
                         "confidence", [](const Reply& reply) { return reply.asked.confidence; }, "of an accuracy"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::plan_budget_verb
