// CSV files. The first byte chooses the dialect, the second the size of a block; the rest is the file.
//
// Holds    reading ends; the records do not depend on the blocks in which the file is read; and they are those of the grammar in
//          csv_reader.h, read here a second time, one character after the other.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/data/csv_reader.h"
#include "tacet/data/text.h"

#include "support.h"

namespace {

using tacet::data::CsvDialect;
using tacet::data::CsvReader;
using tacet::data::DataFile;
using tacet::fuzz::must;

struct Field {
  bool missing;
  std::string text;
  bool operator==(const Field&) const = default;
};
using Records = std::vector<std::vector<Field>>;

/// Bits of the first byte. '0' is the usual dialect.
CsvDialect dialect_of(unsigned choice) {
  CsvDialect dialect;
  if ((choice & 1U) != 0) dialect.delimiter = ';';
  if ((choice & 2U) != 0) dialect.quote = '\'';
  if ((choice & 4U) != 0) dialect.quote.reset();
  if ((choice & 8U) != 0 && dialect.quote) dialect.escape = '\\';
  return dialect;
}

/// Everything in the file, or nothing where it is malformed. With `alike` all records must have as many fields as the first.
std::optional<Records> read(const DataFile& file, const CsvDialect& dialect, bool alike, std::size_t block) {
  CsvReader reader(file, dialect, block);
  Records records;
  for (;;) {
    const CsvReader::Step step = reader.next();
    if (step == CsvReader::Step::Malformed) return std::nullopt;
    if (step == CsvReader::Step::End) return records;
    records.emplace_back();
    for (std::size_t i = 0; i < reader.size(); ++i) records.back().push_back({reader.missing(i), std::string(reader.text(i))});
    if (alike) reader.expect(records.front().size());
  }
}

/// The same by the grammar alone.
class Oracle {
 public:
  Oracle(std::string_view text, const CsvDialect& dialect) : text_(text), dialect_(dialect) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  std::optional<Records> read(bool alike) {
    Records records;
    std::size_t expected = 0;
    while (at_ < text_.size()) {
      const std::size_t from = at_;
      std::vector<Field> fields;
      do {
        std::optional<Field> field = next_field();
        if (!field) return std::nullopt;
        fields.push_back(*std::move(field));
      } while (take(dialect_.delimiter.value_or(',')));
      if (!take_line_end()) return std::nullopt;
      if (!tacet::data::is_utf8(text_.substr(from, at_ - from))) return std::nullopt;
      if (expected > 1 && fields.size() == 1 && fields[0].missing) continue;
      if (expected != 0 && fields.size() != expected) return std::nullopt;
      records.push_back(std::move(fields));
      if (alike) expected = records.front().size();
    }
    return records;
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take_line_end() {
    if (at_end()) return true;
    if (take('\r') && at_end()) return false;
    return take('\n');
  }

  std::optional<Field> next_field() {
    std::string text;
    if (dialect_.quote && take(*dialect_.quote)) {
      const char escape = dialect_.escape.value_or(*dialect_.quote);
      for (;;) {
        if (at_end()) return std::nullopt;
        const char c = text_[at_++];
        const bool escapes = c == escape && !at_end() && (text_[at_] == *dialect_.quote || text_[at_] == escape);
        if (!escapes && c == *dialect_.quote) break;
        text += escapes ? text_[at_++] : c;
      }
      const char delimiter = dialect_.delimiter.value_or(',');
      if (!at_end() && text_[at_] != delimiter && text_[at_] != '\n' && text_[at_] != '\r') return std::nullopt;
      return Field{false, text};
    }
    while (!at_end() && text_[at_] != dialect_.delimiter.value_or(',') && text_[at_] != '\n' && text_[at_] != '\r') text += text_[at_++];
    return Field{text.empty(), text};
  }

  std::string_view text_;
  CsvDialect dialect_;
  std::size_t at_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  static const tacet::fuzz::MemoryFile scratch("people.csv");
  const std::string_view contents = tacet::fuzz::as_text(data + 2, size - 2);
  const CsvDialect dialect = dialect_of(data[0]);
  const bool alike = (data[0] & 64U) != 0;
  scratch.write(contents);
  const auto file = DataFile::open(scratch.path());
  must(file.ok(), "a scratch file can be opened");

  const std::optional<Records> whole = read(*file, dialect, alike, contents.size() + 1);
  must(read(*file, dialect, alike, 1 + data[1] % 32U) == whole, "records do not depend on the blocks in which a file is read");
  if (!contents.starts_with("\x1F\x8B")) must(Oracle(contents, dialect).read(alike) == whole, "records are those of the grammar");
  return 0;
}
