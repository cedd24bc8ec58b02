#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/release_answer.h"
#include "tacet/service/session/bounded_answer.h"
#include "tacet/service/session/session_answer.h"

namespace tacet::service::session_ask_verb {
namespace {

struct Request {
  std::string folder;
  SessionAsk question;
};

Result<SessionAnswer> run(const Request& request, const Context& context) { return ask_session(request.folder, request.question, context); }

std::string words(const SessionAnswer& answer) {
  const QueryRelease& release = answer.published.release;
  const PopulationInterval& all = *answer.intervals.population;
  return place_words(answer.terms, answer.question) +
         fmt::format("  {}\n  {:.6g}, noise (sd) {:.3g}\nIn the file: {:.6g} to {:.6g} with probability {:g}.\n",
                     report::printable(release.columns.front()), release.mean().front(), release.mean_sd().front(), answer.intervals.lower,
                     answer.intervals.upper, answer.intervals.confidence) +
         fmt::format("In the population: {:.6g} to {:.6g} ({:.4g} around the answer), with probability {:g} for all answers together.\n",
                     all.lower, all.upper, all.width, 1 - all.beta) +
         charged_words(release.header, answer.published.budget, answer.published.file, "") + left_words(answer.left);
}

}  // namespace

Verb make() {
  return verb<Request, SessionAnswer>(
      {.name = "session ask",
       .summary = "Ask a question of a session: a fraction of the rows, or the mean of an expression",
       .example = "tacet session ask --session looking --fraction \"cholesterol >= 240\"",
       .library = LibraryFunction{"ask_session", "tacet/workflow/session/session.h"},
       .request = RequestTable<Request>()
                      .required("session", &Request::folder, "DIR", "the folder of the session")
                      .field(
                          "fraction", [](Request& r) -> auto& { return r.question.fraction; }, "CONDITION",
                          "the fraction of rows like these, for example: age >= 40 and smoking in (current, former)")
                      .field(
                          "mean-of", [](Request& r) -> auto& { return r.question.mean_of; }, "EXPRESSION",
                          "the mean of arithmetic on columns with bounds, for example: (age - 40) / 80 * [smoking = current]"),
       .answer =
           AnswerTable<SessionAnswer>()
               .value(
                   "number", [](const SessionAnswer& a) { return a.question.number; }, "of the question, from 1")
               .value("left", &SessionAnswer::left, "how many questions may still be asked")
               .value(
                   "of", [](const SessionAnswer& a) { return a.question.text; }, "the condition or the expression")
               .value(
                   "answer", [](const SessionAnswer& a) { return a.published.release.mean().front(); }, "the noisy answer")
               .value(
                   "noise", [](const SessionAnswer& a) { return a.published.release.mean_sd().front(); },
                   "the standard deviation of its noise")
               .value(
                   "alone", [](const SessionAnswer& a) { return a.question.alone; },
                   "whether nothing but questions of the session had been released since it was opened")
               .object("intervals", &SessionAnswer::intervals, interval_table(), "where the truth is, in the file and in the population")
               .value(
                   "out", [](const SessionAnswer& a) { return a.published.file; }, "the release file")
               .object(
                   "budget", [](const SessionAnswer& a) -> const std::optional<BudgetSummary>& { return a.published.budget; },
                   budget_table(), "the budget after the charge"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::session_ask_verb
