#include "tacet/mechanisms/release_fields.h"

#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/privacy_json.h"

namespace tacet::mechanisms {
namespace {

constexpr std::int64_t kMostContributions = 1000;  // of a person; as in schemas

using nlohmann::json;

constexpr double kLargest = 1e100;
constexpr double kSmallest = 1e-100;
constexpr std::size_t kShown = 60;

/// As UTF-8, also if the value contains invalid text.
std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace

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

Status ReleaseFields::check_kind(const json& file, std::string_view kind) const {
  TACET_CHECK(check_version(file));
  TACET_TRY(const std::string written, text(file, "kind"));
  if (written == kind) return {};
  return bad("kind", written, fmt::format("must be {}", kind));
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

Result<std::vector<std::string>> ReleaseFields::texts(const json& value, const std::string& field) const {
  if (!value.is_array()) return bad(field, words_for(value), "must be a list of texts");
  std::vector<std::string> out;
  for (const json& item : value) {
    if (!item.is_string()) return bad(field, "a list with " + words_for(item), "must be a list of texts");
    out.push_back(item.get<std::string>());
  }
  return out;
}

Result<std::optional<ReleasedPrivacy>> ReleaseFields::privacy(const json& value) const {
  if (!value.is_object() || !value.contains("currency")) return bad("privacy", words_for(value), "must be an object with a currency");
  if (value.at("currency").is_null()) return std::optional<ReleasedPrivacy>();
  ReleasedPrivacy privacy{};
  TACET_TRY(privacy.currency, choice<LossForm>(value, "currency", "currency"));
  const std::pair<const char*, std::optional<double>*> numbers[] = {
      {"epsilon", &privacy.epsilon}, {"delta", &privacy.delta}, {"rho", &privacy.rho}, {"mu", &privacy.mu}};
  for (const auto& [field, number] : numbers) {
    if (!value.contains(field)) continue;
    TACET_TRY(*number, finite(value.at(field), field));
  }
  if (value.contains("neighbours")) {
    TACET_TRY(privacy.neighbours, choice<Neighbours>(value, "neighbours", "neighbours"));
  }
  if (value.contains("public_columns")) {
    TACET_TRY(privacy.public_columns, texts(value.at("public_columns"), "public_columns"));
  }
  if (value.contains("charged")) {
    TACET_TRY(privacy.charged, text(value, "charged"));
  }
  return std::optional(std::move(privacy));
}

/// Early files may lack some fields; these are then empty.
Result<std::optional<kernel::Receipt>> ReleaseFields::receipt(const json& value) const {
  if (value.is_null()) return std::optional<kernel::Receipt>();
  if (!value.is_object()) return bad("ledger", words_for(value), "must be the receipt of a charge, or null");
  kernel::Receipt receipt;
  const std::pair<const char*, std::string*> parts[] = {{"ledger", &receipt.ledger},
                                                        {"dataset", &receipt.dataset},
                                                        {"entry_hash", &receipt.entry_hash},
                                                        {"statement_hash", &receipt.statement_hash},
                                                        {"charged", &receipt.charged}};
  for (const auto& [field, part] : parts) {
    if (!value.contains(field)) continue;
    TACET_TRY(*part, text(value, field));
  }
  if (value.contains("entry")) {
    if (!value.at("entry").is_number_integer()) return bad("entry", words_for(value.at("entry")), "must be a whole number");
    receipt.entry = value.at("entry").get<std::int64_t>();
  }
  return std::optional(std::move(receipt));
}

Result<std::optional<ReleasedContributions>> ReleaseFields::contributions(const json& file) const {
  if (!file.contains("contributions")) return std::optional<ReleasedContributions>();
  const json& value = file["contributions"];
  const auto limit = [&](const char* field) -> Result<std::int64_t> {
    TACET_TRY(const json* number, member(value, field));
    if (number->is_number_integer() && *number >= 1 && *number <= kMostContributions) return number->get<std::int64_t>();
    return bad(field, words_for(*number), fmt::format("must be a whole number from 1 to {}", kMostContributions));
  };
  ReleasedContributions contributions;
  TACET_TRY(contributions.counted, choice<Counted>(value, "counted", "counted"));
  TACET_TRY(contributions.rows, limit("rows"));
  if (value.contains("groups")) {
    TACET_TRY(contributions.groups, limit("groups"));
  }
  return std::optional(contributions);
}

Result<ReleaseHeader> ReleaseFields::header(const json& file) const {
  ReleaseHeader header;
  TACET_TRY(const json* statement, member(file, "statement"));
  header.statement = dump(*statement);
  if (file.contains("where")) {
    TACET_TRY(header.where, text(file, "where"));
  }
  const json stated = statement->is_object() ? statement->value("where", json()) : json();
  if (stated != file.value("where", json()))
    return bad("where", header.where.value_or("missing"), "must be the condition in the statement");
  TACET_TRY(const json* how_private, member(file, "privacy"));
  TACET_TRY(header.privacy, privacy(*how_private));
  TACET_TRY(header.guarantee, choice<Guarantee>(file, "guarantee", "guarantee"));
  TACET_TRY(const json* ledger, member(file, "ledger"));
  TACET_TRY(header.receipt, receipt(*ledger));
  TACET_TRY(const std::string time, text(file, "time"));
  if (!time.empty()) header.time = time;
  if (header.receipt) header.receipt->time = time;
  TACET_TRY(header.contributions, contributions(file));
  return header;
}

Result<std::vector<double>> ReleaseFields::edges(const json& value) const {
  if (!value.is_array() || value.size() < 2) return bad("edges", words_for(value), "must be a list of at least two numbers");
  std::vector<double> numbers;
  for (const json& item : value) {
    TACET_TRY(const double edge, finite(item, "edges"));
    if (!numbers.empty() && !(numbers.back() < edge))
      return bad("edges", fmt::format("{} after {}", edge, numbers.back()), "must increase");
    numbers.push_back(edge);
  }
  return numbers;
}

Result<bool> ReleaseFields::dates(const json& object) const {
  if (!object.contains("dates")) return false;
  if (!object["dates"].is_boolean()) return bad("dates", words_for(object["dates"]), "must be true or false");
  return object["dates"].get<bool>();
}

Result<std::vector<double>> ReleaseFields::people(const json& value, std::size_t labels) const {
  if (!value.is_array() || value.size() != labels) {
    return bad("people", value.is_array() ? fmt::format("a list of {}", value.size()) : words_for(value),
               fmt::format("must be a list of {}", labels));
  }
  std::vector<double> all;
  double sum = 0;
  for (const json& item : value) {
    TACET_TRY(const double one, finite(item, "people"));
    TACET_CHECK(check_people(one));
    TACET_CHECK(check_people(sum += one));
    all.push_back(one);
  }
  return all;
}

Status ReleaseFields::read_table(const json& file, ReleasedTable& table) const {
  TACET_TRY(const json* values, member(file, "values"));
  TACET_TRY(Flattened flat, flatten(*values, "values"));
  table.shape = std::move(flat.shape);
  table.values = std::move(flat.values);
  TACET_TRY(const json* axes, member(file, "axes"));
  if (!axes->is_array()) return bad("axes", words_for(*axes), "must be a list");
  for (const json& item : *axes) {
    if (!item.is_object()) return bad("axes", "a list with " + words_for(item), "must list objects with name and labels");
    ReleaseAxis axis;
    TACET_TRY(axis.name, text(item, "name"));
    TACET_TRY(const json* labels, member(item, "labels"));
    TACET_TRY(axis.labels, texts(*labels, "labels"));
    std::set<std::string> seen;
    for (const std::string& label : axis.labels) {
      if (!seen.insert(label).second) return bad("labels", fmt::format("\"{}\" twice", label.substr(0, 40)), "must differ within an axis");
    }
    if (item.contains("edges")) {
      TACET_TRY(axis.edges, edges(item["edges"]));
      TACET_TRY(axis.dates, dates(item));
      if (axis.edges.size() != axis.labels.size() && axis.edges.size() != axis.labels.size() + 1) {
        return bad("edges", fmt::format("{}", axis.edges.size()),
                   fmt::format("must be one more than the bins: the {} labels, or all but the last, which is then for no number",
                               axis.labels.size()));
      }
    }
    if (item.contains("people")) {
      TACET_TRY(axis.people, people(item["people"], axis.labels.size()));
    }
    table.axes.push_back(std::move(axis));
  }
  if (table.axes.empty()) return {};
  if (table.axes.size() != table.shape.size()) {
    return bad("axes", fmt::format("{}", table.axes.size()),
               fmt::format("must be as many as the dimensions of values, {}", table.shape.size()));
  }
  for (std::size_t i = 0; i < table.axes.size(); ++i) {
    if (table.axes[i].labels.size() != table.shape[i]) {
      return bad("labels", fmt::format("{}", table.axes[i].labels.size()),
                 fmt::format("must be as many as the cells of that axis, {}", table.shape[i]));
    }
  }
  return {};
}

json header_json(const ReleaseHeader& header, std::string_view kind) {
  json statement = json::parse(header.statement, nullptr, /*allow_exceptions=*/false);
  json file = {{"tacet_release", kReleaseVersion},
               {"kind", kind},
               {"statement", statement.is_discarded() ? json(header.statement) : std::move(statement)},
               {"privacy", privacy_json(header.privacy)},
               {"guarantee", name(header.guarantee)},
               {"ledger", receipt_json(header.receipt)},
               {"time", header.time.value_or("")}};
  if (const auto& contributions = header.contributions) {
    file["contributions"] = {{"counted", name(contributions->counted)}, {"rows", contributions->rows}};
    if (contributions->groups) file["contributions"]["groups"] = *contributions->groups;
  }
  if (header.where) file["where"] = *header.where;
  return file;
}

void write_table(const ReleasedTable& table, json& file) {
  json axes = json::array();
  for (const ReleaseAxis& axis : table.axes) {
    axes.push_back({{"name", axis.name}, {"labels", axis.labels}});
    if (!axis.edges.empty()) axes.back()["edges"] = axis.edges;
    if (axis.dates) axes.back()["dates"] = true;
    for (const double people : axis.people) axes.back()["people"].push_back(static_cast<std::int64_t>(people));
  }
  file["axes"] = std::move(axes);
  file["values"] = nested(table.values, table.shape);
}

}  // namespace tacet::mechanisms
