#include "tacet/workflow/session/session_check.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/kernel/first_above.h"
#include "tacet/planning/guess_checks.h"
#include "tacet/workflow/release/charged_release.h"
#include "tacet/workflow/session/bounded_query.h"
#include "tacet/workflow/session/bounded_rows.h"
#include "tacet/workflow/session/session_json.h"
#include "tacet/workflow/session/session_rules.h"

namespace tacet {
namespace {

/// A guess in whole steps, ready to be compared.
struct ReadyGuess {
  GuessRequest request;
  BoundedRows rows;
};

Result<ReadyGuess> ready(const data::Schema& schema, const GuessRequest& request) {
  TACET_TRY(BoundedRows rows, bounded_rows(schema, request.question));
  const auto& [lowest, highest] = std::pair(rows.query.lowest, rows.query.highest);
  if (!(request.guess >= lowest && request.guess <= highest)) {
    return Error::invalid("guess", fmt::format("{}", request.guess),
                          fmt::format("must lie between {:.6g} and {:.6g}, as every answer does", lowest, highest));
  }
  if (!(request.tolerance >= 0 && request.tolerance <= rows.range())) {
    return Error::invalid("tolerance", fmt::format("{}", request.tolerance),
                          fmt::format("must be at least 0 and at most {:.6g}, the range of the answer", rows.range()),
                          "for example: tolerance = 0.02");
  }
  return ReadyGuess{request, std::move(rows)};
}

Result<data::CountTable> sum_of(const ChargedRelease& order, const ReadyGuess& guess, const data::CountOptions& options) {
  TACET_TRY(data::CountTable table, data::count(order.data(), order.declared(), guess.rows.request, options));
  if (table.n && table.n->value() > 0) return table;
  return Error::of(Code::DataUnreadable, "the file has no rows, so it has no mean", "give a file with people in it");
}

constexpr std::int64_t kRange = 2 * std::int64_t{kHalfSteps};  // in steps

/// Scales of the kernel in steps of sums, a little larger than the formula, so that its exact
/// proof agrees.
kernel::FirstAbove::Plan plan_of(const planning::CheckWidths& widths, double n) {
  constexpr double kSlightly = 1 + 0x1p-40;
  const double steps = n * static_cast<double>(kRange) * kSlightly;
  return {.most = kRange, .level = widths.level * steps, .own = widths.own * steps};
}

Result<planning::CheckWidths> widths_of(const SessionTerms& terms, double n, std::uint64_t at_most, double beta) {
  TACET_TRY(const double epsilon, epsilon_of_checks(terms));
  return planning::check_widths(
      {.n = n, .epsilon = epsilon, .checks = static_cast<double>(at_most), .batches = static_cast<double>(terms.queries), .beta = beta});
}

/// What one payment is for: guesses, until one is wrong.
class Comparison {
 public:
  Comparison(const ChargedRelease& order, const SessionTerms& terms, SessionHistory& history, const CheckRequest& request,
             std::uint64_t at_most)
      : order_(order), terms_(terms), history_(history), request_(request), at_most_(at_most) {}

  Result<SessionChecks> run(const ReadyGuess& guess, data::CountTable&& first, kernel::Grant&& grant, exact::RandomBits& bits) {
    const kernel::Receipt receipt = grant.receipt();
    TACET_CHECK(read_on(history_, terms_, order_.ledger()));
    TACET_CHECK(check_admitted(terms_, history_, receipt));
    const auto n = static_cast<double>(first.n->value());
    TACET_TRY(const planning::CheckWidths widths, widths_of(terms_, n, at_most_, terms_.beta));
    SessionChecks checks{.header = mechanisms::charged_header(grant.loss(), order_.declared().relation(), receipt, order_.statement()),
                         .at_most = at_most_,
                         .n = n,
                         .level = widths.level,
                         .own = widths.own,
                         .allowance = widths.allowance,
                         .guesses = {}};
    TACET_TRY(kernel::FirstAbove above, kernel::FirstAbove::begin(plan_of(widths, n), std::move(grant), bits));
    TACET_TRY(bool confirmed, compare(guess, std::move(first), above, bits, checks));
    for (std::size_t i = 1; i < request_.guesses.size() && confirmed; ++i) {
      TACET_TRY(const ReadyGuess next, ready(order_.declared().schema(), request_.guesses[i]));
      TACET_TRY(data::CountTable sum, sum_of(order_, next, {}));
      TACET_TRY(confirmed, compare(next, std::move(sum), above, bits, checks));
    }
    while (confirmed && request_.more && checks.guesses.size() < at_most_) {
      const auto next = next_guess(checks);
      if (!next) break;
      TACET_TRY(data::CountTable sum, sum_of(order_, *next, {}));
      TACET_TRY(confirmed, compare(*next, std::move(sum), above, bits, checks));
    }
    return checks;
  }

 private:
  /// The next one that can be compared.
  std::optional<ReadyGuess> next_guess(const SessionChecks& checks) const {
    std::optional<Error> refused;
    for (;;) {
      const std::optional<GuessRequest> asked = request_.more(checks.guesses.back(), refused);
      if (!asked) return std::nullopt;
      auto guess = ready(order_.declared().schema(), *asked);
      if (guess.ok()) return *std::move(guess);
      refused = std::move(guess).error();
    }
  }

  Result<bool> compare(const ReadyGuess& guess, data::CountTable&& table, kernel::FirstAbove& above, exact::RandomBits& bits,
                       SessionChecks& checks) {
    const auto& [request, rows] = guess;
    const auto people = static_cast<double>(table.n->value());
    if (people != checks.n) return Error::of(Code::DataUnreadable, "the number of rows changed while guesses were compared", "ask again");
    // Whole steps of the sum: a half at most, which is nothing beside one step of one person.
    const double centre = std::round((request.guess - rows.middle()) / rows.step() * people);
    const double level = std::ceil((request.tolerance / rows.step() + checks.allowance * static_cast<double>(kRange)) * people);
    constexpr double kMost = 0x1p62;
    if (!(std::abs(centre) < kMost && level < kMost))
      return Error::of(Code::Unsupported, "the noise is too much for any guess to be told from another", "spend more");
    TACET_TRY(const bool is_above,
              above.ask(std::move(table.counts), static_cast<std::int64_t>(centre), static_cast<std::int64_t>(level), bits));
    CheckedGuess checked{.by = request.question.fraction ? AskedFor::Fraction : AskedFor::Expression,
                         .text = rows.query.text,
                         .lowest = rows.query.lowest,
                         .highest = rows.query.highest,
                         .guess = request.guess,
                         .tolerance = request.tolerance,
                         .confirmed = !is_above,
                         .widths = {}};
    if (checked.confirmed) {
      // After the answer: what was released before it is then counted.
      TACET_CHECK(read_on(history_, terms_, order_.ledger()));
      TACET_TRY(const CheckPromise promise, check_promise(terms_, history_, history_.alone, people, checks.at_most));
      const auto within = [&](double beyond) {
        return std::min(rows.range(), request.tolerance + (beyond + kAnswerRounding) * rows.range());
      };
      checked.widths = GuessWidths{within(promise.beyond_tolerance.file), within(promise.beyond_tolerance.population)};
    }
    checks.guesses.push_back(std::move(checked));
    return !is_above;
  }

  const ChargedRelease& order_;
  const SessionTerms& terms_;
  SessionHistory& history_;
  const CheckRequest& request_;
  std::uint64_t at_most_;
};

Result<std::uint64_t> most_guesses(const CheckRequest& request) {
  if (request.guesses.empty()) return Error::invalid("guess", "missing", "must be given", "for example: guess = 0.31 tolerance = 0.02");
  const std::uint64_t at_most = request.at_most.value_or(request.guesses.size());
  if (at_most >= request.guesses.size() && at_most <= kMostGuesses) return at_most;
  return Error::invalid("at-most", fmt::format("{}", at_most),
                        fmt::format("must be at least {}, the number of guesses, and at most {}", request.guesses.size(), kMostGuesses));
}

}  // namespace

Result<CheckPromise> check_promise(const SessionTerms& terms, const SessionHistory& history, bool alone, double n, std::uint64_t at_most) {
  TACET_TRY(const planning::CheckWidths widths, widths_of(terms, n, at_most, terms.beta));
  const PartOfBeta part = part_of_beta(terms, history, alone);
  TACET_TRY(const planning::CheckWidths for_all, widths_of(terms, n, at_most, part.beta));
  TACET_TRY(const double selection, planning::selection_width(part.beta, part.told));
  return CheckPromise{
      widths.level, widths.own, widths.allowance, {widths.file, widths.allowance + for_all.population - for_all.allowance + selection}};
}

Result<SessionCheck> check_session(const std::string& folder, const CheckRequest& request, const Context& context) {
  TACET_TRY(SessionTerms terms, read_session(folder));
  TACET_TRY(const std::uint64_t at_most, most_guesses(request));
  TACET_TRY(const Dataset dataset, dataset_of(terms, context));
  TACET_TRY(kernel::Custody ledger, dataset.kept().take(terms.ledger));
  TACET_TRY(SessionHistory history, session_history(terms, ledger));
  TACET_CHECK(check_open(terms, history, ledger));
  dataset.kept().keep(std::move(ledger));
  TACET_TRY(const privacy::Rho each, privacy::Rho::of(terms.each));
  const auto price = [&](const data::Declared& /*declared*/, privacy::Currency budget) {
    return as_charged(privacy::gaussian_loss_from_rho(each), budget);
  };
  TACET_TRY(ChargedRelease order, ChargedRelease::open(dataset, {.out = terms.answer_file(history.questions.size() + 1), .price = price}));
  // All are tried, and one is kept: the numbers of its cells may be megabytes.
  for (const GuessRequest& guess : request.guesses) TACET_CHECK(ready(order.declared().schema(), guess));
  TACET_TRY(const ReadyGuess first, ready(order.declared().schema(), request.guesses.front()));
  TACET_CHECK(epsilon_of_checks(terms));
  const nlohmann::json statement = {{"release", "checks"},
                                    {"by", name(AskedFor::Checks)},
                                    {"of", fmt::format("at most {} guesses", at_most)},
                                    {"session", statement_json(terms.promise())}};
  constexpr std::size_t kBytesOfGuess = 2048, kBytesOfFile = 32768;
  Comparison comparison(order, terms, history, request, at_most);
  TACET_TRY(Published<SessionChecks> published, order.carry_out<SessionChecks>(
                                                    {statement, kBytesOfFile + kBytesOfGuess * at_most},
                                                    [&](const data::CountOptions& options) { return sum_of(order, first, options); },
                                                    [&](data::CountTable&& table, kernel::Grant&& grant, exact::RandomBits& bits) {
                                                      return comparison.run(first, std::move(table), std::move(grant), bits);
                                                    },
                                                    [](const SessionChecks& checks) { return to_text(checks); }));
  const SessionQuestion* const own = paid_by(history, *published.release.header.receipt);
  if (own == nullptr) return Error::of(Code::Internal, "the ledger does not have the question that was answered");
  SessionQuestion question = *own;
  const std::uint64_t left = terms.queries - std::min<std::uint64_t>(terms.queries, history.questions.size());
  return SessionCheck{std::move(terms), std::move(question), std::move(published), left};
}

}  // namespace tacet
