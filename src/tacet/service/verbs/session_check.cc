#include "tacet/workflow/session/session_check.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/release_answer.h"
#include "tacet/service/session/session_answer.h"

namespace tacet::service::session_check_verb {
namespace {

/// A guess as people write it.
struct GuessFields {
  SessionAsk question;
  std::optional<double> guess, tolerance;
};
struct Request {
  std::string folder;
  GuessFields one;
  std::optional<std::string> guesses, follow, answers;
  std::optional<std::uint64_t> at_most;
};

RequestTable<GuessFields> guess_table() {
  return RequestTable<GuessFields>()
      .field(
          "fraction", [](GuessFields& g) -> auto& { return g.question.fraction; }, "CONDITION",
          "the fraction of rows like these, for example: age >= 40 and smoking in (current, former)")
      .field(
          "mean-of", [](GuessFields& g) -> auto& { return g.question.mean_of; }, "EXPRESSION",
          "the mean of arithmetic on columns with bounds, for example: (age - 40) / 80 * [smoking = current]")
      .field("guess", &GuessFields::guess, "G", "what the answer may be")
      .field("tolerance", &GuessFields::tolerance, "T", "how far from it the answer over the rows may be");
}

Result<GuessRequest> guess_of(const GuessFields& fields) {
  if (!fields.guess) return Error::invalid("guess", "missing", "must be given", "for example: guess = 0.31");
  if (!fields.tolerance) return Error::invalid("tolerance", "missing", "must be given", "for example: tolerance = 0.02");
  return GuessRequest{fields.question, *fields.guess, *fields.tolerance};
}

/// An object with the fields of a guess and no others.
Result<GuessRequest> guess_from(const Json& json) {
  if (!json.is_object()) {
    return Error::invalid("guesses", "something else", "must be objects with guess, tolerance, and fraction or mean-of",
                          R"(for example: [{"fraction": "age >= 40", "guess": 0.31, "tolerance": 0.02}])");
  }
  const auto table = guess_table();
  for (const auto& [key, value] : json.items()) {
    const auto known = [&name = key](const Field& field) { return field.name == name; };
    const std::vector<Field> fields = table.fields();
    if (std::none_of(fields.begin(), fields.end(), known))
      return Error::invalid("guesses", in_quotes(key.substr(0, 40)), "must be fields of a guess: fraction, mean-of, guess, tolerance");
  }
  TACET_TRY(const GuessFields fields, table.read(json));
  return guess_of(fields);
}

/// Guesses and answers, line by line.
struct Lines {
  std::ifstream guesses;
  std::ofstream answers;
  std::size_t told = 0;  // answers

  void tell(const Json& line) {
    if (answers.is_open()) answers << line.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  }
  void tell(const CheckedGuess& guess) {
    tell(guess_answer_table().write(guess));
    ++told;
  }
  /// The next guess that can be read as one; nothing at the end.
  std::optional<GuessRequest> next() {
    std::string line;
    while (std::getline(guesses, line)) {
      const auto parsed = mechanisms::parse_json(line, "guesses", "a line");
      const auto guess = parsed.ok() ? guess_from(Json(*parsed)) : Result<GuessRequest>(parsed.error());
      if (guess.ok()) return *guess;
      tell({{"refused", guess.error().message()}});
    }
    return std::nullopt;
  }
};

Result<std::vector<GuessRequest>> guesses_in(const std::string& path) {
  TACET_TRY(const nlohmann::json file, mechanisms::read_json_file(path, "guesses"));
  if (!file.is_array() || file.size() > kMostGuesses)
    return Error::invalid("guesses", in_quotes(path.substr(0, 200)), fmt::format("must be a list of at most {} guesses", kMostGuesses));
  std::vector<GuessRequest> guesses;
  for (const nlohmann::json& json : file) {
    TACET_TRY(GuessRequest guess, guess_from(Json(json)));
    guesses.push_back(std::move(guess));
  }
  return guesses;
}

Result<SessionCheck> run(const Request& request, const Context& context) {
  CheckRequest asked{.guesses = {}, .more = {}, .at_most = request.at_most};
  const bool one = request.one.guess || request.one.tolerance || request.one.question.fraction || request.one.question.mean_of;
  if (static_cast<int>(one) + static_cast<int>(request.guesses.has_value()) + static_cast<int>(request.follow.has_value()) != 1) {
    return Error::invalid("guess", one ? "given twice" : "missing", "must be given by one of guess, guesses and follow",
                          "for example: fraction = \"age >= 40\" guess = 0.31 tolerance = 0.02");
  }
  const auto lines = std::make_shared<Lines>();
  if (request.answers) {
    lines->answers.open(*request.answers, std::ios::app);
    if (!lines->answers)
      return Error::of(Code::FileUnwritable, fmt::format("the file {} cannot be written", in_quotes(request.answers->substr(0, 200))));
  }
  if (one) {
    TACET_TRY(GuessRequest guess, guess_of(request.one));
    asked.guesses.push_back(std::move(guess));
  } else if (request.guesses) {
    TACET_TRY(asked.guesses, guesses_in(*request.guesses));
  } else {
    if (!asked.at_most) return Error::invalid("at-most", "missing", "must be given with follow", "for example: at-most = 100");
    lines->guesses.open(*request.follow);
    if (!lines->guesses)
      return Error::of(Code::NotFound, fmt::format("the file {} cannot be read", in_quotes(request.follow->substr(0, 200))));
    auto first = lines->next();
    if (!first) return Error::invalid("follow", in_quotes(request.follow->substr(0, 200)), "must have a guess in each line");
    asked.guesses.push_back(*std::move(first));
    asked.more = [lines](const CheckedGuess& last, const std::optional<Error>& refused) {
      if (refused) {
        lines->tell(Json{{"refused", refused->message()}});
      } else {
        lines->tell(last);
      }
      return lines->next();
    };
  }
  TACET_TRY(SessionCheck done, check_session(request.folder, asked, context));
  const std::vector<CheckedGuess>& checked = done.published.release.guesses;
  while (lines->told < checked.size()) lines->tell(checked[lines->told]);
  return done;
}

std::string words(const SessionCheck& done) {
  const SessionChecks& checks = done.published.release;
  std::string out = place_words(done.terms, done.question) + guess_words(checks);
  if (checks.ended_by_a_wrong_one()) out += "What was paid for ended with the guess that is not confirmed.\n";
  return out + charged_words(checks.header, done.published.budget, done.published.file, "") + left_words(done.left);
}

}  // namespace

Verb make() {
  return verb<Request, SessionCheck>(
      {.name = "session check",
       .summary = "Compare guesses with the data: one question of a session pays for all up to the first that is wrong",
       .example = "tacet session check --session looking --fraction \"cholesterol >= 240\" --guess 0.31 --tolerance 0.02",
       .library = LibraryFunction{"check_session", "tacet/workflow/session/session_check.h"},
       .request = RequestTable<Request>()
                      .required("session", &Request::folder, "DIR", "the folder of the session")
                      .include(&Request::one, guess_table())
                      .field("guesses", &Request::guesses, "FILE",
                             "many guesses, in place of one: a JSON list of objects with fraction or mean-of, guess and tolerance")
                      .field("follow", &Request::follow, "FILE",
                             "many guesses, a JSON object in each line; a line is read after the answer to the one before, so "
                             "/dev/stdin or a pipe serves analysts who choose a guess by the answers so far")
                      .field("answers", &Request::answers, "FILE", "adds each answer to this file at once, a JSON object in each line")
                      .whole("at-most", &Request::at_most, 1, kMostGuesses, "M",
                             "how many guesses at most; as many as there are if not given; must be given with follow"),
       .answer = AnswerTable<SessionCheck>()
                     .value(
                         "number", [](const SessionCheck& c) { return c.question.number; }, "of the question that paid, from 1")
                     .value("left", &SessionCheck::left, "how many questions may still be asked")
                     .include([](const SessionCheck& c) -> const SessionChecks& { return c.published.release; }, checks_table())
                     .value(
                         "out", [](const SessionCheck& c) { return c.published.file; }, "the file of the answers")
                     .object(
                         "budget", [](const SessionCheck& c) -> const std::optional<BudgetSummary>& { return c.published.budget; },
                         budget_table(), "the budget after the charge"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::session_check_verb
