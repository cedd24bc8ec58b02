#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/place_fields.h"
#include "tacet/workflow/session/session.h"

namespace tacet::service::session_open_verb {
namespace {

constexpr std::uint64_t kMostRows = 1'000'000'000'000'000;

struct Request {
  std::string data;
  PlaceFields place;
  SessionRequest session;
  std::optional<Digits> rho;
};

Result<Session> run(const Request& request, const Context& context) {
  TACET_TRY(DatasetPlace place, dataset_place(request.place));
  place.data = request.data;
  TACET_TRY(const Dataset dataset, Dataset::open(std::move(place), context));
  SessionRequest asked = request.session;
  if (request.rho) asked.rho = Rho{*request.rho};
  return open_session(dataset, asked);
}

std::string words(const Session& session) {
  const SessionTerms& terms = session.terms;
  std::string out = fmt::format("Opened session {} for {} questions of rho {} each; nothing is charged before a question.\n",
                                report::printable(terms.folder), terms.queries, terms.each.to_string());
  if (session.width) {
    out += fmt::format("With probability {:g} every answer will be within {:.6g} of the population, for values between 0 and 1.\n",
                       1 - terms.beta, *session.width);
  }
  if (!terms.fresh) out += "Something was released from these rows before, so widths are those of the whole budget.\n";
  return out + fmt::format("Ask: tacet session ask --session {} --fraction ...\n", report::shell_word(terms.folder));
}

}  // namespace

Verb make() {
  return verb<Request, Session>(
      {.name = "session open",
       .summary = "Open a session: so many questions, with intervals for the population that hold for all of them together",
       .example = "tacet session open --data patients.csv --schema patients.toml --session looking --queries 20 --beta 0.05 --rho 0.01",
       .library = LibraryFunction{"open_session", "tacet/workflow/session/session.h"},
       .request = RequestTable<Request>()
                      .required("data", &Request::data, "FILE", "the data: .csv, .tsv, .parquet, .duckdb")
                      .include(&Request::place, place_table())
                      .required(
                          "session", [](Request& r) -> auto& { return r.session.folder; }, "DIR", "a new folder for the session")
                      .required(
                          "queries", [](Request& r) -> auto& { return r.session.queries; }, "K", "how many questions")
                      .field(
                          "beta", [](Request& r) -> auto& { return r.session.beta; }, "B",
                          "the probability that some answer is further from the population than its width")
                      .required("rho", &Request::rho, "R", "what all questions together may cost")
                      .whole(
                          "n", [](Request& r) -> auto& { return r.session.n; }, 2, kMostRows, "N",
                          "about how many people, to know the width beforehand"),
       .answer = AnswerTable<Session>()
                     .value(
                         "session", [](const Session& s) { return s.terms.folder; }, "the folder")
                     .value(
                         "id", [](const Session& s) { return s.terms.id; }, "of the session, in the statements of its questions")
                     .value(
                         "queries", [](const Session& s) { return s.terms.queries; }, "how many questions")
                     .value(
                         "beta", [](const Session& s) { return s.terms.beta; }, "the probability that some answer is outside")
                     .value(
                         "rho", [](const Session& s) { return s.terms.rho.to_string(); }, "of all questions together")
                     .value(
                         "each", [](const Session& s) { return s.terms.each.to_string(); }, "the rho of one question")
                     .value(
                         "fresh", [](const Session& s) { return s.terms.fresh; }, "whether nothing was released from the rows before")
                     .value("width", &Session::width, "the half-width of values between 0 and 1 for n people; null without n"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::session_open_verb
