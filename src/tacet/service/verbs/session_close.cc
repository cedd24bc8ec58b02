#include "tacet/service/all_verbs.h"
#include "tacet/service/session/session_answer.h"

namespace tacet::service::session_close_verb {
namespace {

struct Request {
  std::string folder;
};

Result<SessionTranscript> run(const Request& request, const Context& /*context*/) { return close_session(request.folder); }

}  // namespace

Verb make() {
  return verb<Request, SessionTranscript>(
      {.name = "session close",
       .summary = "Close a session: no question can be asked any more, and what was not asked costs nothing",
       .example = "tacet session close --session looking",
       .library = LibraryFunction{"close_session", "tacet/workflow/session/session.h"},
       .request = RequestTable<Request>().required("session", &Request::folder, "DIR", "the folder of the session"),
       .answer = transcript_table(),
       .run = run,
       .words = transcript_words});
}

}  // namespace tacet::service::session_close_verb
