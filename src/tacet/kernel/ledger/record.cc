#include "tacet/kernel/ledger/record.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <sodium.h>

#include "tacet/kernel/ledger/record_text.h"

namespace tacet::kernel {
namespace {

constexpr std::size_t kHashBytes = 32;
constexpr std::size_t kNameLength = 32;
constexpr std::string_view kTitle = "tacet-ledger\t";
constexpr std::string_view kHeader = "tacet-ledger\t3\t";  // title and format

Error no_record() {
  return Error::of(Code::LedgerCorrupt, "the ledger holds a record that Tacet did not write",
                   "it was damaged or edited; restore the newest backup and compare it with the releases made since: tacet budget verify");
}

// The fields of each record, in their order. A codec is a RecordWriter or a RecordReader.

constexpr auto kText = [](auto& codec, std::string_view key, auto& value) { codec.text(key, value); };
constexpr auto kAmount = [](auto& codec, std::string_view key, auto& value) { codec.amount(key, value); };
constexpr auto kRelation = [](auto& codec, std::string_view key, auto& value) { codec.relation(key, value); };

/// A text with a few possible values. Budgets and rules are written by their names.
template <class Value, class Named>
void named(RecordWriter& codec, std::string_view key, const Value& value, Named /*named*/) {
  codec.text(key, name(value));
}
template <class Value, class Named>
void named(RecordReader& codec, std::string_view key, Value& value, Named named) {
  std::string text;
  codec.text(key, text);
  if (const auto found = named(text); found.ok()) value = *found;  // what is unknown is written otherwise, and so refused
}

template <class Codec, class Terms>
void declaration_fields(Codec& codec, Terms& declared) {
  named(codec, "currency", declared.budget.currency, privacy::currency_named);
  codec.amount("total", declared.budget.total);
  named(codec, "rule", declared.rule, privacy::rule_named);
  codec.decimal("slack", declared.slack);
  codec.relation("relation", declared.relation);
  codec.text("schema", declared.schema);
  codec.text("source", declared.source);
  codec.flag("idealised", declared.idealised);
  codec.maybe("others", declared.others, privacy::Amount(), kAmount);
  codec.text("custodian", declared.custodian);
  codec.text("again", declared.again);
}

template <class Codec, class Terms>
void terms_fields(Codec& codec, Terms& record) {
  codec.text("dataset", record.dataset);
  codec.object("declared", [&] { declaration_fields(codec, record.declared); });
  codec.list("shares", record.shares, Share(), [&](auto& share) {
    codec.text("analyst", share.analyst);
    codec.amount("most", share.limit);
  });
  codec.text("time", record.time);
  codec.text("adopted", record.adopted);
  codec.list("charges", record.charges, AdoptedCharge(), [&](auto& charge) {
    codec.text("analyst", charge.analyst);
    codec.text("statement", charge.statement);
    codec.text("time", charge.time);
    codec.text("entry_hash", charge.entry_hash);
    codec.loss("loss", charge.loss);
    codec.flag("idealised", charge.idealised);
  });
}

template <class Codec, class Charge>
void charge_fields(Codec& codec, Charge& record) {
  codec.text("dataset", record.dataset);
  codec.number("entry", record.entry);
  codec.text("analyst", record.analyst);
  codec.text("statement", record.statement);
  codec.loss("loss", record.loss);
  codec.flag("idealised", record.idealised);
  codec.text("source", record.source);
  codec.text("time", record.time);
}

template <class Codec, class FailedScan>
void failed_scan_fields(Codec& codec, FailedScan& record) {
  codec.text("dataset", record.dataset);
  codec.number("entry", record.entry);
  codec.text("analyst", record.analyst);
  codec.text("statement", record.statement);
  codec.text("time", record.time);
}

template <class Codec, class Changed>
void amendment_fields(Codec& codec, Changed& record) {
  codec.text("dataset", record.dataset);
  codec.number("entry", record.entry);
  codec.text("custodian", record.custodian);
  codec.text("reason", record.reason);
  codec.maybe("schema", record.schema, std::string(), kText);
  codec.maybe("source", record.source, std::string(), kText);
  codec.maybe("relation", record.relation, Relation(Relation::ReplaceOne), kRelation);
  codec.text("time", record.time);
}

template <class Codec, class Published>
void published_fields(Codec& codec, Published& record) {
  codec.text("dataset", record.dataset);
  codec.number("of", record.of);
  codec.text("release_hash", record.release_hash);
}

/// Tells the kind and the fields. `record` is a Record, const for a writer.
template <class Codec, class AnyRecord>
void all_fields(Codec& codec, AnyRecord& record) {
  if (auto* terms = std::get_if<TermsRecord>(&record)) terms_fields(codec, *terms);
  if (auto* charge = std::get_if<ChargeRecord>(&record)) charge_fields(codec, *charge);
  if (auto* failed = std::get_if<FailedScanRecord>(&record)) failed_scan_fields(codec, *failed);
  if (auto* amendment = std::get_if<AmendmentRecord>(&record)) amendment_fields(codec, *amendment);
  if (auto* published = std::get_if<PublishedRecord>(&record)) published_fields(codec, *published);
}

constexpr std::array<std::string_view, std::variant_size_v<Record>> kKinds = {"terms", "charge", "failed-scan", "amendment", "published"};

/// A record of that kind, to be filled.
std::optional<Record> blank(std::string_view kind) {
  if (kind == kKinds[0]) {
    return TermsRecord{
        .dataset = {},
        .declared = {.budget = {privacy::Currency::PureDp, {}}, .relation = Relation::ReplaceOne, .rule = privacy::FilterRule::Basic},
        .shares = {},
        .time = {}};
  }
  if (kind == kKinds[1]) return ChargeRecord();
  if (kind == kKinds[2]) return FailedScanRecord();
  if (kind == kKinds[3]) return AmendmentRecord();
  if (kind == kKinds[4]) return PublishedRecord();
  return std::nullopt;
}

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

std::string loss_key(const privacy::Loss& loss) {
  RecordWriter writer;
  writer.loss("", loss);
  return std::move(writer).finish();
}

std::string to_text(const Record& record) {
  RecordWriter writer;
  writer.text("kind", kKinds[record.index()]);
  all_fields(writer, record);
  return std::move(writer).finish();
}

Result<Record> record_from_text(std::string_view text) {
  RecordReader reader(text);
  std::string kind;
  reader.text("kind", kind);
  std::optional<Record> record = reader.good() ? blank(kind) : std::nullopt;
  if (!record) return no_record();
  all_fields(reader, *record);
  // One record, one text: 0.50 is read, and not what would be written.
  if (!std::move(reader).finish() || to_text(*record) != text) return no_record();
  return *std::move(record);
}

bool is_hash(std::string_view text) { return is_hex(text, 2 * kHashBytes); }

std::string hash_hex(std::string_view bytes) {
  std::array<unsigned char, kHashBytes> hash{};
  // Fails only for lengths out of its range, which these are not; the zeros it would leave match no stored hash.
  (void)crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr, 0);
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
  if (!line.starts_with(kHeader)) return std::nullopt;
  const std::size_t tab = line.find('\t', kHeader.size());
  if (tab == std::string_view::npos) return std::nullopt;
  const std::string_view name = line.substr(kHeader.size(), tab - kHeader.size());
  const std::string_view hash = line.substr(tab + 1);
  if (!is_hex(name, kNameLength) || hash != hash_hex(line.substr(0, tab))) return std::nullopt;
  return Header{std::string(name), std::string(hash)};
}

std::string record_line(std::string_view text, std::string_view hash, std::string_view tag) {
  return fmt::format("{}\t{}\t{}\n", text, hash, tag);
}

std::optional<Line> parse_line(std::string_view line) {
  const std::size_t last = line.rfind('\t');
  const std::size_t first = last == std::string_view::npos || last == 0 ? last : line.rfind('\t', last - 1);
  if (last == std::string_view::npos || first == std::string_view::npos) return std::nullopt;
  const Line parsed{line.substr(0, first), line.substr(first + 1, last - first - 1), line.substr(last + 1)};
  if (!is_hash(parsed.tag)) return std::nullopt;  // the hash is compared with the right one
  return parsed;
}

}  // namespace tacet::kernel
