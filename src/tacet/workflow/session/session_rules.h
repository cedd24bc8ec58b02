// tacet/workflow/session/session_rules.h: when a session answers, and how wide its answers are.
// Internal to this room.
//
//   const SessionTerms terms = *read_session("looking");
//   const kernel::Custody ledger = *kernel::Custody::open(terms.ledger);
//   const SessionHistory history = *session_history(terms, ledger);
//   TACET_CHECK(check_open(terms, history, ledger));
//   const double width = *session_width(terms, history, /*alone=*/true, /*n=*/9000, /*sd=*/0.01);
//   PartOfBeta part = part_of_beta(terms, history, /*alone=*/true);
//
// Theorem  docs/explanation/adaptive_analysis.md#a-session
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"
#include "tacet/kernel/grant.h"
#include "tacet/planning/adaptive_width.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/session/session_terms.h"

namespace tacet {

/// Of a probability of error: for the time while nothing but the session's questions is released.
inline constexpr double kShareAlone = 0.9;

/// The rows of a session, for whoever asks.
Result<Dataset> dataset_of(const SessionTerms& terms, const Context& context);

/// Unsupported if the rows have a second budget, as far as the terms or the register of sources
/// know: losses add up, and no ledger has them all.
Status check_only_budget(const SessionTerms& terms, const kernel::Custody& ledger);
/// May a question be asked?
Status check_open(const SessionTerms& terms, const SessionHistory& history, const kernel::Custody& ledger);
/// Of the question that this receipt is for, in the order of the ledger; null if it has none.
const SessionQuestion* paid_by(const SessionHistory& history, const kernel::Receipt& receipt);
/// After a charge. The ledger decides who was first: others may have asked in the meantime.
Status check_admitted(const SessionTerms& terms, const SessionHistory& history, const kernel::Receipt& receipt);

/// The part of beta for an answer, and what was told about the rows that it may depend on: the
/// session's questions while nothing else was released (`alone`), otherwise the whole budget.
struct PartOfBeta {
  double beta;
  planning::WholePromise told;
};
PartOfBeta part_of_beta(const SessionTerms& terms, const SessionHistory& history, bool alone);

/// The half-width for values between 0 and 1 of an answer with this noise in a sample of n.
Result<double> session_width(const SessionTerms& terms, const SessionHistory& history, bool alone, double n, double sd);

/// The pure epsilon of one payment for checks.
Result<double> epsilon_of_checks(const SessionTerms& terms);

}  // namespace tacet
