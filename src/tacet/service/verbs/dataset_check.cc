#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/schemas/schema_text.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/look_answer.h"
#include "tacet/service/place_fields.h"
#include "tacet/workflow/custody/check_dataset.h"
#include "tacet/workflow/custody/look_at_data.h"

namespace tacet::service::dataset_check_verb {
namespace {

struct Request {
  PlaceFields place;
  std::optional<std::string> data;
  bool names_only = false;
};

struct Reply {
  DatasetCheck check;
  std::optional<DataLook> look;

  std::optional<std::string> confidential() const { return look ? std::optional<std::string>(kForTheCustodian) : std::nullopt; }
};

Result<Reply> run(const Request& request, const Context& context) {
  TACET_TRY(DatasetPlace place, dataset_place(request.place, DatasetNamed::Always, schemas::Unconfirmed::Allowed));
  place.data = request.data;
  TACET_TRY(const Dataset dataset, Dataset::open(std::move(place), context));
  TACET_TRY(DatasetCheck check, check_dataset(dataset));
  if (request.names_only) return Reply{std::move(check), {}};
  Result<DataLook> look = look_at_data(dataset);
  if (look.ok()) return Reply{std::move(check), *std::move(look)};
  // Rows that are not there or cannot be read are a finding; a refusal is not.
  const Code code = look.error().code();
  if (code != Code::NotFound && code != Code::DataUnreadable) return std::move(look).error();
  const std::string& said = look.error().message();
  if (code == Code::DataUnreadable && std::find(check.findings.begin(), check.findings.end(), said) == check.findings.end())
    check.findings.push_back(said);
  return Reply{std::move(check), {}};
}

std::string agreement(const DatasetCheck& check) {
  const bool path = check.source && schemas::source_kind(*check.source) == schemas::SourceKind::Path;
  if (!check.budget) {
    return check.agrees() ? "There is no budget yet. The source has the columns that the schema declares.\n"
                          : "There is no budget yet, and the source is not as the schema declares it:\n";
  }
  if (check.agrees() && path) return "Everything agrees: the schema with the terms, the source with the schema, the ledger with its key.\n";
  if (!check.agrees()) return "";
  return fmt::format("The schema agrees with the terms, and the ledger with its key. {}\n",
                     check.source ? "The rows are in the memory of a program: their columns were not checked."
                                  : "No source is known yet: no columns were checked.");
}

std::string words(const Reply& reply) {
  std::string out = reply.look ? fmt::format("{}\n", kForTheCustodian) : "";
  out += agreement(reply.check);
  for (const std::string& finding : reply.check.findings) out += fmt::format("* {}\n", finding);
  return reply.look ? out + look_words(*reply.look) : out;
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "dataset check",
       .summary = "Look before you spend: do schema, terms and source agree, and which rows are not as declared? For the custodian alone",
       .example = "tacet dataset check --schema patients.toml --data patients.csv",
       .library = LibraryFunction{"look_at_data", "tacet/workflow/custody/look_at_data.h"},
       .shows_data = true,
       .request = RequestTable<Request>()
                      .include(&Request::place, place_table())
                      .field("data", &Request::data, "FILE", "the source, if not that of the terms")
                      .field("names-only", &Request::names_only, "",
                             "compare schema, terms and the names of columns, and read no row: anybody may"),
       .answer = AnswerTable<Reply>()
                     .value("confidential", &Reply::confidential, "that rows were looked at, and who may see it; null if none were")
                     .value(
                         "dataset", [](const Reply& reply) { return reply.check.dataset; }, "the dataset")
                     .value(
                         "ledger", [](const Reply& reply) { return reply.check.ledger; }, "the path of its ledger")
                     .value(
                         "budget", [](const Reply& reply) { return reply.check.budget; },
                         "whether it has a budget; otherwise the schema alone says what is declared")
                     .value(
                         "source", [](const Reply& reply) { return reply.check.source; }, "the file that was looked at; null without one")
                     .value(
                         "agrees", [](const Reply& reply) { return reply.check.agrees(); }, "whether there are no findings")
                     .value(
                         "findings", [](const Reply& reply) { return reply.check.findings; }, "what does not agree, in words")
                     .object("look", &Reply::look, look_table(), "what the rows hold, without noise; null if none were looked at"),
       .run = run,
       .words = words,
       .holds = [](const Reply& reply) { return reply.check.agrees(); }});
}

}  // namespace tacet::service::dataset_check_verb
