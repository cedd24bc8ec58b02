// tacet/kernel/ledger/record.h: the records of a ledger, one per line, chained by hashes.
//
//   // {"kind":"charge","dataset":"patients","entry":1,...}<TAB>hash<TAB>tag<LF>
//   Record read = *record_from_text(parse_line(line)->text);
// A record is JSON in one canonical form (keys in a fixed order, no spaces, exact decimals); any
// other text is refused. Its hash is BLAKE2b-256 of the previous hash and the text, so a changed,
// moved or missing record breaks the chain. Its tag is made from the hash and the custodian's key
// (seal.h), so nobody else can write one. The first line names the ledger and has no tag.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

/// Sets the terms of a dataset. `adopted` is the name and last hash of the old ledger of
/// `charges`, which are in the same record so that no crash leaves a part of them.
struct TermsRecord {
  std::string dataset;
  Declaration declared;
  std::vector<Share> shares;
  std::string time;
  std::string adopted{};
  std::vector<AdoptedCharge> charges{};
};

/// A paid release.
struct ChargeRecord {
  std::string dataset;
  std::int64_t entry = 0;  // number in the history of the dataset, from 1
  std::string analyst, statement;
  privacy::Loss loss;
  bool idealised = false;
  std::string source;  // the file that was read, if the terms did not name it
  std::string time;
};

/// The data could not be read. A refusal is an answer too, so it is recorded.
struct FailedScanRecord {
  std::string dataset;
  std::int64_t entry = 0;
  std::string analyst, statement, time;
};

/// The custodian changed the terms; absent fields stay as they were.
struct AmendmentRecord {
  std::string dataset;
  std::int64_t entry = 0;
  std::string custodian, reason;
  std::optional<std::string> schema, source;
  std::optional<Relation> relation;
  std::string time;
};

/// The release that entry `of` paid for was written; the hash is that of the file.
struct PublishedRecord {
  std::string dataset;
  std::int64_t of = 0;
  std::string release_hash;
};

using Record = std::variant<TermsRecord, ChargeRecord, FailedScanRecord, AmendmentRecord, PublishedRecord>;

/// A unique text for each loss.
std::string loss_key(const privacy::Loss& loss);

std::string to_text(const Record& record);
/// LedgerCorrupt for any text that to_text does not write.
Result<Record> record_from_text(std::string_view text);

bool is_hash(std::string_view text);
/// Hex of BLAKE2b-256, keyed if `key` is not null.
inline constexpr std::size_t kKeyBytes = 32;
std::string hash_hex(std::string_view bytes, const unsigned char* key = nullptr);
std::string record_hash(std::string_view previous, std::string_view text);

/// The first line of a ledger, with its name.
std::string header_line(std::string_view name);
/// Is it the first line of a ledger of lines, of any format?
bool is_header(std::string_view line);
struct Header {
  std::string name, hash;
};
std::optional<Header> parse_header(std::string_view line);  // without its line feed

struct Line {
  std::string_view text, hash, tag;
};
std::string record_line(std::string_view text, std::string_view hash, std::string_view tag);
std::optional<Line> parse_line(std::string_view line);  // without its line feed

}  // namespace tacet::kernel
