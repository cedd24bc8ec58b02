#include "tacet/schemas/profile/dialect_guess.h"

#include <zlib.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/data/csv_reader.h"
#include "tacet/data/stored_column.h"

namespace tacet::schemas {
namespace {

using data::CsvDialect;
using data::CsvReader;

/// The first records, read in one dialect.
struct Sample {
  std::size_t width = 0;  // of the first record
  int records = 0, fitting = 0, broken = 0;
  int quoted = 0, apostrophes = 0;   // fields within quotes that are ordinary characters here
  std::vector<bool> numbers_first;   // is the first field of a column a number?
  std::vector<int> numbers, values;  // the others of the column

  double share() const { return width < 2 || records == 0 ? 0 : static_cast<double>(fitting) / records; }
};

bool is_number(std::string_view text) {
  return !std::isnan(data::read_number(text)) || !std::isnan(data::read_number(text, {.date = true})) ||
         !std::isnan(data::read_number(text, {.decimal = ','}));
}

bool within(std::string_view text, char quote) { return text.size() > 1 && text.front() == quote && text.back() == quote; }

Sample sample(const data::DataFile& file, const CsvDialect& dialect) {
  Sample out;
  CsvReader reader(file, dialect);
  for (; out.records < kGuessedRecords; ++out.records) {
    const CsvReader::Step step = reader.next();
    if (step == CsvReader::Step::Failed) ++out.broken;
    if (step != CsvReader::Step::Record) break;
    if (!reader.fits()) {
      ++out.broken;
      continue;
    }
    if (out.width == 0) out.width = reader.size();
    if (reader.size() == out.width) ++out.fitting;
    if (out.width != reader.size()) continue;
    out.numbers_first.resize(out.width);
    out.numbers.resize(out.width);
    out.values.resize(out.width);
    for (std::size_t i = 0; i < out.width; ++i) {
      const std::string text(reader.text(i));
      out.quoted += within(text, '"') ? 1 : 0;
      out.apostrophes += within(text, '\'') ? 1 : 0;
      if (out.fitting == 1) {
        out.numbers_first[i] = is_number(text);
      } else if (!data::trimmed(text).empty()) {
        ++out.values[i];
        out.numbers[i] += is_number(text) ? 1 : 0;
      }
    }
  }
  return out;
}

/// Is the first line names (true) or a row (false)? Columns of numbers tell.
std::optional<bool> header_of(const Sample& sample) {
  int columns = 0, first = 0;
  for (std::size_t i = 0; i < sample.numbers.size(); ++i) {
    if (sample.values[i] == 0 || sample.numbers[i] * 10 < sample.values[i] * 9) continue;
    ++columns;
    first += sample.numbers_first[i] ? 1 : 0;
  }
  if (columns == 0) return std::nullopt;
  if (first == 0) return true;
  return first == columns ? std::optional(false) : std::nullopt;
}

std::string first_bytes_of(const data::DataFile& file) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> bytes(gzopen(file.descriptor_path().c_str(), "rbe"), gzclose_r);
  std::array<char, 4096> head{};
  const int got = bytes == nullptr ? 0 : gzread(bytes.get(), head.data(), static_cast<unsigned>(head.size()));
  return {head.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

bool is_utf16(std::string_view head) {
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) return true;
  std::size_t zeros = 0;
  for (const char c : head) zeros += c == '\0' ? 1 : 0;
  return zeros * 4 > head.size() && head.size() > 1;
}

}  // namespace

DialectProfile guess_dialect(const data::DataFile& file, const CsvDialect& declared) {
  DialectProfile guess;
  const std::string head = first_bytes_of(file);
  guess.byte_order_mark = head.starts_with("\xEF\xBB\xBF");
  guess.utf16 = is_utf16(head);
  if (guess.utf16 || head.empty()) return guess;

  CsvDialect dialect = declared;
  const char used = declared.delimiter.value_or(file.delimiter());
  Sample best = sample(file, declared);
  constexpr double kClearly = 0.1, kMost = 0.8;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    if (delimiter == used || declared.quote == delimiter || declared.escape == delimiter) continue;
    CsvDialect other = declared;
    other.delimiter = delimiter;
    Sample found = sample(file, other);
    if (found.share() < kMost || found.share() < best.share() + kClearly) continue;
    best = std::move(found);
    guess.delimiter = delimiter;
    dialect = other;
  }

  CsvDialect none = dialect, apostrophe = dialect, breaks = dialect;
  none.quote.reset();
  none.escape.reset();
  none.line_breaks_in_quotes = false;
  apostrophe.quote = '\'';
  breaks.line_breaks_in_quotes = true;
  const auto tidy = [&](const Sample& found) { return found.broken == 0 && found.fitting == found.records && found.width == best.width; };
  if (dialect.quote && !dialect.line_breaks_in_quotes && !tidy(best) && tidy(sample(file, breaks))) {
    guess.line_breaks_in_quotes = true;
  } else if (dialect.quote && best.broken > 0 && tidy(sample(file, none))) {
    guess.quote = '\0';
  } else if (best.apostrophes * 4 > best.records && dialect.quote != '\'' && dialect.delimiter != '\'' && tidy(sample(file, apostrophe))) {
    guess.quote = '\'';
  } else if (!dialect.quote && best.quoted * 4 > best.records) {
    guess.quote = '"';
  }
  const std::optional<bool> header = header_of(best);
  if (header && *header != declared.header) guess.header = header;
  return guess;
}

}  // namespace tacet::schemas
