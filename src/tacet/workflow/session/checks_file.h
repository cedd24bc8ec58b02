// tacet/workflow/session/checks_file.h: guesses that were compared with the data, and their file.
//
//   SessionChecks checks = *read_checks("looking/answer-0003.json");
//   checks.guesses.back().confirmed;             // false: what was paid for ended with it
//   checks.guesses.front().widths->file;         // around the guess, for the rows in the file
//
// docs/reference/checks_file.md describes the JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/workflow/session/session_terms.h"

namespace tacet {

/// How far the truth may be from a confirmed guess, in its own units.
struct GuessWidths {
  double file;        // from the mean over the rows in the file
  double population;  // from that in the population
};

/// A guess with its answer.
struct CheckedGuess {
  AskedFor by;
  std::string text;        // the condition or the expression
  double lowest, highest;  // of its values
  double guess, tolerance;
  bool confirmed;
  std::optional<GuessWidths> widths;  // of a confirmed one
};

/// All that one payment was for.
struct SessionChecks {
  mechanisms::ReleaseHeader header;  // statement, privacy, receipt
  std::uint64_t at_most;             // guesses
  double n;
  double level, own;  // scales of the exponential noise, for values between 0 and 1
  double allowance;   // was added to each tolerance, for values between 0 and 1
  std::vector<CheckedGuess> guesses;

  bool ended_by_a_wrong_one() const { return !guesses.empty() && !guesses.back().confirmed; }
};

std::string to_text(const SessionChecks& checks);
/// NotFound if the file cannot be read; InvalidArgument for anything that to_text does not write.
/// Of the header only statement and receipt are read.
Result<SessionChecks> read_checks(const std::string& path);

}  // namespace tacet
