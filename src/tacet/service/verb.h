// tacet/service/verb.h: the list of verbs: each turns a JSON request into an answer.
//
// The command line is a thin shell over this list; a server and language bindings can be others.
//
//   const Result<Answer> shown = perform("budget show", {{"schema", "patients.toml"}}, context);
//   shown->json();     // one object with stable fields
//   shown->words();    // the short answer for people
//
// A verb is one file, service/verbs/<verb>.cc: a request table, an answer table, a call of the
// typed library (workflow/) and the words. perform() refuses a request with unknown, missing or
// mistyped fields before the verb runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/service/answer_table.h"
#include "tacet/service/json.h"
#include "tacet/service/request_table.h"
#include "tacet/workflow/context.h"

namespace tacet::service {

using tacet::Context;

/// The answer of a verb, as JSON or in words.
class Answer {
 public:
  Answer(std::string verb, std::function<Json()> json, std::function<std::string()> words, bool holds = true)
      : verb_(std::move(verb)), json_(std::move(json)), words_(std::move(words)), holds_(holds) {}

  Json json() const { return json_(); }
  /// Never empty and never an exception: if the words cannot be made, it says so, and what was
  /// done. Safe to print: control characters become "?".
  std::string words() const;
  /// False if the verb checked something that is not true.
  bool holds() const { return holds_; }

 private:
  std::string verb_;
  std::function<Json()> json_;
  std::function<std::string()> words_;
  bool holds_;
};

/// The function of the typed library that a verb calls, for its reference page.
struct LibraryFunction {
  std::string name, header;
};

struct Verb {
  std::string name;                        // one or two words: "release counts"
  std::string summary;                     // one line
  std::string example;                     // shell commands, executed by tests/cli
  std::optional<LibraryFunction> library;  // empty: the verb has no other code than its own
  bool shows_data = false;                 // its answer may have data without noise: no server offers it to analysts
  std::vector<Field> fields;
  std::vector<AnswerField> answer;
  std::function<Result<Answer>(const Json& request, const Context& context)> run;
};

/// A verb with its own types; verb() turns it into an entry of the list.
template <class Request, class Reply>
struct TypedVerb {
  std::string name, summary, example;
  std::optional<LibraryFunction> library = {};
  bool shows_data = false;
  RequestTable<Request> request;
  AnswerTable<Reply> answer;
  Result<Reply> (*run)(const Request& request, const Context& context);
  std::string (*words)(const Reply& reply);
  bool (*holds)(const Reply& reply) = nullptr;  // for a verb that checks: sets the exit code
};

template <class Request, class Reply>
Verb verb(TypedVerb<Request, Reply> typed) {
  std::vector<Field> fields = typed.request.fields();
  std::vector<AnswerField> answer = typed.answer.fields();
  auto run = [name = typed.name, request = std::move(typed.request), table = std::move(typed.answer), call = typed.run, words = typed.words,
              holds = typed.holds](const Json& json, const Context& context) -> Result<Answer> {
    TACET_TRY(const Request asked, request.read(json));
    TACET_TRY(Reply answered, call(asked, context));
    const bool held = holds == nullptr || holds(answered);
    auto reply = std::make_shared<const Reply>(std::move(answered));
    return Answer(name, [reply, table] { return table.write(*reply); }, [reply, words] { return words(*reply); }, held);
  };
  return {std::move(typed.name), std::move(typed.summary), std::move(typed.example), std::move(typed.library),
          typed.shows_data,      std::move(fields),        std::move(answer),        std::move(run)};
}

/// All verbs, in the order of a first walk through the program.
const std::vector<Verb>& verbs();
const Verb* find_verb(std::string_view name);

/// Refuses a request with unknown, missing or mistyped fields. Strings may have any character but
/// NUL.
Status check_request(const Verb& verb, const Json& request);

/// Never throws: an unexpected failure is Code::Internal.
Result<Answer> perform(std::string_view name, const Json& request, const Context& context);
/// The same, for callers who need only the JSON.
Result<Json> call(std::string_view name, const Json& request, const Context& context);

}  // namespace tacet::service
