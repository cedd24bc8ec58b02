#include "tacet/workflow/release/import_local.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/axes_file.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/release_answer.h"
#include "tacet/service/table_file.h"
#include "tacet/service/table_words.h"

namespace tacet::service::import_local_verb {
namespace {

struct Request {
  LocalImport local;
  std::string reports, out;
  std::vector<std::string> categories;
  std::optional<std::string> axes;
};
struct Reply {
  LocalRelease release;
  PrivacyAmount each;
  std::string out;
};

/// From categories, for a list, or from a file of axes, for a table; empty where neither is given.
Result<std::vector<ReleaseAxis>> axes_of(const Request& request) {
  if (request.axes && !request.categories.empty())
    return Error::invalid("axes", "given with categories", "must be given as one of the two");
  if (request.axes) return read_axes(*request.axes);
  if (request.categories.empty()) return std::vector<ReleaseAxis>();
  TACET_CHECK(check_categories(request.categories));
  return std::vector<ReleaseAxis>{{"category", request.categories}};
}

/// A file whose name ends in .txt has one report to a line; any other is JSON.
Status read_reports(const Request& request, LocalImport& local) {
  if (!request.reports.ends_with(".txt")) {
    TACET_TRY(mechanisms::Flattened table, read_table(request.reports, "reports"));
    local.reports = std::move(table.values);
    local.shape = std::move(table.shape);
    return {};
  }
  TACET_TRY(const std::string lines, mechanisms::read_text_file(request.reports, "reports"));
  TACET_TRY(local.reports, tally_reports(lines, local.kind, request.categories, local.n));
  return {};
}

Result<Reply> run(const Request& request, const Context& /*context*/) {
  LocalImport local = request.local;
  TACET_TRY(const PrivacyAmount each, required_privacy(local.loss));
  TACET_CHECK(read_reports(request, local));
  TACET_TRY(local.axes, axes_of(request));
  local.out = request.out;
  TACET_TRY(LocalRelease release, import_local(local));
  return Reply{std::move(release), each, request.out};
}

std::string words(const Reply& reply) {
  const LocalRelease& release = reply.release;
  const std::vector<double> errors = mechanisms::standard_errors(release);
  std::string out = "Estimated true counts, and their standard errors:\n";
  out += table_words(
      release, [&](std::size_t i) { return fmt::format("{} +- {}", report::readable(release.values[i]), report::readable(errors[i])); });
  return out + fmt::format("Wrote {}: from {} reports ({}, {} each), as you declared them; Tacet cannot check how they were made.\n",
                           report::shell_word(reply.out), report::readable(release.n), name(release.randomizer.kind),
                           service::words(reply.each));
}

std::vector<AnswerField> local_answer_fields() {
  std::vector<AnswerField> own = table_answer_fields("the estimates of the true counts");
  own.push_back({"reports", "how often each category was reported, or the mean of each coordinate", {{"type", "array"}}});
  return own;
}

}  // namespace

Verb make() {
  const auto local = [](auto member) { return [member](Request& request) -> auto& { return request.local.*member; }; };
  return verb<Request, Reply>(
      {.name = "import local",
       .summary = "Make a release file from reports that people randomised themselves",
       .example = "tacet import local --reports reports.json --kind exp --epsilon 1 --n 1000 --categories "
                  "never,former,current --out local.json",
       .library = LibraryFunction{"import_local", "tacet/workflow/release/import_local.h"},
       .request = RequestTable<Request>()
                      .required("reports", &Request::reports, "F",
                                "a JSON array, nested for a table: how often each category was reported (exp), or the mean of each "
                                "coordinate; or a .txt file with one report to a line")
                      .required("kind", local(&LocalImport::kind), "K", "how people randomised")
                      .required("n", local(&LocalImport::n), "N", "the number of people who reported")
                      .required("out", &Request::out, "FILE", "the release file to write")
                      .field("categories", &Request::categories, "a,b,c", "the names of the categories, for a list")
                      .field("axes", &Request::axes, "F", "names and labels of a table, as in `tacet import table`")
                      .include(local(&LocalImport::loss), privacy_table("what each report gave away")),
       .answer = AnswerTable<Reply>()
                     .json_object(release_answer_fields(local_answer_fields()),
                                  [](const Reply& reply) { return mechanisms::to_json(reply.release); })
                     .value("out", &Reply::out, "the file that was written")
                     .value(
                         "promise", [](const Reply& reply) { return service::words(reply.each); }, "what each report gave away"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::import_local_verb
