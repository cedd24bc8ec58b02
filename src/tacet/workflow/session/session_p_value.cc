#include "tacet/workflow/session/session_p_value.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/accounting/max_information.h"
#include "tacet/base/text.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/kernel/ledger/record.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/workflow/new_file.h"
#include "tacet/workflow/session/session_rules.h"

namespace tacet {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostTests = 100'000;

std::string test_file(const SessionTerms& terms, std::uint64_t number) { return terms.file(fmt::format("test-{:04}.json", number)); }

/// The number of rows, if the release tells it.
std::optional<double> people_in(const mechanisms::Release& release) {
  const json file = mechanisms::to_json(release);
  const json n = file.value("n", json());
  return n.is_number() && n.get<double>() >= 1 ? std::optional(n.get<double>()) : std::nullopt;
}

/// The release that the ledger has an entry for: what was told before a test depends on the number
/// of that entry.
Result<mechanisms::Release> release_of_session(const SessionTerms& terms, const kernel::Custody& ledger, const std::string& path) {
  TACET_TRY(mechanisms::Release release, mechanisms::read_release(path));
  const auto& receipt = mechanisms::header_of(release).receipt;
  const std::string shown = in_quotes(path.substr(0, 200));
  if (!receipt || receipt->ledger != ledger.name() || receipt->dataset != terms.dataset) {
    return Error::of(Code::Unsupported, fmt::format("{} is not a release from the rows of the session", shown),
                     "for a look by other means: plan pvalue");
  }
  TACET_TRY(const std::vector<kernel::Entry>* const entries, ledger.entries(terms.dataset));
  const auto charge = std::find_if(entries->begin(), entries->end(), [&](const kernel::Entry& entry) {
    return entry.kind == kernel::EntryKind::Charge && entry.number == receipt->entry && entry.entry_hash == receipt->entry_hash;
  });
  TACET_TRY(const std::string text, mechanisms::read_text_file(path, "release"));
  if (charge != entries->end() && (charge->release_hash.empty() || charge->release_hash == kernel::hash_hex(text))) return release;
  return Error::of(Code::Unsupported, fmt::format("{} is not the file that was written for its entry of the ledger", shown),
                   "take the file as it was released; see which: budget verify");
}

/// The charges before an entry.
struct Told {
  std::uint64_t charges = 0;
  bool alone = true, checks = true;  // all are questions of the session; payments for checks
};
Result<Told> told_before(const SessionTerms& terms, const SessionHistory& history, const kernel::Custody& ledger, std::uint64_t entry) {
  TACET_TRY(const std::vector<kernel::Entry>* const entries, ledger.entries(terms.dataset));
  Told told;
  for (const kernel::Entry& one : *entries) {
    const auto number = static_cast<std::uint64_t>(one.number);
    if (number >= entry || one.kind != kernel::EntryKind::Charge) continue;
    ++told.charges;
    const auto own = std::find_if(history.questions.begin(), history.questions.end(),
                                  [number](const SessionQuestion& question) { return question.entry == number; });
    told.alone = told.alone && own != history.questions.end();
    told.checks = told.checks && own != history.questions.end() && own->by == AskedFor::Checks;
  }
  return told;
}

/// The least corrected p-value by any bound on what was told. All bounds were fixed beforehand, so
/// the largest of their thresholds is valid.
Result<double> corrected_by(const SessionTerms& terms, const Told& told, double n, const accounting::SelectionStep& all, double p) {
  TACET_TRY(const double corrected, accounting::corrected_p_value({.n = n, .steps = {all}}, p));
  if (!told.checks) return corrected;
  TACET_TRY(const double epsilon, epsilon_of_checks(terms));
  const accounting::Selection by_epsilon{.n = n, .steps = {accounting::PureStep{epsilon * static_cast<double>(terms.queries)}}};
  TACET_TRY(const double pure, accounting::corrected_p_value(by_epsilon, p));
  return std::min(corrected, pure);
}

/// What everything together may tell, fixed before the first release: `own` questions alone, whose
/// noise is Gaussian or charged in mu, or the whole budget.
accounting::SelectionStep all_of(const SessionTerms& terms, const SessionHistory& history, bool own) {
  if (own) return accounting::GaussianStep{std::sqrt(2 * terms.rho.approximate())};
  const double total = history.total.approximate();
  if (history.currency == privacy::Currency::Gdp) return accounting::GaussianStep{std::sqrt(total)};
  return accounting::ConcentratedStep{total};
}

double rho_of(const accounting::SelectionStep& all) {
  const auto* const gaussian = std::get_if<accounting::GaussianStep>(&all);
  return gaussian != nullptr ? gaussian->mu * gaussian->mu / 2 : std::get<accounting::ConcentratedStep>(all).rho;
}

json json_of(const SessionTest& test) {
  return {{"tacet_test", 1},
          {"release", test.release},
          {"test", test.test},
          {"entry", test.entry},
          {"told", test.told},
          {"alone", test.alone},
          {"rho", test.rho ? json(*test.rho) : json()},
          {"n", test.n},
          {"p_value", test.p_value},
          {"corrected_p_value", test.corrected}};
}

std::optional<SessionTest> read_test(const SessionTerms& terms, std::uint64_t number) {
  const auto file = mechanisms::read_json_file(test_file(terms, number), "test");
  if (!file.ok()) return std::nullopt;
  try {
    const json& rho = file->at("rho");
    return SessionTest{.number = number,
                       .release = file->at("release"),
                       .test = file->at("test"),
                       .entry = file->at("entry"),
                       .told = file->at("told"),
                       .alone = file->at("alone"),
                       .rho = rho.is_number() ? std::optional(rho.get<double>()) : std::nullopt,
                       .n = file->at("n"),
                       .p_value = file->at("p_value"),
                       .corrected = file->at("corrected_p_value")};
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

Result<SessionTest> add_test(const std::string& folder, const TestRequest& request) {
  TACET_TRY(const SessionTerms terms, read_session(folder));
  if (!(request.p_value >= 0 && request.p_value <= 1))
    return Error::invalid("p-value", fmt::format("{}", request.p_value), "must be at least 0 and at most 1");
  TACET_TRY(const kernel::Custody ledger, kernel::Custody::open(terms.ledger));
  TACET_CHECK(check_only_budget(terms, ledger));
  TACET_TRY(const mechanisms::Release release, release_of_session(terms, ledger, request.release));
  const std::optional<double> n = people_in(release);
  if (!n) return Error::of(Code::Unsupported, "the release has no public number of rows", "test a release of a table or of means");
  TACET_TRY(const SessionHistory history, session_history(terms, ledger));
  const auto entry = static_cast<std::uint64_t>(mechanisms::header_of(release).receipt->entry);
  TACET_TRY(const Told told, told_before(terms, history, ledger, entry));
  SessionTest test{.number = tests_of(terms).size() + 1,
                   .release = request.release,
                   .test = request.test,
                   .entry = entry,
                   .told = told.charges,
                   .alone = told.alone,
                   .rho = {},
                   .n = *n,
                   .p_value = request.p_value,
                   .corrected = request.p_value};
  if (test.number > kMostTests) return Error::of(Code::Unsupported, "the session has all the tests that it may have");
  if (told.charges > 0) {
    const bool own = terms.fresh && told.alone;
    // Of alpha: half of the first part while there were only checks, the other half from the first
    // answer on.
    const double part = own ? kShareAlone / 2 : terms.fresh ? 1 - kShareAlone : 1;
    const accounting::SelectionStep all = all_of(terms, history, own);
    test.rho = rho_of(all);
    TACET_TRY(const double corrected, corrected_by(terms, {told.charges, own, own && told.checks}, *n, all, request.p_value));
    test.corrected = std::min(1.0, corrected / part);
  }
  constexpr std::size_t kMostBytes = 16384;
  TACET_TRY(NewFile file, NewFile::reserve(test_file(terms, test.number), kMostBytes));
  TACET_CHECK(file.publish(json_of(test).dump(2, ' ', false, json::error_handler_t::replace) + "\n"));
  return test;
}

std::vector<SessionTest> tests_of(const SessionTerms& terms) {
  std::vector<SessionTest> tests;
  while (auto test = read_test(terms, tests.size() + 1)) tests.push_back(*std::move(test));
  return tests;
}

}  // namespace tacet
