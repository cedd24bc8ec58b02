#include <utility>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/session/session_answer.h"
#include "tacet/workflow/new_file.h"

namespace tacet::service::session_show_verb {
namespace {

struct Request {
  std::string folder;
  std::optional<std::string> html;
};
struct Reply {
  SessionTranscript transcript;
  std::optional<std::string> html;
};

Result<Reply> run(const Request& request, const Context& /*context*/) {
  TACET_TRY(SessionTranscript transcript, show_session(request.folder));
  if (request.html) {
    const std::string page = session_page(transcript);
    TACET_TRY(NewFile file, NewFile::reserve(*request.html, page.size()));
    TACET_CHECK(file.publish(page));
  }
  return Reply{std::move(transcript), request.html};
}

std::string words(const Reply& reply) {
  return transcript_words(reply.transcript) + (reply.html ? fmt::format("Wrote {}.\n", report::shell_word(*reply.html)) : "");
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "session show",
       .summary = "The transcript of a session: every question and answer, with its interval for the population",
       .example = "tacet session show --session looking",
       .library = LibraryFunction{"show_session", "tacet/workflow/session/session.h"},
       .request = RequestTable<Request>()
                      .required("session", &Request::folder, "DIR", "the folder of the session")
                      .field("html", &Request::html, "FILE", "the transcript as one page"),
       .answer =
           AnswerTable<Reply>().include(&Reply::transcript, transcript_table()).value("html", &Reply::html, "the page that was written"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::session_show_verb
