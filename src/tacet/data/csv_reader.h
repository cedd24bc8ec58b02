// tacet/data/csv_reader.h: reads CSV by a fixed grammar; guesses nothing from the contents.
//
//   CsvReader reader(file, schema.csv); CsvReader::Step step;
//   while ((step = reader.next()) == CsvReader::Step::Record)
//     for (std::size_t i = 0; i < reader.size(); ++i) show(reader.missing(i), reader.text(i));
// Grammar  A line feed ends a record; the last line may lack it; a CR before the end of a line is
//          dropped. One delimiter separates fields. A field that begins with the quote ends at the
//          next unescaped quote, followed by a delimiter or the end of the line. All other bytes
//          are ordinary. An empty field without quotes is missing. A blank line is no record,
//          except in a file of one column: there it is a missing field, and the last line needs
//          its line feed. A byte order mark at the start is skipped.
// Misfits  A line that does not fit (open quote, text after a closing quote, wrong number of
//          fields, 64 MiB or more) is still one record, whose fields are all kNoText: "other" in
//          a category, missing as a number. No line changes another, or if the file can be read.
// Opt-in   With line_breaks_in_quotes a line feed inside quotes is ordinary. Then an open quote,
//          text after a closing quote or a record of 64 MiB fails the whole file.
// Cost     one pass; memory: 1 MiB or the longest record (bench/counts_bench.cc).
// Gzip     zlib decompresses files named .gz; damage fails the file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/data/data_file.h"
#include "tacet/data/schema.h"
#include "tacet/data/stored_column.h"

namespace tacet::data {

class CsvReader {
 public:
  enum class Step : std::uint8_t { Record, End, Failed };

  static constexpr std::size_t kBlock = std::size_t{1} << 20;

  /// Reads `block` >= 1 bytes at a time; the records do not depend on it.
  CsvReader(const DataFile& file, const CsvDialect& dialect, std::size_t block = kBlock);
  ~CsvReader();
  CsvReader(CsvReader&&) noexcept;
  CsvReader& operator=(CsvReader&&) noexcept = delete;
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  /// From now on a record has this many fields, at least 1; any other number is a misfit.
  void expect(std::size_t fields) { expected_ = fields; }
  Step next();

  /// False for a misfit: all its fields are unreadable.
  bool fits() const { return fields_.empty() || fields_.front().form != Form::Unreadable; }
  std::size_t size() const { return fields_.size(); }
  bool missing(std::size_t field) const { return fields_[field].form == Form::Bare && fields_[field].size == 0; }
  /// Valid until the next call of text() or next().
  std::string_view text(std::size_t field);

  /// The part of the file that has been read, from 0 to 1.
  double fraction() const;

 private:
  class Stream;
  enum class Form : std::uint8_t { Bare, Quoted, Escaped, Unreadable };
  struct Field {
    std::size_t begin, size;  // in buffer_, without the quotes
    Form form;
  };
  enum class Parsed : std::uint8_t { Record, Misfit, Incomplete, Failed };

  Parsed parse_record();
  Parsed misfit(std::size_t at);
  std::size_t closing_quote(std::size_t at, Form& form) const;
  bool refill();     // false: the file cannot be read
  bool skip_line();  // false: the file cannot be read
  Step unreadable();

  std::unique_ptr<Stream> stream_;
  char delimiter_, quote_, escape_;
  bool quotes_, line_breaks_;
  std::size_t expected_ = 0;  // 0: any
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;  // not yet parsed: buffer_[at_, end_); then a line feed
  std::size_t after_ = 0;         // where parse_record stopped
  bool at_start_ = true, marked_ = false, finished_ = false;
  std::vector<Field> fields_;
  std::string unescaped_;
};

}  // namespace tacet::data
