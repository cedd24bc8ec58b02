#include "tacet/workflow/session/session_terms.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/kernel/ledger/record.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/workflow/session/session_json.h"

namespace tacet {
namespace {

using nlohmann::json;

Error edited(const std::string& folder) {
  return Error::invalid("session", in_quotes(folder.substr(0, 200)), "must have the session.json that `session open` wrote",
                        "open another session; what was asked in this one is in the history of the budget");
}

AskedFor asked_for(const json& statement) {
  const json by = statement.value("by", json());
  const auto known = named<AskedFor>("by", by.is_string() ? by.get<std::string>() : std::string());
  return known ? *known : AskedFor::Expression;
}

/// Is this the charge of a question of the session, at the price of the session?
bool is_question(const SessionTerms& terms, const kernel::Entry& entry, const json& statement) {
  const auto* const loss = entry.loss ? std::get_if<privacy::GaussianLoss>(&*entry.loss) : nullptr;
  return statement.is_object() && statement.value("session", json()) == statement_json(terms.promise()) && loss != nullptr &&
         (!statement.contains("of") || statement.at("of").is_string()) && loss->mu_squared == terms.each + terms.each;
}

}  // namespace

std::string SessionTerms::answer_file(std::uint64_t number) const { return file(fmt::format("answer-{:04}.json", number)); }

json statement_json(const SessionPromise& promise) {
  return {{"id", promise.id}, {"queries", promise.queries}, {"beta", promise.beta}, {"rho", promise.rho.to_string()}};
}

json session_json(const SessionTerms& terms) {
  return {{"tacet_session", 1},           {"ledger", terms.ledger},
          {"dataset", terms.dataset},     {"data", terms.data ? json(*terms.data) : json()},
          {"queries", terms.queries},     {"beta", terms.beta},
          {"rho", terms.rho.to_string()}, {"each", terms.each.to_string()},
          {"after", terms.after},         {"fresh", terms.fresh},
          {"nonce", terms.nonce}};
}

std::string session_id(const SessionTerms& terms) { return kernel::hash_hex(session_json(terms).dump()).substr(0, 32); }

Result<SessionTerms> read_session(const std::string& folder) {
  auto text = mechanisms::read_text_file(folder + "/session.json", "session");
  if (!text.ok()) {
    return Error::of(Code::NotFound, fmt::format("there is no session in {}", in_quotes(folder.substr(0, 200))),
                     "check the name, or open one: `session open`");
  }
  const auto parsed = mechanisms::parse_json(*text, "session", "text");
  if (!parsed.ok()) return edited(folder);
  const json& file = *parsed;
  SessionTerms terms{};
  terms.folder = folder;
  try {
    terms.id = file.at("id").get<std::string>();
    terms.ledger = file.at("ledger").get<std::string>();
    terms.dataset = file.at("dataset").get<std::string>();
    if (!file.at("data").is_null()) terms.data = file.at("data").get<std::string>();
    terms.queries = file.at("queries").get<std::uint64_t>();
    terms.beta = file.at("beta").get<double>();
    const auto rho = Decimal::parse(file.at("rho").get<std::string>()), each = Decimal::parse(file.at("each").get<std::string>());
    if (!rho.ok() || !each.ok()) return edited(folder);
    terms.rho = *rho;
    terms.each = *each;
    terms.after = file.at("after").get<std::uint64_t>();
    terms.fresh = file.at("fresh").get<bool>();
    terms.nonce = file.at("nonce").get<std::string>();
  } catch (const json::exception&) {
    return edited(folder);
  }
  if (terms.id != session_id(terms)) return edited(folder);
  return terms;
}

bool is_closed(const SessionTerms& terms) {
  std::error_code failed;
  return std::filesystem::exists(terms.file("closed.json"), failed);
}

Result<SessionHistory> session_history(const SessionTerms& terms, const kernel::Custody& ledger) {
  TACET_TRY(const kernel::BudgetState state, ledger.show(terms.dataset));
  SessionHistory history{.questions = {}, .currency = state.terms.budget.currency, .total = state.filter.limit().first};
  TACET_CHECK(read_on(history, terms, ledger));
  return history;
}

Status read_on(SessionHistory& history, const SessionTerms& terms, const kernel::Custody& ledger) {
  TACET_TRY(const std::vector<kernel::Entry>* const entries, ledger.entries(terms.dataset));
  for (; history.read < entries->size(); ++history.read) {
    const kernel::Entry& entry = (*entries)[history.read];
    const auto number = static_cast<std::uint64_t>(entry.number);
    if (number <= terms.after) {
      if (terms.fresh && entry.kind == kernel::EntryKind::Charge) return edited(terms.folder);
      continue;
    }
    if (entry.kind == kernel::EntryKind::Amendment) history.amended = true;
    if (entry.kind != kernel::EntryKind::Charge) continue;
    const auto parsed = mechanisms::parse_json(entry.statement, "statement", "in the ledger");
    if (!parsed.ok() || !is_question(terms, entry, *parsed)) {
      history.alone = false;
      continue;
    }
    history.questions.push_back({.number = history.questions.size() + 1,
                                 .entry = number,
                                 .time = entry.time,
                                 .analyst = entry.analyst,
                                 .by = asked_for(*parsed),
                                 .text = parsed->value("of", std::string()),
                                 .entry_hash = entry.entry_hash,
                                 .release_hash = {},
                                 .alone = history.alone});
  }
  // The hash of a file comes after its question.
  for (SessionQuestion& question : history.questions) {
    const std::string& hash = (*entries)[question.entry - 1].release_hash;
    if (!question.release_hash && !hash.empty()) question.release_hash = hash;
  }
  return {};
}

}  // namespace tacet
