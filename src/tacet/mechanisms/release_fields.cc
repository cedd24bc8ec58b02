#include "tacet/mechanisms/release_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr double kLargest = 1e100;
constexpr double kSmallest = 1e-100;
constexpr std::size_t kShown = 60;
constexpr std::array<std::string_view, 3> kGuarantees = {"exact", "idealised", "unknown"};

}  // namespace

std::string words_for(const json& value) {
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  if (value.is_string()) return "a text";
  if (value.is_boolean()) return "true or false";
  return value.is_null() ? "null" : "a number";
}

Error ReleaseFields::bad(const std::string& field, const std::string& value, const std::string& rule) const {
  return Error::invalid(field, value.substr(0, kShown), rule, remedy_);
}

Status ReleaseFields::check_version(const json& file) const {
  if (!file.is_object()) return bad("release file", words_for(file), "must be a JSON object");
  TACET_TRY(const json* version, member(file, "tacet_release"));
  if (*version == kReleaseVersion) return {};
  return bad("tacet_release", version->is_number() ? version->dump() : words_for(*version),
             fmt::format("must be {}, the version this program reads", kReleaseVersion));
}

Result<const json*> ReleaseFields::member(const json& object, const std::string& field) const {
  if (!object.is_object() || !object.contains(field)) return bad(field, "missing", "must be there in a release file");
  return &object.at(field);
}

Result<std::string> ReleaseFields::text(const json& object, const std::string& field) const {
  TACET_TRY(const json* value, member(object, field));
  if (!value->is_string()) return bad(field, words_for(*value), "must be a text");
  return value->get<std::string>();
}

Result<double> ReleaseFields::finite(const json& value, const std::string& field) const {
  if (!value.is_number()) return bad(field, words_for(value), "must be a number");
  const double number = value.get<double>();
  if (!(std::abs(number) <= kLargest)) return bad(field, fmt::format("{}", number), "must be finite and at most 1e100 in size");
  return number;
}

Result<double> ReleaseFields::positive(const json& value, const std::string& field) const {
  TACET_TRY(const double number, finite(value, field));
  if (!(number >= kSmallest)) return bad(field, fmt::format("{}", number), "must be greater than 0, and at least 1e-100");
  return number;
}

Result<ReleaseFields::Common> ReleaseFields::common(const json& file) const {
  Common fields;
  TACET_TRY(const json* statement, member(file, "statement"));
  fields.statement = *statement;
  TACET_TRY(const json* privacy, member(file, "privacy"));
  if (!privacy->is_object() || !privacy->contains("currency"))
    return bad("privacy", words_for(*privacy), "must be an object with a currency");
  fields.privacy = *privacy;
  TACET_TRY(fields.guarantee, text(file, "guarantee"));
  if (std::find(kGuarantees.begin(), kGuarantees.end(), fields.guarantee) == kGuarantees.end())
    return bad("guarantee", fields.guarantee, "must be exact, idealised or unknown");
  TACET_TRY(const json* ledger, member(file, "ledger"));
  if (!ledger->is_object() && !ledger->is_null()) return bad("ledger", words_for(*ledger), "must be the receipt of a charge, or null");
  fields.ledger = *ledger;
  TACET_TRY(fields.time, text(file, "time"));
  return fields;
}

}  // namespace tacet::mechanisms
