#include "tacet/workflow/release/csv_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/mechanisms/json_file.h"

namespace tacet {
namespace {

constexpr std::size_t kShownOfField = 40;

struct CsvLine {
  std::size_t number;  // of its first line in the file, from 1
  std::vector<std::string> fields;
};

/// Never quotes the file: somebody may give the data of people by mistake.
Error no_table(const std::string& value, const std::string& rule, const std::string& remedy = "") {
  return Error::invalid("values", value, rule, remedy);
}

Error at_line(std::size_t line, const std::string& what, const std::string& rule) {
  return no_table(fmt::format("a file with {} in line {}", what, line), rule);
}

char csv_delimiter(CsvDelimiter delimiter) {
  if (delimiter == CsvDelimiter::Semicolon) return ';';
  return delimiter == CsvDelimiter::Tab ? '\t' : ',';
}

/// Fields of a file, one record after the other.
class CsvFields {
 public:
  CsvFields(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (text_.starts_with(kMark)) at_ = kMark.size();
  }

  /// All records but blank lines.
  Result<std::vector<CsvLine>> lines() {
    std::vector<CsvLine> all;
    while (at_ < text_.size()) {
      CsvLine line{line_, {}};
      TACET_CHECK(record(line));
      if (line.fields.size() > 1 || !line.fields.front().empty()) all.push_back(std::move(line));
    }
    return all;
  }

 private:
  bool at_end_of_line() const { return at_ == text_.size() || text_[at_] == '\n' || text_.substr(at_, 2) == "\r\n"; }

  Status record(CsvLine& line) {
    for (;;) {
      TACET_TRY(std::string field, next_field(line.number));
      line.fields.push_back(std::move(field));
      if (at_end_of_line()) break;
      ++at_;  // the delimiter
    }
    at_ = std::min(text_.size(), at_ + (at_ < text_.size() && text_[at_] == '\r' ? 2 : 1));
    ++line_;
    return {};
  }

  Result<std::string> next_field(std::size_t line) {
    std::string field;
    if (at_ < text_.size() && text_[at_] == '"') {
      for (++at_;; ++at_) {
        if (at_ == text_.size()) return at_line(line, "a quote that is not closed", "must close every quote");
        if (text_[at_] == '\n') ++line_;
        if (text_[at_] != '"') {
          field += text_[at_];
        } else if (text_.substr(at_, 2) == "\"\"") {
          field += '"';
          ++at_;
        } else {
          break;
        }
      }
      ++at_;
      if (!at_end_of_line() && text_[at_] != delimiter_)
        return at_line(line, "text after a quote", "must have a delimiter after a quoted field");
      return field;
    }
    while (!at_end_of_line() && text_[at_] != delimiter_) field += text_[at_++];
    return field;
  }

  std::string_view text_;
  char delimiter_;
  std::size_t at_ = 0, line_ = 1;
};

Result<double> count_of(const CsvLine& line, std::size_t field) {
  std::string_view text = line.fields[field];
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(value)) return value;
  return at_line(line.number, fmt::format("{} as field {}", text.empty() ? "nothing" : "no number", field + 1),
                 "must have a number such as 1234.5 for every count, without separators of thousands");
}

Status check_width(const CsvLine& line, std::size_t width) {
  if (line.fields.size() == width) return {};
  return at_line(line.number, fmt::format("{} field{}", line.fields.size(), line.fields.size() == 1 ? "" : "s"),
                 fmt::format("must have the {} fields of the first line in every line", width));
}

/// Labels of an axis, in the order in which they appear.
class Labels {
 public:
  std::size_t place(const std::string& label) {
    const auto [at, added] = places_.try_emplace(label, order_.size());
    if (added) order_.push_back(label);
    return at->second;
  }
  std::vector<std::string> take() { return std::move(order_); }
  std::size_t size() const { return order_.size(); }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> order_;
};

Status check_distinct(const std::vector<std::string>& labels, const char* what) {
  std::vector<std::string> sorted = labels;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return {};
  return no_table(fmt::format("a file with the same {} twice", what), "must have different labels");
}

Result<CsvTable> wide_table(const std::vector<CsvLine>& lines) {
  const std::vector<std::string>& header = lines.front().fields;
  CsvTable table;
  table.axes.push_back({header.front().empty() ? "rows" : header.front(), {}});
  for (std::size_t i = 1; i < lines.size(); ++i) {
    TACET_CHECK(check_width(lines[i], header.size()));
    table.axes[0].labels.push_back(lines[i].fields.front());
    for (std::size_t j = 1; j < header.size(); ++j) {
      TACET_TRY(const double count, count_of(lines[i], j));
      table.values.push_back(count);
    }
  }
  TACET_CHECK(check_distinct(table.axes[0].labels, "label of a row"));
  table.shape = {lines.size() - 1};
  if (header.size() == 2) return table;
  table.axes.push_back({"columns", {header.begin() + 1, header.end()}});
  TACET_CHECK(check_distinct(table.axes[1].labels, "name of a column"));
  table.shape.push_back(header.size() - 1);
  return table;
}

/// A cell of the long form: its place on each axis.
struct LongCell {
  std::vector<std::size_t> at;
  double count;
  std::size_t line;
};

Result<CsvTable> long_table(const std::vector<CsvLine>& lines, const std::string& count) {
  const std::vector<std::string>& header = lines.front().fields;
  const auto found = std::find(header.begin(), header.end(), count);
  if (found == header.end()) {
    return Error::invalid("count", fmt::format("\"{}\"", count.substr(0, kShownOfField)), "must be a name in the first line of the file",
                          "write it as it is there");
  }
  TACET_CHECK(check_distinct(header, "name of a column"));
  const auto counted = static_cast<std::size_t>(found - header.begin());
  if (header.size() > mechanisms::kMostAxes + 1) {
    return no_table(fmt::format("a file with {} columns", header.size()),
                    fmt::format("must have at most {} columns of categories and one of counts", mechanisms::kMostAxes));
  }
  std::vector<Labels> labels(header.size() - 1);
  std::vector<LongCell> cells;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    TACET_CHECK(check_width(lines[i], header.size()));
    LongCell cell{{}, 0, lines[i].number};
    for (std::size_t j = 0; j < header.size(); ++j) {
      if (j != counted) cell.at.push_back(labels[j - (j > counted ? 1 : 0)].place(lines[i].fields[j]));
    }
    TACET_TRY(cell.count, count_of(lines[i], counted));
    cells.push_back(std::move(cell));
  }
  CsvTable table;
  std::size_t size = 1;
  for (const Labels& one : labels) {
    size = one.size() <= mechanisms::kMostReleasedCells / size ? size * one.size() : mechanisms::kMostReleasedCells + 1;
    if (size > mechanisms::kMostReleasedCells) break;
  }
  if (size != cells.size()) {
    return no_table("a file with too few or too many counts", "must have one for each combination of the categories",
                    "add the missing cells, whose noisy counts are not 0, and leave out totals");
  }
  table.values.assign(size, 0);
  std::vector<bool> seen(size);
  for (const LongCell& cell : cells) {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < labels.size(); ++axis) place = place * labels[axis].size() + cell.at[axis];
    if (seen[place]) return at_line(cell.line, "a combination of categories that was there before", "must have every combination once");
    seen[place] = true;
    table.values[place] = cell.count;
  }
  std::size_t axis = 0;
  for (std::size_t j = 0; j < header.size(); ++j) {
    if (j == counted) continue;
    table.shape.push_back(labels[axis].size());
    table.axes.push_back({header[j], labels[axis++].take()});
  }
  return table;
}

}  // namespace

bool is_csv_name(const std::string& path) { return path.ends_with(".csv") || path.ends_with(".tsv"); }

Result<CsvTable> parse_csv_table(const std::string& text, const CsvTableOptions& options) {
  if (!is_utf8(text)) return no_table("a file that is not UTF-8", "must be UTF-8", "convert it, for example with iconv");
  TACET_TRY(const std::vector<CsvLine> lines, CsvFields(text, csv_delimiter(options.delimiter)).lines());
  if (lines.size() < 2 || lines.front().fields.size() < 2) {
    return no_table(lines.empty()      ? "an empty file"
                    : lines.size() < 2 ? "a file of one line"
                                       : "a file with one column",
                    "must have a line of names, and lines with labels and counts",
                    "a file with semicolons or tabs needs delimiter = semicolon or delimiter = tab");
  }
  if ((lines.size() - 1) > mechanisms::kMostReleasedCells / (lines.front().fields.size() - 1))
    return no_table("too long", fmt::format("must have at most {} cells", mechanisms::kMostReleasedCells));
  return options.count ? long_table(lines, *options.count) : wide_table(lines);
}

Result<CsvTable> read_csv_table(const std::string& path, const CsvTableOptions& options) {
  TACET_TRY(const std::string text, mechanisms::read_text_file(path, "values"));
  return parse_csv_table(text, options);
}

}  // namespace tacet
