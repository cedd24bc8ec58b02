#include "tacet/base/error.h"

#include <array>
#include <utility>

#include <fmt/core.h>

namespace tacet {

std::string_view name(Code code) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"InvalidArgument", "Unsupported", "NotFound", "AlreadyExists", "BudgetExhausted", "LedgerUnavailable", "LedgerCorrupt",
       "SchemaInvalid", "DataUnreadable", "EngineFailed", "EntropyUnavailable", "FileUnwritable", "Internal"});  // in the order of Code
  return kNames.at(static_cast<std::size_t>(code));
}

Error::Error(Code code, std::string name, std::string value, std::string rule, std::string remedy)
    : code_(code), name_(std::move(name)), value_(std::move(value)), rule_(std::move(rule)), remedy_(std::move(remedy)) {}

Error Error::invalid(std::string name, std::string value, std::string rule, std::string remedy) {
  return {Code::InvalidArgument, std::move(name), std::move(value), std::move(rule), std::move(remedy)};
}

Error Error::schema(std::string name, std::string value, std::string rule, std::string remedy) {
  return {Code::SchemaInvalid, std::move(name), std::move(value), std::move(rule), std::move(remedy)};
}

Error Error::of(Code code, std::string sentence, std::string remedy) { return {code, {}, {}, std::move(sentence), std::move(remedy)}; }

Error Error::after_charge(std::string what_was_spent) && {
  spent_ = std::move(what_was_spent);
  return std::move(*this);
}

std::string Error::message() const {
  std::string sentence = name_.empty() ? rule_ : fmt::format("{} is {}, but {}", name_, value_.empty() ? "empty" : value_, rule_);
  return remedy_.empty() ? sentence : fmt::format("{}; {}", sentence, remedy_);
}

}  // namespace tacet
