// tacet/base/error.h: what went wrong, as a value that is safe to show to anybody.
//
// An error is a public output: it may quote parameters and names of columns and files, never data.
// It has a code (docs/reference/errors.md), and for a parameter the name, value, rule and remedy:
//   return Error::invalid("rho", "-0.25", "must be greater than 0", "for example: rho = 0.125");
//   // message(): rho is -0.25, but must be greater than 0; for example: rho = 0.125
//
// spent() is the cost of the failed request: "nothing was spent", unless a charge was durable.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tacet {

enum class Code : std::uint8_t {
  InvalidArgument,     // a parameter breaks its rule
  Unsupported,         // meaningful, but no proven way to serve it exists
  NotFound,            // a named file, dataset or column does not exist
  AlreadyExists,       // a name that must be new is taken
  BudgetExhausted,     // the charge exceeds the remaining budget
  LedgerUnavailable,   // the ledger cannot be read or written now
  LedgerCorrupt,       // the ledger contradicts itself
  SchemaInvalid,       // the schema does not declare what a release needs
  DataUnreadable,      // the data file cannot be read as declared
  EngineFailed,        // the embedded engine failed
  EntropyUnavailable,  // the operating system gave no random bits
  FileUnwritable,      // a result could not be written
  Internal,            // a check inside Tacet failed
};

/// The stable name of a code, as in docs/reference/errors.md.
std::string_view name(Code code);

class [[nodiscard]] Error {
 public:
  /// A parameter breaks a rule: `name` is `value`, but `rule`; `remedy`.
  static Error invalid(std::string name, std::string value, std::string rule, std::string remedy = {});
  static Error schema(std::string name, std::string value, std::string rule, std::string remedy = {});
  /// Any other error: one sentence and a remedy.
  static Error of(Code code, std::string sentence, std::string remedy = {});

  /// The same error after a durable charge, with its cost.
  Error after_charge(std::string what_was_spent) &&;

  Code code() const { return code_; }
  const std::string& name() const { return name_; }
  const std::string& value() const { return value_; }
  const std::string& rule() const { return rule_; }
  const std::string& remedy() const { return remedy_; }
  const std::string& spent() const { return spent_; }
  /// The sentence without code and cost.
  std::string message() const;

 private:
  Error(Code code, std::string name, std::string value, std::string rule, std::string remedy);
  Code code_;
  std::string name_, value_, rule_, remedy_, spent_ = "nothing was spent";
};

}  // namespace tacet
