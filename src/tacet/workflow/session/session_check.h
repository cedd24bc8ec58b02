// tacet/workflow/session/session_check.h: compares guesses with the data, and pays for wrong ones.
//
//   const GuessRequest older{.question = {.fraction = "age >= 40"}, .guess = 0.31,
//                            .tolerance = 0.02};
//   SessionCheck done = *check_session("looking", {.guesses = {older}});
//   done.published.release.guesses[0].confirmed;
//
// One question of a session pays for many guesses: all up to the first that is wrong, at most
// `at_most` of them. A guess that is not confirmed ends what was paid for, and so does the end of
// this call: the noise of the comparison is in the memory of the process alone, and is never
// written (docs/explanation/decisions/checks_live_in_one_process.md). Who chooses a guess by the
// answers before it gives `more`:
//
//   const NextGuess lower = [&](const CheckedGuess& last, const std::optional<Error>&) {
//     return std::optional<GuessRequest>({older.question, last.guess - 0.01, 0.02}); };
//   SessionCheck many = *check_session("looking", {.guesses = {older}, .more = lower,
//                                                  .at_most = 100});
//
// Theorem  docs/explanation/checks.md; the widths are those of planning/guess_checks.h.
// Domain   that of sessions; a guess lies in the range of its question; 1 to 10,000 guesses.
// Cost     one charge; a scan for each guess.
// Checked  tests/questions/session_check_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/release/published.h"
#include "tacet/workflow/session/checks_file.h"
#include "tacet/workflow/session/session_terms.h"

namespace tacet {

inline constexpr std::uint64_t kMostGuesses = 10'000;

/// Is the answer to this question within `tolerance` of `guess`, over the rows in the file?
struct GuessRequest {
  SessionAsk question;
  double guess = 0, tolerance = 0;
};

/// The guess after this answer; nothing: no more. One that cannot be compared is skipped; the
/// second argument then says why, and the first is the answer before.
using NextGuess = std::function<std::optional<GuessRequest>(const CheckedGuess& last, const std::optional<Error>& refused)>;

/// Guesses, and how one follows from the answers before it.
struct CheckRequest {
  std::vector<GuessRequest> guesses;          // at least one
  NextGuess more = {};                        // after these
  std::optional<std::uint64_t> at_most = {};  // nothing: as many as `guesses`
};

/// What one payment was for, with its place in the session.
struct SessionCheck {
  SessionTerms terms;
  SessionQuestion question;  // that paid
  Published<SessionChecks> published;
  std::uint64_t left;  // questions
};
/// Refused as ask_session. InvalidArgument, before anything is spent, for a guess outside of the
/// range of its question or a negative tolerance.
Result<SessionCheck> check_session(const std::string& folder, const CheckRequest& request, const Context& context = {});

/// How far a confirmed guess may be from the truth, beside its tolerance: for values between 0 and
/// 1 and n people, before anything is spent. `alone` as in SessionQuestion.
struct CheckPromise {
  double level, own, allowance;  // planning/guess_checks.h
  GuessWidths beyond_tolerance;
};
Result<CheckPromise> check_promise(const SessionTerms& terms, const SessionHistory& history, bool alone, double n, std::uint64_t at_most);

}  // namespace tacet
