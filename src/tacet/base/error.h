// tacet/base/error.h: what went wrong, as a value that is safe to show to anybody.
//
// An error is a public output. It may quote parameters, names of columns and files, never data. It has a stable code
// (docs/reference/errors.md has a section for each), and where a parameter is at fault the parameter's name, its value, the rule
// it breaks and what to do instead:
//
//   return Error::invalid("rho", "-0.25", "must be a finite number greater than 0", "for example: --rho 0.125");
//   // message(): rho is -0.25, but must be a finite number greater than 0; for example: --rho 0.125
//
// spent() tells what the failed request cost. It is "nothing was spent" unless a charge had already become durable.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tacet {

enum class Code : std::uint8_t {
  InvalidArgument,     // a parameter breaks its rule
  Unsupported,         // the request is meaningful, but no proven way to serve it is built
  NotFound,            // a named file, dataset or column does not exist
  AlreadyExists,       // a name that must be new is taken
  BudgetExhausted,     // the charge does not fit what remains
  LedgerUnavailable,   // the ledger cannot be read or written now
  LedgerCorrupt,       // the ledger contradicts itself
  SchemaInvalid,       // the schema file does not say what a release needs
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
  /// Anything else, in one sentence, and what to do about it.
  static Error of(Code code, std::string sentence, std::string remedy = {});

  /// The same error for a request whose charge is already durable: says what it cost.
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
