#include "tacet/schemas/profile/proposals.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "tacet/base/decimal.h"
#include "tacet/base/text.h"
#include "tacet/data/stored_column.h"
#include "tacet/schemas/condition_tokens.h"
#include "tacet/schemas/profile/advice.h"
#include "tacet/schemas/words.h"

namespace tacet::schemas {
namespace {

constexpr std::size_t kMostCategories = 50;  // of texts
constexpr std::size_t kMostCodes = 12;       // of whole numbers
constexpr std::int64_t kManyRows = 100;      // rare texts are left out of so many
constexpr std::int64_t kFewRows = 20;        // too few to tell an identifier
constexpr double kMostSteps = 67'108'864;    // 2^26
constexpr double kFirstDay = -719'162;       // 0001-01-01, in days since 1970
constexpr double kLastDay = 2'932'896;       // 9999-12-31
constexpr double kLargest = 1e15;            // beyond, nothing round is proposed

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/// id, patient, visit_id, SubjectNo: names of columns that name people or records.
bool names_records(const std::string& column) {
  std::string name;
  for (const char c : column) name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view end : {"_id", "-id", " id", ".id", "_no", "_nr", "_number", "number"}) {
    if (name.ends_with(end)) return true;
  }
  return is_one_of(name, {"id", "nr", "no", "patient", "person", "subject", "participant", "customer", "user", "name", "ssn", "email"}) ||
         column.ends_with("Id") || column.ends_with("ID");
}

std::string list_of(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += fmt::format("{}{}", out.empty() ? "" : ", ", item);
  return "[" + out + "]";
}

/// 1 for 1.0, as a category counts both.
std::string category_text(const std::string& text) {
  if (!text.ends_with(".0")) return text;
  const std::string whole = text.substr(0, text.size() - 2);
  const std::size_t sign = whole.starts_with('-') ? 1 : 0;
  return whole.size() > sign && whole.find_first_not_of("0123456789", sign) == std::string::npos ? whole : text;
}

std::string rounded(long multiple, long step, long exponent) { return Decimal(mpz_class(multiple) * step, exponent).to_string(); }

std::string missing_words_line(const LearntColumn& column) {
  if (column.missing_words.empty()) return "";
  std::vector<std::string> items;
  for (const TextCount& word : column.missing_words) {
    if (!commands_a_terminal(word.text)) items.push_back(in_quotes(word.text));
  }
  if (items.empty()) return "";
  return fmt::format("missing_values = {}\n", list_of(items));
}

std::string header_lines(const std::string& what) {
  return fmt::format(
      "# Proposal, learnt from the data: not public until you confirm it. {}\n"
      "confirmed = false   # delete this line when the lines below say what is publicly known; until then no budget is created\n",
      what);
}

std::string category_lines(const LearntColumn& column, std::int64_t rows) {
  std::set<std::string> kept;
  std::int64_t rare = 0, unfit = 0;
  for (const TextCount& text : column.texts) {
    if (text.text.size() > kLongestText || text.text.find('\0') != std::string::npos || commands_a_terminal(text.text)) {
      // Cut short, no name of a cell, or a danger to whoever reads the draft.
      ++unfit;
    } else if (rows >= kManyRows && text.rows < kRare) {
      ++rare;
    } else {
      kept.insert(in_quotes(category_text(text.text)));
    }
  }
  const std::string left_out = unfit == 0 ? ""
                                          : fmt::format("# {} other text{} too long or of characters that are not proposed.\n",
                                                        grouped(unfit), unfit == 1 ? " is" : "s are");
  if (kept.empty())
    return left_out + fmt::format("# {} different texts, each in fewer than {} rows: nothing is proposed.\n", grouped(rare), kRare);
  std::string out = header_lines("Are these all that are possible, and none of them a secret?");
  out += fmt::format("categories = {}\n", list_of({kept.begin(), kept.end()}));
  if (rare > 0) {
    out += fmt::format("# {} other text{} in fewer than {} rows: left out, because a rare category tells that somebody has it.\n",
                       grouped(rare), rare == 1 ? " is" : "s are", kRare);
  }
  return out + left_out + missing_words_line(column);
}

std::string number_lines(const LearntColumn& column) {
  const bool wide = std::abs(column.lowest) > kLargest || std::abs(column.highest) > kLargest;
  if (wide) return "# Numbers that are too large for a proposal.\n";
  std::string out = header_lines("Which numbers are possible, whether or not somebody has them?");
  for (const std::string& line : lines_for(column.numbers->form)) out += line + "\n";
  if (column.numbers->or_thousands) {
    out +=
        "# Beware: every point stands before three digits. If points separate thousands, write thousands = \".\" and decimal = \",\",\n"
        "# and give bounds and bins for numbers that are a thousand times as large.\n";
  }
  const std::vector<std::string> edges = round_edges(column.lowest, column.highest);
  const double range = Decimal::parse(edges.back())->approximate() - Decimal::parse(edges.front())->approximate();
  long exponent = -std::min(column.decimals, 15);
  while (range / std::pow(10.0, static_cast<double>(exponent)) > kMostSteps) ++exponent;
  while (range < std::pow(10.0, static_cast<double>(exponent))) --exponent;  // 2e-6 has no decimals
  out += fmt::format("lower = {}\nupper = {}\nresolution = {}\nbins = {}\n", edges.front(), edges.back(), rounded(1, 1, exponent),
                     list_of(edges));
  return out + missing_words_line(column);
}

std::string date_lines(const LearntColumn& column) {
  // The year 0 and infinite dates are read, but no schema can name them.
  const auto year_of = [](double day) {
    const double named = std::clamp(day, kFirstDay, kLastDay);
    return std::stoi(data::date_text(static_cast<std::int64_t>(named)).substr(0, 4));
  };
  const int first = year_of(column.lowest), last = year_of(column.highest);
  std::string out = header_lines("Which dates are possible, whether or not somebody has them?");
  out += fmt::format("date = true\nlower = {:04}-01-01\nupper = {:04}-12-31\n", first, last);
  const std::vector<std::string> years = round_edges(first, last + 1);
  std::vector<std::string> edges{fmt::format("{:04}-01-01", first)};
  for (const std::string& year : years) {
    const int whole = static_cast<int>(std::floor(Decimal::parse(year)->approximate()));
    const std::string edge = fmt::format("{:04}-01-01", whole);
    if (whole > first && whole <= last && edge != edges.back()) edges.push_back(edge);
  }
  edges.push_back(fmt::format("{:04}-12-31", last));
  return out + fmt::format("bins = {}\n", list_of(edges)) + missing_words_line(column);
}

}  // namespace

std::vector<std::string> round_edges(double lowest, double highest) {
  constexpr double kLeastRange = 1e-280;  // a resolution of a schema is at least 1e-290
  if (!(highest - lowest >= kLeastRange)) {
    const double size = std::max(std::abs(lowest), 1.0);
    highest = lowest + size;
  }
  constexpr double kParts = 7;
  const double least = (highest - lowest) / kParts;
  long exponent = static_cast<long>(std::floor(std::log10(least)));
  long step = 10;
  for (const long candidate : {1L, 2L, 5L}) {
    if (static_cast<double>(candidate) * std::pow(10.0, static_cast<double>(exponent)) >= least) {
      step = candidate;
      break;
    }
  }
  if (step == 10) {
    step = 1;
    ++exponent;
  }
  // Exact quotients: 0.3 / 0.1 in doubles is less than 3.
  const mpq_class unit = Decimal(mpz_class(step), exponent).to_rational();
  const auto exact = [](double value) { return Decimal::from_shortest(value)->to_rational(); };
  const mpq_class low = exact(lowest) / unit, high = exact(highest) / unit;
  mpz_class first, last;
  mpz_fdiv_q(first.get_mpz_t(), low.get_num_mpz_t(), low.get_den_mpz_t());
  mpz_cdiv_q(last.get_mpz_t(), high.get_num_mpz_t(), high.get_den_mpz_t());
  std::vector<std::string> edges;
  for (mpz_class at = first; at <= last; ++at) edges.push_back(Decimal(at * step, exponent).to_string());
  return edges;
}

ColumnKind kind_of(const LearntColumn& column, std::int64_t rows) {
  if (column.different == 0) return ColumnKind::Empty;
  if (column.numbers && column.numbers->form.date) return ColumnKind::Dates;
  const bool few = !column.texts.empty() && column.texts.size() <= (column.numbers ? kMostCodes : kMostCategories);
  const bool whole = column.numbers && column.decimals == 0;
  const bool repeated = column.different * 2 <= column.different_of;
  if (few && (!column.numbers || whole) && (repeated || rows < kFewRows)) return ColumnKind::Categories;
  const bool enough = column.different_of >= kFewRows;
  const bool nearly_all = enough && column.different * 20 >= column.different_of * 19;
  const bool in_sequence = whole && column.highest - column.lowest < 2 * static_cast<double>(column.different);
  if (nearly_all && (!column.numbers || in_sequence)) return ColumnKind::Identifier;
  if (enough && names_records(column.name) && (!column.numbers || whole)) return ColumnKind::Identifier;
  if (column.numbers) return ColumnKind::Numbers;
  return few && repeated ? ColumnKind::Categories : ColumnKind::Texts;
}

std::optional<std::size_t> person_column(const std::vector<LearntColumn>& columns, std::int64_t rows) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const LearntColumn& column = columns[i];
    const auto same = [&](const LearntColumn& other) { return other.name == column.name; };
    const bool usable = column.readable && is_utf8(column.name) && std::count_if(columns.begin(), columns.end(), same) == 1;
    const bool repeats = column.different * 20 < column.different_of * 19;
    if (!usable || !repeats || kind_of(column, rows) != ColumnKind::Identifier) continue;
    if (!found || column.different > columns[*found].different) found = i;
  }
  return found;
}

std::string contribution_line(const LearntColumn& person) {
  const std::int64_t average = (person.different_of + person.different - 1) / person.different;
  return fmt::format("contributions = {{ person = {}, rows = {} }}   # proposal, learnt from the data: see [columns.{}]\n",
                     in_quotes(person.name), std::min(average, data::kMostContributions), toml_key(person.name));
}

std::string proposed_lines(const LearntColumn& column, std::int64_t rows, bool person) {
  if (person) {
    return header_lines("Does it name the person?") +
           fmt::format(
               "# Names repeat: {} in {} rows. Above, contributions has as many rows of each as there are on average: write the most "
               "that\n# any analysis needs of one person, since noise grows with it. If it does not name the person, delete that line.\n",
               grouped(column.different), grouped(column.different_of)) +
           missing_words_line(column);
  }
  if (!column.readable) return "# Its values cannot be read: nothing is proposed.\n";
  switch (kind_of(column, rows)) {
    case ColumnKind::Empty: return "# Every row is empty here: nothing is proposed.\n";
    case ColumnKind::Categories: return category_lines(column, rows);
    case ColumnKind::Numbers: return number_lines(column);
    case ColumnKind::Dates: return date_lines(column);
    case ColumnKind::Identifier:
      return "# This seems to name people or records: it is no statistic, and nothing is proposed.\n"
             "# If it names the person, and a person may have several rows, write above: contributions = { person = ..., rows = ... }\n";
    case ColumnKind::Texts: break;
  }
  if (column.other_dates * 10 >= column.different_of * 9) {
    return "# Dates in another order than 2024-05-31, which is the only one that is read: write them so in the file, then date = true.\n";
  }
  return "# Many different texts: nothing is proposed. Which of them are public knowledge?\n";
}

}  // namespace tacet::schemas
