#include <string>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/independence_answer.h"

namespace tacet::service::infer_independence_verb {
namespace {

struct Request {
  std::string release;
  IndependenceOptions options;
};
using Reply = IndependenceTest;

Result<Reply> run(const Request& request, const Context& context) {
  context.tell("reading the release");
  TACET_TRY(const TestedTable release, (read_release_as<CountRelease, LocalRelease, DenoisedRelease>(request.release)));
  return test_independence(release, request.options, context);
}

std::string words(const Reply& reply) {
  if (!reply.rows || !reply.columns)
    return count_test_words(reply, {.null = "independence", .rejected = "Rows and columns depend on each other"});
  const std::string rows = report::printable(*reply.rows);
  const std::string columns = report::printable(*reply.columns);
  return count_test_words(reply, {.null = fmt::format("independence of {} and {}", rows, columns),
                                  .rejected = fmt::format("{} and {} depend on each other", rows, columns)});
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "infer independence",
       .summary = "Test whether two variables of a release are independent, knowing the noise",
       .example = "tacet infer independence --release imported.json --alpha 0.05",
       .library = LibraryFunction{"test_independence", "tacet/workflow/infer/independence.h"},
       .request = RequestTable<Request>()
                      .required("release", &Request::release, "FILE", "a release file with counts of two variables, or with local reports")
                      .include(&Request::options, independence_table()),
       .answer = independence_answer(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_independence_verb
