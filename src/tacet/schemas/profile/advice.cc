#include "tacet/schemas/profile/advice.h"

#include <algorithm>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/canonical_schema.h"
#include "tacet/data/stored_column.h"
#include "tacet/schemas/profile/number_forms.h"

namespace tacet::schemas {
namespace {

constexpr std::size_t kQuoted = 5;  // texts in one sentence

std::string rows_words(std::int64_t count, std::int64_t rows) {
  return fmt::format("{} row{}{}", grouped(count), count == 1 ? "" : "s",
                     rows > 0 ? fmt::format(" ({:.3g} %)", 100.0 * static_cast<double>(count) / static_cast<double>(rows)) : "");
}
std::string times(std::int64_t count) { return count == 1 ? "once" : fmt::format("{} times", grouped(count)); }

std::string quoted_counts(const std::vector<TextCount>& texts) {
  std::string out;
  for (std::size_t i = 0; i < std::min(texts.size(), kQuoted); ++i)
    out += fmt::format("{}{} {}", i == 0 ? "" : ", ", in_quotes(texts[i].text), times(texts[i].rows));
  if (texts.size() > kQuoted) out += ", and others";
  return out;
}

/// What may be declared as missing_values, as TOML; empty if there is none.
std::string missing_line(const std::vector<TextCount>& texts) {
  std::string list;
  for (const TextCount& one : texts) {
    if (is_missing_word(one.text)) list += fmt::format("{}{}", list.empty() ? "" : ", ", in_quotes(one.text));
  }
  return list.empty() ? "" : fmt::format("missing_values = [{}]", list);
}

void advise_on_dialect(const DialectProfile& dialect, std::vector<std::string>& out) {
  if (dialect.utf16) {
    out.emplace_back(
        "the file is written in UTF-16, of which nothing can be read as declared: convert it to UTF-8 "
        "(iconv -f UTF-16 -t UTF-8)");
  }
  if (dialect.byte_order_mark) out.emplace_back("the file begins with a byte order mark, which does no harm: it is skipped");
  if (dialect.delimiter) {
    const std::string shown = *dialect.delimiter == '\t' ? R"("\t")" : in_quotes(std::string(1, *dialect.delimiter));
    out.push_back(fmt::format("this looks like fields separated by {}: write under [csv]: delimiter = {}",
                              *dialect.delimiter == ';'    ? "semicolons"
                              : *dialect.delimiter == '\t' ? "tabs"
                              : *dialect.delimiter == '|'  ? "bars"
                                                           : "commas",
                              shown));
  }
  if (dialect.line_breaks_in_quotes) {
    out.emplace_back(
        "fields in quotes seem to hold line breaks, so that a person is several lines: write under [csv]: "
        "line_breaks_in_quotes = true, if a program wrote the quotes (the page on schemas says what it costs)");
  }
  if (dialect.quote == '\0') out.emplace_back(R"(quotes seem to be ordinary characters: write under [csv]: quote = "")");
  if (dialect.quote == '\'') out.emplace_back(R"(fields seem to be in single quotes: write under [csv]: quote = "'")");
  if (dialect.quote == '"') out.emplace_back(R"(fields seem to be in double quotes: delete under [csv] the line: quote = "")");
  if (dialect.header == true) {
    out.emplace_back("the first line looks like names, but counts as a person: if it is names, delete under [csv]: header = false");
  } else if (dialect.header == false) {
    out.emplace_back(
        "the first line looks like a person, not like names: if it is, write under [csv]: header = false, and declare "
        "every column, in order");
  }
}

bool same_but_for_case(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return a != b && std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

/// The first text that counts as other and differs from a category of other rows in case alone.
std::string case_words(const ColumnProfile& column, const std::vector<std::string>& labels) {
  const auto used = [&](const std::string& label) {
    return std::none_of(column.unused.begin(), column.unused.end(), [&](const UnusedCategory& one) { return one.category == label; });
  };
  for (const TextCount& one : column.undeclared) {
    const std::string text(data::trimmed(one.text));
    const auto label =
        std::find_if(labels.begin(), labels.end(), [&](const std::string& each) { return same_but_for_case(text, each) && used(each); });
    if (label == labels.end()) continue;
    return fmt::format("; {} differs from the category {} in upper and lower case alone: write the file in one way", in_quotes(text),
                       in_quotes(*label));
  }
  return {};
}

void advise_on_categories(const ColumnProfile& column, const data::Column& declared, std::int64_t rows, std::vector<std::string>& out) {
  const std::string name = fmt::format("column {}: ", in_quotes(column.name));
  std::string never;
  for (const UnusedCategory& unused : column.unused) {
    if (unused.instead) {
      out.push_back(fmt::format("{}category {} never occurs, but {} does {}: write it so", name, in_quotes(unused.category),
                                in_quotes(unused.instead->text), times(unused.instead->rows)));
    } else {
      never += fmt::format("{}{}", never.empty() ? "" : ", ", in_quotes(unused.category));
    }
  }
  if (!never.empty()) out.push_back(fmt::format("{}no row has {}; keep what is possible, and mend what is misspelt", name, never));
  if (column.other.value_or(0) == 0) return;
  const std::string cell = in_quotes(declared.categories->labels[declared.categories->other]);
  std::string said = fmt::format("{}{} {} no declared category and count{} as {}", name, rows_words(*column.other, rows),
                                 *column.other == 1 ? "has" : "have", *column.other == 1 ? "s" : "", cell);
  if (!column.undeclared.empty()) said += ": " + quoted_counts(column.undeclared);
  if (!column.all_texts) said += " (of the texts that come first; there are too many to count all)";
  if (const std::string line = missing_line(column.undeclared); !line.empty())
    said += fmt::format("; if that means a missing value, write {}", line);
  out.push_back(said + case_words(column, declared.categories->labels));
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) out += fmt::format("{}{}", i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ", lines[i]);
  return out;
}

void advise_on_numbers(const ColumnProfile& column, const data::Column& declared, std::int64_t rows, std::vector<std::string>& out) {
  const NumberProfile& numbers = *column.numbers;
  const std::string name = fmt::format("column {}: ", in_quotes(column.name));
  const bool date = declared.text.date;
  if (numbers.not_numbers > 0) {
    std::string said = fmt::format("{}{} {} no {} and count{} as missing", name, rows_words(numbers.not_numbers, rows),
                                   numbers.not_numbers == 1 ? "is" : "are",
                                   date                       ? "date"
                                   : numbers.not_numbers == 1 ? "number"
                                                              : "numbers",
                                   numbers.not_numbers == 1 ? "s" : "");
    if (!numbers.texts.empty()) said += ": " + quoted_counts(numbers.texts);
    if (numbers.other_dates > 0) {
      said += "; dates are read in the order 2024-05-31 alone, so write them so in the file";
    } else if (numbers.written && !numbers.written->form.usual() && !date) {
      said += fmt::format("; {} of them would be {} with {}", grouped(numbers.written->rows),
                          numbers.written->form.date ? "dates" : "numbers", joined(lines_for(numbers.written->form)));
    }
    if (const std::string line = missing_line(numbers.texts); !line.empty()) said += fmt::format("; {} would say so", line);
    out.push_back(std::move(said));
  }
  if (declared.bounds) {
    const auto clamped = [&](std::int64_t count, const char* side, const char* field, const Decimal& bound) {
      if (count == 0) return;
      out.push_back(fmt::format("{}{} {} {} {} = {} and count{} as it; is that bound what is possible?", name, rows_words(count, rows),
                                count == 1 ? "is" : "are", side, field, data::number_text(bound, date), count == 1 ? "s" : ""));
    };
    clamped(numbers.below, "below", "lower", declared.bounds->lower);
    clamped(numbers.above, "above", "upper", declared.bounds->upper);
  }
  if (const std::int64_t outside = numbers.outside_bins.value_or(0); outside > 0) {
    out.push_back(fmt::format("{}{} {} outside of all bins and count{} in the nearest", name, rows_words(outside, rows),
                              outside == 1 ? "is" : "are", outside == 1 ? "s" : ""));
  }
}

void advise_on_people(const PeopleProfile& people, const data::Contributions& limit, std::int64_t rows, std::vector<std::string>& out) {
  if (people.over > 0) {
    const std::string kept = limit.groups ? fmt::format("{} rows in each of {} groups", limit.rows, *limit.groups)
                                          : fmt::format("{} row{}", limit.rows, limit.rows == 1 ? "" : "s");
    out.push_back(fmt::format("{} of {} people ({:.3g} %) have more than the {} that count, up to {}: {}{} are dropped",
                              grouped(people.over), grouped(people.people),
                              100.0 * static_cast<double>(people.over) / static_cast<double>(people.people), kept,
                              grouped(people.most_rows), limit.groups ? "at least " : "", rows_words(people.dropped, rows)));
  }
  if (people.nameless > 0) {
    out.push_back(fmt::format("{} {} nobody in column {} and {} dropped", rows_words(people.nameless, rows),
                              people.nameless == 1 ? "names" : "name", in_quotes(limit.person), people.nameless == 1 ? "is" : "are"));
  }
}

}  // namespace

std::string grouped(std::int64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t at = digits.size(); at > 3 && digits[at - 4] != '-';) digits.insert(at -= 3, ",");
  return digits;
}

std::string with_share(std::int64_t count, std::int64_t rows) {
  if (rows <= 0) return grouped(count);
  return fmt::format("{} ({:.3g} %)", grouped(count), 100.0 * static_cast<double>(count) / static_cast<double>(rows));
}

std::vector<std::string> lines_for(const data::NumberText& form) {
  std::vector<std::string> lines;
  if (form.date) lines.emplace_back("date = true");
  if (form.thousands) lines.push_back(fmt::format("thousands = {}", in_quotes(std::string(1, *form.thousands))));
  if (form.decimal != '.') lines.push_back(fmt::format("decimal = {}", in_quotes(std::string(1, form.decimal))));
  if (!form.unit.empty()) lines.push_back(fmt::format("unit = {}", in_quotes(form.unit)));
  return lines;
}

std::vector<std::string> advice_on(const FileProfile& profile, const data::Schema& schema) {
  std::vector<std::string> out;
  if (profile.dialect) advise_on_dialect(*profile.dialect, out);
  if (profile.rows == 0) {
    out.emplace_back("there are no rows");
    return out;
  }
  if (profile.misfits > 0 && !(profile.dialect && profile.dialect->delimiter)) {
    out.push_back(
        fmt::format("{} of the file {} not fit: a quote that is not closed, or more or fewer fields than the columns; nothing of "
                    "such a person can be read",
                    rows_words(profile.misfits, profile.rows), profile.misfits == 1 ? "does" : "do"));
  }
  for (const ColumnProfile& column : profile.columns) {
    const data::Column* const declared = schema.find(column.name);
    if (declared == nullptr) continue;
    if (!column.readable) {
      out.push_back(fmt::format("column {}: its values cannot be read", in_quotes(column.name)));
      continue;
    }
    if (column.missing == profile.rows) out.push_back(fmt::format("column {}: every row is missing", in_quotes(column.name)));
    if (column.other) advise_on_categories(column, *declared, profile.rows, out);
    if (column.numbers) advise_on_numbers(column, *declared, profile.rows, out);
    if (column.not_utf8 > 0) {
      out.push_back(fmt::format("column {}: {} {} not UTF-8: convert the file (perhaps: iconv -f LATIN1 -t UTF-8)", in_quotes(column.name),
                                rows_words(column.not_utf8, profile.rows), column.not_utf8 == 1 ? "is" : "are"));
    }
  }
  if (profile.people && schema.contributions) advise_on_people(*profile.people, *schema.contributions, profile.rows, out);
  return out;
}

}  // namespace tacet::schemas
