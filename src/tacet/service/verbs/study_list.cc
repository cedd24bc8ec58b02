#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/studies/study.h"

namespace tacet::service::study_list_verb {
namespace {

using studies::Study;

struct Request {};
struct Reply {
  std::vector<Study> studies;
};

Result<Reply> run(const Request& /*request*/, const Context& /*context*/) { return Reply{studies::all_studies()}; }

std::string words(const Reply& reply) {
  std::string out;
  for (const Study& study : reply.studies) out += fmt::format("  {}\n      {}; {}\n", study.name, study.title, study.paper);
  return out + "`tacet study run NAME` repeats one of them, `tacet study run all` every one.\n";
}

AnswerTable<Study> study_table() {
  return AnswerTable<Study>()
      .value("name", &Study::name, "its name")
      .value("title", &Study::title, "what it repeats, in one line")
      .value("paper", &Study::paper, "where that stands")
      .value("shows", &Study::shows, "what it shows")
      .value("version", [](const Study& study) { return static_cast<double>(study.version); }, "raised when what it computes changes");
}

}  // namespace

Verb make() {
  return verb<Request, Reply>({.name = "study list",
                               .summary = "The studies: every table and figure of the papers, and our own levels and coverage",
                               .example = "tacet study list",
                               .request = RequestTable<Request>(),
                               .answer = AnswerTable<Reply>().list("studies", &Reply::studies, study_table(),
                                                                   "in the order of the papers, and then of what Tacet itself promises"),
                               .run = run,
                               .words = words});
}

}  // namespace tacet::service::study_list_verb
