// tacet/workflow/session/session.h: questions that are chosen one after another, with intervals for
// the population that hold for all of them together.
//
//   Session looking = *open_session(patients, {.folder = "looking", .queries = 100,
//                                              .beta = 0.05, .rho = Rho(0.01)});
//   SessionAnswer first = *ask_session("looking", {.fraction = "age >= 40"});
//   first.intervals.population->width;              // for each of the 100 answers
//   SessionTranscript all = *show_session("looking");
//
// The session pays as it goes: each question is a charge of rho/queries, numbered by the ledger. So
// it survives a crash, and nobody can ask more: a question beyond the last is refused, and two that
// are asked at once for the last one get one answer.
// Theorem  docs/explanation/adaptive_analysis.md: the CVaR width of `queries` answers with this
//          noise, if nothing else is released from the rows. A session that begins before any other
//          release keeps a tenth of beta for the time after one: answers from then on have the
//          width for the whole budget of the dataset. Otherwise all answers have that.
// Domain   budgets in rho or mu, one for these rows (the register of sources knows others); the
//          number of rows is public, and each row is another person.
// Cost     opening, showing: the ledger is read, once. A question: the same, one scan, one charge.
// Checked  tests/questions/session_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/workflow/budget_summary.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/privacy_amount.h"
#include "tacet/workflow/session/bounded_query.h"
#include "tacet/workflow/session/checks_file.h"
#include "tacet/workflow/session/session_p_value.h"
#include "tacet/workflow/session/session_terms.h"

namespace tacet {

/// The questions that will be asked, and what all of them together may cost.
struct SessionRequest {
  std::string folder;  // a new one, for the session
  std::uint64_t queries = 0;
  double beta = 0.05;                   // that some answer is further from the population than its width
  std::optional<Rho> rho = {};          // of all questions; must be given
  std::optional<std::uint64_t> n = {};  // about how many people, to know the width beforehand
};

/// A session that was opened. Nothing is charged before the first question.
struct Session {
  SessionTerms terms;
  std::optional<double> width;  // of values between 0 and 1, for n people
};
Result<Session> open_session(const Dataset& dataset, const SessionRequest& request);

/// An answer with its place in the session.
struct SessionAnswer {
  SessionTerms terms;
  SessionQuestion question;
  Published<QueryRelease> published;
  AnswerIntervals intervals;
  std::uint64_t left;  // questions
};
/// BudgetExhausted after the last question; Unsupported in a closed session, and after the terms of
/// the dataset were amended. InvalidArgument for a question without a range. Nothing is spent then.
Result<SessionAnswer> ask_session(const std::string& folder, const SessionAsk& question, const Context& context = {});

/// A question of a transcript; without an answer if the program was stopped after its charge, or
/// its file was altered since: then it is not what the ledger has the hash of.
struct TranscriptLine {
  SessionQuestion question;
  std::optional<std::string> file;
  bool altered = false;
  std::optional<double> answer, noise;  // the standard deviation of the noise
  std::optional<AnswerIntervals> intervals;
  std::optional<SessionChecks> checks;  // in place of an answer
};

/// All that was asked and answered.
struct SessionTranscript {
  SessionTerms terms;
  std::uint64_t asked, left;
  bool closed;
  bool alone;    // nothing but its questions was released since it was opened
  double spent;  // rho of its questions
  std::vector<TranscriptLine> lines;
  std::vector<SessionTest> tests;
  std::optional<OdometerReading> reading;  // of everything that was released from the rows
};
Result<SessionTranscript> show_session(const std::string& folder);

/// No question can be asked any more. What was not asked costs nothing.
Result<SessionTranscript> close_session(const std::string& folder);

}  // namespace tacet
