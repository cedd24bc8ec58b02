#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/privacy/parameters.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/budget_answer.h"
#include "tacet/service/place_fields.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/share_fields.h"
#include "tacet/service/terms_answer.h"
#include "tacet/workflow/custody/create_budget.h"

namespace tacet::service::budget_create_verb {
namespace {

struct Request {
  PlaceFields place;
  BudgetRequest budget;
  std::vector<std::string> shares;    // as written: in the currency of the budget
  std::optional<std::string> others;  // likewise
};

Result<CreatedBudget> run(const Request& request, const Context& context) {
  TACET_TRY(DatasetPlace place, dataset_place(request.place));
  BudgetRequest budget = request.budget;
  budget.schema = std::move(place.schema);
  budget.ledger = std::move(place.ledger);
  budget.dataset = std::move(place.dataset);
  privacy::Budget whole = odometer_budget();
  if (budget.rule != BudgetRule::Odometer) {
    TACET_TRY(const PrivacyAmount total, required_privacy(budget.total));
    TACET_TRY(whole, budget_of(total));
  }
  for (const std::string& text : request.shares) {
    TACET_TRY(AnalystShare share, parse_share(text, whole.currency));
    budget.shares.push_back(std::move(share));
  }
  if (request.others) {
    TACET_TRY(budget.others, parse_others(*request.others, whole.currency));
  }
  return create_budget(budget, context);
}

std::string words(const CreatedBudget& created) { return budget_words(created.budget) + warning_words(created.warnings); }

}  // namespace

Verb make() {
  return verb<Request, CreatedBudget>(
      {.name = "budget create",
       .summary = "Set a dataset's privacy budget, once and for all analysts together",
       .example = "tacet budget create --schema patients.toml --rho 1 --share ada=0.5 --others 0.5",
       .library = LibraryFunction{"create_budget", "tacet/workflow/custody/create_budget.h"},
       .request =
           RequestTable<Request>()
               .include(&Request::place, place_table())
               .include([](Request& r) -> auto& { return r.budget.total; }, privacy_table("the whole budget"))
               .field(
                   "rule", [](Request& r) -> auto& { return r.budget.rule; }, "RULE",
                   "how charges are counted, for ever; with epsilon and delta whitehouse is best for many small releases; odometer: "
                   "without "
                   "an amount, there is no limit, and what was given away can be read at any moment")
               .field(
                   "slack", [](Request& r) -> auto& { return r.budget.slack; }, "D",
                   "with the rule whitehouse: the part of delta that pays for it; half of delta if not given")
               .field(
                   "neighbours", [](Request& r) -> auto& { return r.budget.neighbours; }, "RELATION",
                   "without a schema: the number of people is public under replace-one (the default), and private otherwise")
               .field("share", &Request::shares, "NAME=AMOUNT,...",
                      "what an analyst may spend at most, in the budget's own terms; others then get nothing")
               .field("others", &Request::others, "AMOUNT", "where there are shares: what all analysts without one may spend together")
               .field(
                   "source", [](Request& r) -> auto& { return r.budget.source; }, "FILE",
                   "where the data is, if not the schema's; later releases read nothing else")
               .field(
                   "again", [](Request& r) -> auto& { return r.budget.again; }, "REASON",
                   "why there is a second budget for the same source, if there is one"),
       .answer = AnswerTable<CreatedBudget>()
                     .include(&CreatedBudget::budget, budget_table())
                     .value("warnings", &CreatedBudget::warnings, "warnings about settings that may be intended"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::budget_create_verb
