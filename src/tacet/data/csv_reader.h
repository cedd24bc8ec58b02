// tacet/data/csv_reader.h: the records of a CSV file, by a fixed grammar; nothing is guessed from the contents.
//
//   CsvReader reader(file, schema.csv);
//   while ((step = reader.next()) == CsvReader::Step::Record)
//     for (std::size_t i = 0; i < reader.size(); ++i) use(reader.missing(i), reader.text(i));
//
// Grammar  Records end in LF or CR LF; the last may lack it. Fields are separated by one delimiter. A field that begins with the
//          quote ends at the next quote that is not escaped, which a delimiter or the record's end must follow; inside, line breaks
//          and delimiters are ordinary. A quote elsewhere is an ordinary character. An empty field without quotes is missing. A
//          line without any character holds no record, except in files of one column, where it is a record with a missing field.
//          A byte order mark at the beginning is skipped. Anything else (another number of fields, a quote left open, a lone CR
//          outside quotes, bytes that are not UTF-8, a record longer than 64 MiB) makes the file malformed.
//          So a record's fields depend on the record alone: rows cannot shift each other.
// Why ours DuckDB's reader guesses line endings and, to split work among threads, where records begin. One thread of ours takes
//          about as long as two of DuckDB's (bench/counts_bench.cc).
// Cost     one pass; memory: a buffer of 1 MiB or the longest record.
// Gzip     decompressed on the way (zlib), told from the first bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/data/data_file.h"
#include "tacet/data/schema.h"

namespace tacet::data {

class CsvReader {
 public:
  enum class Step : std::uint8_t { Record, End, Malformed };

  static constexpr std::size_t kBlock = std::size_t{1} << 20;

  /// Reads `block` bytes at a time, at least 1; what is read does not depend on it.
  CsvReader(const DataFile& file, const CsvDialect& dialect, std::size_t block = kBlock);
  ~CsvReader();
  CsvReader(CsvReader&&) noexcept;
  CsvReader& operator=(CsvReader&&) noexcept = delete;
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  /// From now on a record must have this many fields.
  void expect(std::size_t fields) { expected_ = fields; }
  Step next();

  std::size_t size() const { return fields_.size(); }
  bool missing(std::size_t field) const { return !fields_[field].quoted && fields_[field].size == 0; }
  /// Valid until the next call of text() or next().
  std::string_view text(std::size_t field);

  /// How much of the file has been read, from 0 to 1.
  double fraction() const;

 private:
  class Stream;
  struct Field {
    std::size_t begin, size;  // in buffer_, without the quotes
    bool quoted, escaped;
  };
  enum class Parsed : std::uint8_t { Record, Incomplete, Malformed };

  Parsed parse_record();
  std::size_t field_end(std::size_t at) const;
  bool refill();  // false: the file cannot be read, or the record is too long

  std::unique_ptr<Stream> stream_;
  char delimiter_, quote_, escape_;
  bool quotes_;
  std::size_t expected_ = 0;  // 0: any
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;  // what is not yet parsed: buffer_[at_, end_); buffer_[end_] is a line feed
  std::size_t after_ = 0;         // where parse_record stopped
  bool at_start_ = true, finished_ = false, ascii_ = true;
  std::vector<Field> fields_;
  std::string unescaped_;
};

}  // namespace tacet::data
