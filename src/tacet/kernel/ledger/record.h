// tacet/kernel/ledger/record.h: what stands in a ledger, one record a line, and the chain of hashes over them.
//
//   {"kind":"charge","dataset":"patients","entry":1,...}<TAB>hash<TAB>tag<LF>
//
// The text of a record is JSON in one canonical form: keys in a fixed order, no spaces, amounts as exact decimals. Its hash is BLAKE2b-256 over
// the hash before it and the text, so that a record that is changed, moved or missing breaks the chain for everybody; its tag is over the
// hash under the custodian's key (seal.h), so that nobody else can write one. The first line names the ledger and has no tag.
// A text that is not canonical is refused: one record, one text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// A dataset gets its terms. `adopted` names the old ledger that its earlier entries come from: its name and last hash. These are in the
/// same record, so that no crash leaves a part of them.
struct TermsRecord {
  std::string dataset;
  Declaration declared;
  std::vector<Share> shares;
  std::string time;
  std::string adopted{};
  std::vector<AdoptedCharge> charges{};
};

/// A release was paid for.
struct ChargeRecord {
  std::string dataset;
  std::int64_t entry = 0;  // its number in the dataset's history, from 1
  std::string analyst, statement;
  privacy::Loss loss;
  bool idealised = false;
  std::string source;  // what was read, where the terms did not say it before
  std::string time;
};

/// The data could not be read. A refusal is an answer too, so it is written down.
struct FailedScanRecord {
  std::string dataset;
  std::int64_t entry = 0;
  std::string analyst, statement, time;
};

/// The custodian changed the terms; what is not named stays.
struct AmendmentRecord {
  std::string dataset;
  std::int64_t entry = 0;
  std::string custodian, reason;
  std::optional<std::string> schema, source;
  std::optional<Relation> relation;
  std::string time;
};

/// The release that entry `of` paid for was written; the hash is of the file's contents.
struct PublishedRecord {
  std::string dataset;
  std::int64_t of = 0;
  std::string release_hash;
};

using Record = std::variant<TermsRecord, ChargeRecord, FailedScanRecord, AmendmentRecord, PublishedRecord>;

/// One text for each loss.
std::string loss_key(const privacy::Loss& loss);

std::string to_text(const Record& record);
/// LedgerCorrupt for anything but what to_text writes.
Result<Record> record_from_text(std::string_view text);

bool is_hash(std::string_view text);
/// Hex of BLAKE2b-256.
std::string hash_hex(std::string_view bytes);
std::string record_hash(std::string_view previous, std::string_view text);

/// The first line of a ledger, and the name in it.
std::string header_line(std::string_view name);
/// Is it one of a format of lines, this or another?
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
