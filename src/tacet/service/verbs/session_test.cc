#include <utility>

#include "tacet/base/text.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/session/session_answer.h"
#include "tacet/workflow/session/session_p_value.h"

namespace tacet::service::session_test_verb {
namespace {

struct Request {
  std::string folder;
  TestRequest test;
  std::optional<double> p_value;
  std::optional<std::string> result;
};

Result<double> p_value_of(const Request& request) {
  if (request.p_value.has_value() == request.result.has_value()) {
    return Error::invalid("p-value", request.p_value ? "given twice" : "missing", "must be given by one of p-value and result",
                          "for example: p-value = 0.001");
  }
  if (request.p_value) return *request.p_value;
  TACET_TRY(const nlohmann::json result, mechanisms::read_json_file(*request.result, "result"));
  const nlohmann::json p = result.is_object() ? result.value("p_value", nlohmann::json()) : nlohmann::json();
  if (p.is_number()) return p.get<double>();
  return Error::invalid("result", in_quotes(request.result->substr(0, 200)), "must be the JSON answer of a test, with a p_value",
                        "for example: what `infer independence` prints as JSON");
}

Result<SessionTest> run(const Request& request, const Context& /*context*/) {
  TestRequest test = request.test;
  TACET_TRY(test.p_value, p_value_of(request));
  return add_test(request.folder, test);
}

std::string words(const SessionTest& test) {
  return test_words(test) +
         "The corrected p-value is valid if the test was chosen by what was told before this release, and the rows are independent.\n";
}

}  // namespace

Verb make() {
  return verb<Request, SessionTest>(
      {.name = "session test",
       .summary = "Correct the p-value of a test that was chosen by the answers of a session",
       .example = "tacet session test --session looking --release smoking.json --p-value 0.0001",
       .library = LibraryFunction{"add_test", "tacet/workflow/session/session_p_value.h"},
       .request = RequestTable<Request>()
                      .required("session", &Request::folder, "DIR", "the folder of the session")
                      .required(
                          "release", [](Request& r) -> auto& { return r.test.release; }, "FILE",
                          "the release whose test it is, from the rows of the session")
                      .field("p-value", &Request::p_value, "P", "the p-value of the test")
                      .field("result", &Request::result, "FILE", "in its place: the answer of the test as JSON")
                      .field(
                          "test", [](Request& r) -> auto& { return r.test.test; }, "NAME", "which test, for the transcript"),
       .answer = session_test_table(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::session_test_verb
