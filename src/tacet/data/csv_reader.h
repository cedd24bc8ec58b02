// tacet/data/csv_reader.h: the records of a CSV file, by a fixed grammar; nothing is guessed from the contents.
//
//   CsvReader reader(file, schema.csv);
//   while ((step = reader.next()) == CsvReader::Step::Record)
//     for (std::size_t i = 0; i < reader.size(); ++i) use(reader.missing(i), reader.text(i));
//
// Grammar  A line feed ends a record, whatever stands before it; the last line may lack it, and a CR right before a line's end is not
//          part of it. Fields are separated by one delimiter. A field that begins with the quote ends at the next quote that is not
//          escaped, which a delimiter or the line's end must follow; inside, delimiters are ordinary. A quote elsewhere is an ordinary
//          character, as is every other byte: a CR, a NUL, what is no UTF-8. An empty field without quotes is missing. A line without
//          any character holds no record, except in files of one column, where it is a record with a missing field, and where the last
//          line must have its line feed. A byte order mark at the beginning of the file is skipped.
// Misfits  A line that does not fit (a quote left open, text after a closing quote, another number of fields than expected, 64 MiB or
//          more) is a record all the same: each of its fields is unreadable. Its text is kNoText, a byte that is no UTF-8 and so no
//          text that a schema can declare: "other" to a coder, no number to a column of numbers.
//          So every line without exception is read by itself: no line can change what another is, or whether a file can be read.
// Opt-in   With line_breaks_in_quotes a line feed inside quotes is ordinary. Then one open quote takes in the lines after it: a quote
//          left open, text after a closing quote and a record of 64 MiB make the whole file fail.
// Why ours DuckDB's reader guesses line endings and, to split work among threads, where records begin. One thread of ours takes
//          about as long as two of DuckDB's (bench/counts_bench.cc).
// Cost     one pass; memory: a buffer of 1 MiB or the longest record. Fields that nobody asks for are not looked into.
// Gzip     decompressed on the way (zlib) where the file's name ends in .gz; damage makes the file fail.
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

/// What an unreadable field says.
inline constexpr std::string_view kNoText = "\xFF";

class CsvReader {
 public:
  enum class Step : std::uint8_t { Record, End, Failed };

  static constexpr std::size_t kBlock = std::size_t{1} << 20;

  /// Reads `block` bytes at a time, at least 1; what is read does not depend on it.
  CsvReader(const DataFile& file, const CsvDialect& dialect, std::size_t block = kBlock);
  ~CsvReader();
  CsvReader(CsvReader&&) noexcept;
  CsvReader& operator=(CsvReader&&) noexcept = delete;
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  /// From now on a record has this many fields, at least 1: one that was written with another number is a misfit.
  void expect(std::size_t fields) { expected_ = fields; }
  Step next();

  /// False for a misfit, each of whose fields is unreadable.
  bool fits() const { return fields_.empty() || fields_.front().form != Form::Unreadable; }
  std::size_t size() const { return fields_.size(); }
  bool missing(std::size_t field) const { return fields_[field].form == Form::Bare && fields_[field].size == 0; }
  /// Valid until the next call of text() or next().
  std::string_view text(std::size_t field);

  /// How much of the file has been read, from 0 to 1.
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
  std::size_t at_ = 0, end_ = 0;  // what is not yet parsed: buffer_[at_, end_); buffer_[end_] is a line feed
  std::size_t after_ = 0;         // where parse_record stopped
  bool at_start_ = true, marked_ = false, finished_ = false;
  std::vector<Field> fields_;
  std::string unescaped_;
};

}  // namespace tacet::data
