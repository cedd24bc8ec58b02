// CSV files. The first byte chooses the dialect, the second the size of a block; the rest is the
// file.
//
// Holds    reading ends; the records do not depend on the blocks in which the file is read; and,
//          where a line feed ends a record, every line is read by itself: it gives the same record
//          when it is the only one after the first line. No contents make a file fail, but for one
//          column whose last line lacks its line feed.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacet/data/csv_reader.h"
#include "tacet/schemas/data_path.h"

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
  dialect.line_breaks_in_quotes = (choice & 32U) != 0 && (choice & 16U) == 0;
  return dialect;
}

/// Everything in the file, or nothing where it fails. With `alike` all records must have as many
/// fields as the first.
std::optional<Records> read(const DataFile& file, const CsvDialect& dialect, bool alike, std::size_t block) {
  CsvReader reader(file, dialect, block);
  Records records;
  for (;;) {
    const CsvReader::Step step = reader.next();
    if (step == CsvReader::Step::Failed) return std::nullopt;
    if (step == CsvReader::Step::End) return records;
    records.emplace_back();
    for (std::size_t i = 0; i < reader.size(); ++i) records.back().push_back({reader.missing(i), std::string(reader.text(i))});
    if (alike) reader.expect(records.front().size());
  }
}

/// The lines of a file with their line feeds; the last may lack it.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t stop = text.find('\n');
    lines.push_back(text.substr(0, stop == std::string_view::npos ? text.size() : stop + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

/// One line alone, after the first one, gives what it gives among the others; and the lines up to
/// it give the records up to it. One line of each input is enough: a file takes a hundred times as
/// long as its line.
void check_line(const tacet::fuzz::MemoryFile& scratch, std::string_view contents, unsigned choice, const CsvDialect& dialect,
                const Records& whole) {
  const std::vector<std::string_view> lines = lines_of(contents);
  if (lines.size() < 2) return;
  const std::string_view line = lines[1 + choice % (lines.size() - 1)];
  const auto read_again = [&](const std::string& text) {
    scratch.write(text);
    const auto file = tacet::schemas::open_data(scratch.path());
    const std::optional<Records> records = read(*file, dialect, /*alike=*/true, contents.size() + 1);
    must(records.has_value() && !records->empty(), "a line cannot make a file fail");
    return *records;
  };
  const Records alone = read_again(std::string(lines[0]) + std::string(line));
  const Records up_to_it = read_again(std::string(contents.substr(0, static_cast<std::size_t>(line.end() - contents.begin()))));
  must(up_to_it.size() <= whole.size() && std::equal(up_to_it.begin(), up_to_it.end(), whole.begin()),
       "the first lines give the first records");
  if (alone.size() == 1) return;  // a line without any character holds no record
  must(alone.size() == 2, "a line is one record");
  must(alone[1] == up_to_it.back(), "a line is read by itself");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  static const tacet::fuzz::MemoryFile scratch("people.csv");
  const std::string_view contents = tacet::fuzz::as_text(data + 2, size - 2);
  const CsvDialect dialect = dialect_of(data[0]);
  scratch.write(contents);
  const auto file = tacet::schemas::open_data(scratch.path());
  must(file.ok(), "a scratch file can be opened");

  const std::optional<Records> whole = read(*file, dialect, /*alike=*/true, contents.size() + 1);
  must(read(*file, dialect, /*alike=*/true, 1 + data[1] % 32U) == whole, "records do not depend on the blocks in which a file is read");
  if (dialect.line_breaks_in_quotes) return 0;
  if (!whole) {
    scratch.write(std::string(contents) + "\n");
    const std::optional<Records> ended = read(*file, dialect, /*alike=*/true, contents.size() + 2);
    must(!contents.ends_with('\n') && ended && ended->front().size() == 1, "only a last line of one column needs its line feed");
    return 0;
  }
  if (!whole->empty() && !contents.starts_with('\n')) check_line(scratch, contents, data[1] / 32U, dialect, *whole);
  return 0;
}
