#include "tacet/kernel/ledger/record.h"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sodium.h>

#include "tacet/kernel/ledger/disk.h"

namespace tacet::kernel {
namespace {

using Json = nlohmann::ordered_json;  // keeps the order of keys

constexpr std::size_t kHashBytes = 32;
constexpr std::size_t kNameLength = 32;
constexpr std::string_view kTitle = "tacet-ledger\t";
constexpr std::string_view kHeader = "tacet-ledger\t3\t";  // title and format
constexpr std::string_view kHexDigits = "0123456789abcdef";

Error no_record() { return ledger_damaged("the ledger holds a record that Tacet did not write"); }

Json amount_json(const privacy::Amount& amount) { return Json::array({amount.first.to_string(), amount.second.to_string()}); }

// Reading: functions throw Json::exception or BadRecord, which record_from_text catches.
struct BadRecord : std::exception {};

std::int64_t number_from(const Json& json) {
  if (!json.is_number_unsigned()) throw BadRecord();
  return json.get<std::int64_t>();
}

Decimal decimal_from(const Json& json) {
  auto value = Decimal::parse(json.get_ref<const std::string&>());
  if (!value || *value < Decimal()) throw BadRecord();
  return *std::move(value);
}

privacy::Amount amount_from(const Json& json) {
  if (!json.is_array() || json.size() != 2) throw BadRecord();
  return {decimal_from(json[0]), decimal_from(json[1])};
}

Json relation_json(const Relation& relation) {
  return {{"neighbours", name(relation.kind())}, {"public_columns", relation.public_columns()}};
}

Relation relation_from(const Json& json) {
  const auto kind = named<Relation::Kind>("neighbours", json.at("neighbours").get_ref<const std::string&>());
  auto columns = json.at("public_columns").get<std::vector<std::string>>();
  if (!kind || (*kind != Relation::ReplaceOne && !columns.empty())) throw BadRecord();
  if (columns.empty()) return *kind;
  auto relation = Relation::within(std::move(columns));
  if (!relation) throw BadRecord();
  return *std::move(relation);
}

Json loss_json(const privacy::Loss& loss) {
  if (const auto* pure = std::get_if<privacy::PureLoss>(&loss)) return Json::array({"pure", pure->epsilon.to_string()});
  if (const auto* approximate = std::get_if<privacy::ApproximateLoss>(&loss))
    return Json::array({"approximate", approximate->epsilon.to_string(), approximate->delta.to_string()});
  if (const auto* laplace = std::get_if<privacy::LaplaceLoss>(&loss)) {
    Json json = Json::array({"laplace", laplace->epsilon.to_string(), laplace->rho.to_string()});
    if (laplace->mu_squared) json.push_back(laplace->mu_squared->to_string());
    return json;
  }
  return Json::array({"gaussian", std::get<privacy::GaussianLoss>(loss).mu_squared.to_string()});
}

privacy::Loss loss_from(const Json& json) {
  const std::string& kind = json.at(0).get_ref<const std::string&>();
  if (kind == "pure" && json.size() == 2) return privacy::PureLoss{decimal_from(json[1])};
  if (kind == "approximate" && json.size() == 3) return privacy::ApproximateLoss{decimal_from(json[1]), decimal_from(json[2])};
  if (kind == "gaussian" && json.size() == 2) return privacy::GaussianLoss{decimal_from(json[1])};
  if (kind != "laplace" || json.size() < 3 || json.size() > 4) throw BadRecord();
  const auto mu_squared = json.size() == 4 ? std::optional(decimal_from(json[3])) : std::nullopt;
  return privacy::LaplaceLoss{decimal_from(json[1]), decimal_from(json[2]), mu_squared};
}

Json declaration_json(const Declaration& declared) {
  Json json = {{"currency", name(declared.budget.currency)},
               {"total", amount_json(declared.budget.total)},
               {"rule", name(declared.rule)},
               {"slack", declared.slack.to_string()},
               {"relation", relation_json(declared.relation)},
               {"schema", declared.schema},
               {"source", declared.source},
               {"idealised", declared.idealised}};
  if (declared.others) json["others"] = amount_json(*declared.others);
  json["custodian"] = declared.custodian;
  json["again"] = declared.again;
  return json;
}

Declaration declaration_from(const Json& json) {
  const auto currency = named<privacy::Currency>("currency", json.at("currency").get_ref<const std::string&>());
  const auto rule = named<privacy::FilterRule>("rule", json.at("rule").get_ref<const std::string&>());
  if (!currency || !rule) throw BadRecord();
  Declaration declared{.budget = {*currency, amount_from(json.at("total"))},
                       .relation = relation_from(json.at("relation")),
                       .rule = *rule,
                       .slack = decimal_from(json.at("slack")),
                       .schema = json.at("schema"),
                       .source = json.at("source"),
                       .idealised = json.at("idealised").get<bool>(),
                       .custodian = json.at("custodian"),
                       .again = json.at("again")};
  if (json.contains("others")) declared.others = amount_from(json.at("others"));
  return declared;
}

Json json_of(const TermsRecord& record) {
  Json shares = Json::array();
  for (const Share& share : record.shares) shares.push_back({{"analyst", share.analyst}, {"most", amount_json(share.limit)}});
  Json charges = Json::array();
  for (const AdoptedCharge& charge : record.charges) {
    charges.push_back({{"analyst", charge.analyst},
                       {"statement", charge.statement},
                       {"time", charge.time},
                       {"entry_hash", charge.entry_hash},
                       {"loss", loss_json(charge.loss)},
                       {"idealised", charge.idealised}});
  }
  return {{"kind", "terms"},   {"dataset", record.dataset}, {"declared", declaration_json(record.declared)},
          {"shares", shares},  {"time", record.time},       {"adopted", record.adopted},
          {"charges", charges}};
}

Json json_of(const ChargeRecord& record) {
  return {{"kind", "charge"},
          {"dataset", record.dataset},
          {"entry", record.entry},
          {"analyst", record.analyst},
          {"statement", record.statement},
          {"loss", loss_json(record.loss)},
          {"idealised", record.idealised},
          {"source", record.source},
          {"time", record.time}};
}

Json json_of(const FailedScanRecord& record) {
  return {{"kind", "failed-scan"},     {"dataset", record.dataset},     {"entry", record.entry},
          {"analyst", record.analyst}, {"statement", record.statement}, {"time", record.time}};
}

Json json_of(const AmendmentRecord& record) {
  Json json = {{"kind", "amendment"},
               {"dataset", record.dataset},
               {"entry", record.entry},
               {"custodian", record.custodian},
               {"reason", record.reason}};
  if (record.schema) json["schema"] = *record.schema;
  if (record.source) json["source"] = *record.source;
  if (record.relation) json["relation"] = relation_json(*record.relation);
  json["time"] = record.time;
  return json;
}

Json json_of(const PublishedRecord& record) {
  return {{"kind", "published"}, {"dataset", record.dataset}, {"of", record.of}, {"release_hash", record.release_hash}};
}

TermsRecord terms_from(const Json& json) {
  TermsRecord record{json.at("dataset"), declaration_from(json.at("declared")), {}, json.at("time"), json.at("adopted")};
  for (const Json& share : json.at("shares")) record.shares.push_back({share.at("analyst"), amount_from(share.at("most"))});
  for (const Json& charge : json.at("charges")) {
    record.charges.push_back({charge.at("analyst"), charge.at("statement"), charge.at("time"), charge.at("entry_hash"),
                              loss_from(charge.at("loss")), charge.at("idealised")});
  }
  return record;
}

Record record_from(const Json& json) {
  const std::string& kind = json.at("kind").get_ref<const std::string&>();
  if (kind == "terms") return terms_from(json);
  if (kind == "charge") {
    return ChargeRecord{json.at("dataset"),         number_from(json.at("entry")), json.at("analyst"), json.at("statement"),
                        loss_from(json.at("loss")), json.at("idealised"),          json.at("source"),  json.at("time")};
  }
  if (kind == "failed-scan")
    return FailedScanRecord{json.at("dataset"), number_from(json.at("entry")), json.at("analyst"), json.at("statement"), json.at("time")};
  if (kind == "amendment") {
    AmendmentRecord record{json.at("dataset"), number_from(json.at("entry")), json.at("custodian"), json.at("reason"), {}, {}, {},
                           json.at("time")};
    if (json.contains("schema")) record.schema = json.at("schema").get<std::string>();
    if (json.contains("source")) record.source = json.at("source").get<std::string>();
    if (json.contains("relation")) record.relation = relation_from(json.at("relation"));
    return record;
  }
  if (kind == "published") return PublishedRecord{json.at("dataset"), number_from(json.at("of")), json.at("release_hash")};
  throw BadRecord();
}

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of(kHexDigits) == std::string_view::npos;
}

}  // namespace

std::string loss_key(const privacy::Loss& loss) { return loss_json(loss).dump(); }

std::string to_text(const Record& record) {
  // Names and statements are checked to be UTF-8 before they are written (rules.h).
  return std::visit([](const auto& kind) { return json_of(kind); }, record).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Record> record_from_text(std::string_view text) {
  try {
    const Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) return no_record();
    Record record = record_from(json);
    if (to_text(record) != text) return no_record();
    return record;
  } catch (const std::exception&) {
    return no_record();
  }
}

bool is_hash(std::string_view text) { return is_hex(text, 2 * kHashBytes); }

std::string hash_hex(std::string_view bytes, const unsigned char* key) {
  std::array<unsigned char, kHashBytes> hash{};
  // Fails only for invalid lengths; the zeros it would leave match no stored hash.
  (void)crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), key,
                           key == nullptr ? 0 : kKeyBytes);
  std::array<char, 2 * kHashBytes + 1> hex{};
  sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
  return {hex.data(), 2 * kHashBytes};
}

std::string record_hash(std::string_view previous, std::string_view text) {
  return hash_hex(fmt::format("tacet record 3\n{}\n{}", previous, text));
}

std::string header_line(std::string_view name) {
  const std::string text = fmt::format("{}{}", kHeader, name);
  return fmt::format("{}\t{}\n", text, hash_hex(text));
}

bool is_header(std::string_view line) { return line.starts_with(kTitle); }

std::optional<Header> parse_header(std::string_view line) {
  const std::string name(line.substr(std::min(line.size(), kHeader.size()), kNameLength));
  if (!is_hex(name, kNameLength) || header_line(name) != fmt::format("{}\n", line)) return std::nullopt;
  return Header{name, std::string(line.substr(line.rfind('\t') + 1))};
}

std::string record_line(std::string_view text, std::string_view hash, std::string_view tag) {
  return fmt::format("{}\t{}\t{}\n", text, hash, tag);
}

std::optional<Line> parse_line(std::string_view line) {
  const std::size_t last = line.rfind('\t');
  const std::size_t first = last == std::string_view::npos || last == 0 ? last : line.rfind('\t', last - 1);
  if (last == std::string_view::npos || first == std::string_view::npos) return std::nullopt;
  const Line parsed{line.substr(0, first), line.substr(first + 1, last - first - 1), line.substr(last + 1)};
  if (!is_hash(parsed.hash) || !is_hash(parsed.tag)) return std::nullopt;
  return parsed;
}

}  // namespace tacet::kernel
