// tacet/workflow/session/session_terms.h: what a session was opened with, and what the ledger says
// of it since.
//
//   SessionTerms terms = *read_session("looking");            // a folder
//   const kernel::Custody ledger = *kernel::Custody::open(terms.ledger);
//   SessionHistory history = *session_history(terms, ledger);
//   history.questions.size();                                 // those that were paid for
//
// A session is a folder with session.json, which never changes, and the answers. Its questions are
// charges in the ledger, whose statements name the session; so the ledger alone says how many were
// asked, by whom, and what else was released from the same rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/privacy/currency.h"

namespace tacet {

/// What the statement of a question says of its session.
struct SessionPromise {
  std::string id;
  std::uint64_t queries;
  double beta;
  Decimal rho;  // of all questions together
};

/// What a session was opened with.
struct SessionTerms {
  std::string folder = {};
  std::string id = {};  // a hash of all that follows
  std::string ledger = {}, dataset = {};
  std::optional<std::string> data = {};  // as in terms; nothing: their source
  std::uint64_t queries = 0;
  double beta = 0.05;
  Decimal rho = {};         // of all questions together
  Decimal each = {};        // of one: rho/queries, rounded down
  std::uint64_t after = 0;  // entries of the ledger before it
  bool fresh = false;       // nothing had been released from the rows before
  std::string nonce = {};   // so that two sessions differ

  std::string file(const std::string& name) const { return folder + "/" + name; }
  /// The answer to question `number`, from 1.
  std::string answer_file(std::uint64_t number) const;
  SessionPromise promise() const { return {id, queries, beta, rho}; }
};

/// NotFound without a session there; InvalidArgument if it was edited.
Result<SessionTerms> read_session(const std::string& folder);
bool is_closed(const SessionTerms& terms);

/// A question: one of these.
struct SessionAsk {
  std::optional<std::string> fraction = {};  // of rows that satisfy a condition
  std::optional<std::string> mean_of = {};   // an expression
};

/// What was asked.
enum class AskedFor : std::uint8_t { Fraction, Expression, Checks };
constexpr auto names_of(AskedFor) {
  return std::to_array<Named<AskedFor>>(
      {{AskedFor::Fraction, "fraction"}, {AskedFor::Expression, "expression"}, {AskedFor::Checks, "checks"}});
}

/// A question that was paid for.
struct SessionQuestion {
  std::uint64_t number;  // from 1, in the order of the ledger
  std::uint64_t entry;
  std::string time, analyst;
  AskedFor by;
  std::string text;  // the condition, the expression, or "at most 100 guesses"
  std::string entry_hash;
  std::optional<std::string> release_hash;  // of the file that was written, if the ledger has it
  bool alone;                               // nothing but questions of the session was released since it was opened
};

/// What the ledger says of a session.
struct SessionHistory {
  std::vector<SessionQuestion> questions;
  bool amended = false;        // the terms of the dataset were, since it was opened
  bool alone = true;           // nothing but questions was released since it was opened
  privacy::Currency currency;  // of the budget
  Decimal total;               // of the budget: rho, or mu squared
  std::uint64_t read = 0;      // entries of the ledger
};
/// InvalidArgument if session.json says that nothing was released before it, and something was.
Result<SessionHistory> session_history(const SessionTerms& terms, const kernel::Custody& ledger);
/// Adds what the ledger has since.
Status read_on(SessionHistory& history, const SessionTerms& terms, const kernel::Custody& ledger);

}  // namespace tacet
