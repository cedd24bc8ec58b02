// Compiled conditions count the rows that a slow evaluation of their meaning counts, and those
// that DuckDB's SQL counts, whatever holds the rows. One person changes no more than is claimed.
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "tacet/data/moments.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/row_condition.h"

#include "data/test_files.h"

namespace tacet::schemas {
namespace {

using data::RowFilter;

/// The declared facts, and the same as plain numbers for the slow evaluation.
constexpr double kLower = -2, kUpper = 9.5;
constexpr int kFirstDay = 19000, kLastDay = 19010;
const std::vector<std::string> kLabels = {"red", "deep blue", "o'hara", "and"};

data::Schema scanned_schema(bool public_people = true) {
  data::Schema schema;
  schema.relation = public_people ? kernel::Relation::ReplaceOne : kernel::Relation::AddOrRemoveOne;
  const auto decimal = [](const char* text) { return *Decimal::parse(text); };
  schema.columns.push_back({.name = "size", .bounds = data::Bounds{decimal("-2"), decimal("9.5"), decimal("0.25"), {}}});
  data::Categories colours{kLabels, kLabels.size(), kLabels.size(), kLabels.size() + 1};
  colours.labels.emplace_back("else");
  colours.labels.emplace_back("unknown");
  schema.columns.push_back({.name = "fur colour", .categories = colours});
  data::Column seen{.name = "seen", .bounds = data::Bounds{Decimal(kFirstDay), Decimal(kLastDay), Decimal(1), {}}};
  seen.text.date = true;
  schema.columns.push_back(seen);
  schema.columns.push_back({.name = "paw", .categories = data::Categories{{"l", "r"}, 2, 0, 1}});
  return schema;
}

struct Animal {
  std::optional<double> size;
  std::optional<std::string> colour;
  std::optional<int> seen;
  std::optional<std::string> paw;
};

class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return random_() % n; }
  template <class List>
  auto one_of(const List& list) {
    return list[below(std::size(list))];
  }
  double constant() { return -2 + 0.5 * static_cast<double>(below(24)); }
  int day() { return kFirstDay + static_cast<int>(below(11)); }
  Animal animal() {
    const std::string colours[] = {"red", "deep blue", "o'hara", "and", "green", "RED"}, paws[] = {"l", "r", "both"};
    Animal one;
    if (below(5) != 0) one.size = -3 + 0.5 * static_cast<double>(below(28));
    if (below(5) != 0) one.colour = one_of(colours);
    if (below(5) != 0) one.seen = kFirstDay - 2 + static_cast<int>(below(15));
    if (below(5) != 0) one.paw = one_of(paws);
    return one;
  }
  std::vector<Animal> animals(std::size_t count) {
    std::vector<Animal> out;
    while (out.size() < count) out.push_back(animal());
    return out;
  }

 private:
  std::mt19937 random_;
};

/// A condition as a tree, with what it means written a second time.
struct Meaning {
  std::string text, sql;
  std::function<std::optional<bool>(const Animal&)> holds;  // nothing: the value is missing
};

std::string date_text(int day) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  return fmt::format("{:04}-{:02}-{:02}", int{date.year()}, unsigned{date.month()}, unsigned{date.day()});
}

std::string cell_of_colour(const std::string& text) {
  return std::find(kLabels.begin(), kLabels.end(), text) == kLabels.end() ? "else" : text;
}

bool compares(double a, const std::string& sign, double b) {
  return sign == "=" ? a == b : sign == "!=" ? a != b : sign == "<" ? a < b : sign == "<=" ? a <= b : sign == ">" ? a > b : a >= b;
}

const std::string kSigns[] = {"=", "!=", "<", "<=", ">", ">="};

Meaning number_meaning(Chance& chance, const std::string& name, const std::function<std::optional<double>(const Animal&)>& value,
                       const std::function<double()>& draw, const std::function<std::string(double)>& text,
                       const std::function<std::string(double)>& sql) {
  const double a = draw(), b = draw();
  if (chance.below(6) == 0) {
    const std::string no = chance.below(2) == 0 ? "not " : "";
    return {fmt::format("{} is {}missing", name, no), fmt::format("{} IS {}NULL", name, no),
            [value, no](const Animal& animal) { return std::optional(value(animal).has_value() == !no.empty()); }};
  }
  if (chance.below(3) == 0) {
    const double low = std::min(a, b), high = std::max(a, b);
    return {fmt::format("{} between {} and {}", name, text(low), text(high)),
            fmt::format("{} BETWEEN {} AND {}", name, sql(low), sql(high)), [value, low, high](const Animal& animal) {
              const auto x = value(animal);
              return x ? std::optional(low <= *x && *x <= high) : std::nullopt;
            }};
  }
  if (chance.below(3) == 0) {
    const std::string no = chance.below(2) == 0 ? "not " : "";
    return {fmt::format("{} {}in ({}, {})", name, no, text(a), text(b)), fmt::format("{} {}IN ({}, {})", name, no, sql(a), sql(b)),
            [value, no, a, b](const Animal& animal) {
              const auto x = value(animal);
              return x ? std::optional((*x == a || *x == b) == no.empty()) : std::nullopt;
            }};
  }
  const std::string sign = chance.one_of(kSigns);
  return {fmt::format("{} {} {}", name, sign, text(a)), fmt::format("{} {} {}", name, sign == "!=" ? "<>" : sign, sql(a)),
          [value, sign, a](const Animal& animal) {
            const auto x = value(animal);
            return x ? std::optional(compares(*x, sign, a)) : std::nullopt;
          }};
}

Meaning test_meaning(Chance& chance) {
  const auto quoted = [](const std::string& label) {
    std::string out = "'";
    for (const char c : label) out += c == '\'' ? "''" : std::string(1, c);
    return out + "'";
  };
  switch (chance.below(4)) {
    case 0:
      return number_meaning(
          chance, "size",
          [](const Animal& animal) { return animal.size ? std::optional(std::clamp(*animal.size, kLower, kUpper)) : std::nullopt; },
          [&] { return chance.constant(); }, [](double x) { return fmt::format("{}", x); }, [](double x) { return fmt::format("{}", x); });
    case 1:
      return number_meaning(
          chance, "seen",
          [](const Animal& animal) {
            return animal.seen ? std::optional<double>(std::clamp(*animal.seen, kFirstDay, kLastDay)) : std::nullopt;
          },
          [&] { return static_cast<double>(chance.day()); }, [](double x) { return date_text(static_cast<int>(x)); },
          [](double x) { return "DATE '" + date_text(static_cast<int>(x)) + "'"; });
    case 2: {
      const std::string label = chance.one_of(std::vector<std::string>{"l", "r"});
      return {"paw = " + label, "paw = '" + label + "'", [label](const Animal& animal) {
                const std::string cell = !animal.paw ? "r" : *animal.paw == "both" ? "l" : *animal.paw;
                return std::optional(cell == label);
              }};
    }
    default: break;
  }
  std::vector<std::string> labels = kLabels;
  labels.emplace_back("else");
  const std::string a = chance.one_of(labels), b = chance.one_of(labels);
  if (chance.below(5) == 0) {
    return {"\"fur colour\" is missing", "colour IS NULL", [](const Animal& animal) { return std::optional(!animal.colour); }};
  }
  const bool no = chance.below(2) == 0, list = chance.below(2) == 0;
  const std::string sign = list ? (no ? "not in" : "in") : (no ? "!=" : "=");
  const std::string values = list ? fmt::format("({}, {})", quoted(a), quoted(b)) : quoted(a);
  return {fmt::format("\"fur colour\" {} {}", sign, values), fmt::format("colour {} {}", sign == "!=" ? "<>" : sign, values),
          [=](const Animal& animal) -> std::optional<bool> {
            if (!animal.colour) return std::nullopt;
            const std::string cell = cell_of_colour(*animal.colour);
            return (cell == a || (list && cell == b)) != no;
          }};
}

/// Kleene's logic, which is also SQL's.
Meaning random_meaning(Chance& chance, int depth) {
  if (depth == 0 || chance.below(4) == 0) return test_meaning(chance);
  if (chance.below(4) == 0) {
    const Meaning part = random_meaning(chance, depth - 1);
    return {"not (" + part.text + ")", "NOT (" + part.sql + ")", [part](const Animal& animal) {
              const auto value = part.holds(animal);
              return value ? std::optional(!*value) : std::nullopt;
            }};
  }
  const Meaning a = random_meaning(chance, depth - 1), b = random_meaning(chance, depth - 1);
  const bool both = chance.below(2) == 0;
  const std::string word = both ? "and" : "or";
  return {fmt::format("({}) {} ({})", a.text, word, b.text), fmt::format("({}) {} ({})", a.sql, word, b.sql),
          [=](const Animal& animal) -> std::optional<bool> {
            const auto x = a.holds(animal), y = b.holds(animal);
            if (x == !both || y == !both) return !both;
            return x && y ? std::optional(both) : std::nullopt;
          }};
}

std::string csv_of(const std::vector<Animal>& animals) {
  std::string csv = "size,fur colour,seen,paw\n";
  for (const Animal& one : animals) {
    csv += fmt::format("{},{},{},{}\n", one.size ? fmt::format("{}", *one.size) : "", one.colour.value_or(""),
                       one.seen ? date_text(*one.seen) : "", one.paw.value_or(""));
  }
  return csv;
}

/// The same rows in memory, and what they point to.
struct Kept {
  std::vector<double> size;
  std::vector<std::string_view> colour, paw;
  std::vector<std::int32_t> seen;
  std::vector<std::uint8_t> has_colour, has_seen, has_paw;
  std::vector<Animal> animals;
};

data::StoredTable table_of(const std::vector<Animal>& animals) {
  auto kept = std::make_shared<Kept>();
  kept->animals = animals;
  const std::size_t bytes = animals.size() / 8 + 1;
  for (auto* bits : {&kept->has_colour, &kept->has_seen, &kept->has_paw}) bits->resize(bytes);
  for (std::size_t i = 0; i < animals.size(); ++i) {
    const Animal& one = kept->animals[i];
    kept->size.push_back(one.size.value_or(std::nan("")));
    kept->colour.push_back(one.colour ? std::string_view(*one.colour) : std::string_view());
    kept->seen.push_back(one.seen.value_or(0));
    kept->paw.push_back(one.paw ? std::string_view(*one.paw) : std::string_view());
    const auto mark = [&](std::vector<std::uint8_t>& bits, bool there) {
      if (there) bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | (1U << (i % 8)));
    };
    mark(kept->has_colour, one.colour.has_value());
    mark(kept->has_seen, one.seen.has_value());
    mark(kept->has_paw, one.paw.has_value());
  }
  const auto column = [&](data::Stored kind, const void* values, const std::uint8_t* validity) {
    return data::StoredColumn{.kind = kind, .values = values, .validity = validity, .rows = animals.size()};
  };
  std::vector<data::StoredColumn> batch = {
      column(double{}, kept->size.data(), nullptr), column(std::string_view(), kept->colour.data(), kept->has_colour.data()),
      column(data::Date{}, kept->seen.data(), kept->has_seen.data()), column(std::string_view(), kept->paw.data(), kept->has_paw.data())};
  return {"memory:animals", {"size", "fur colour", "seen", "paw"}, {std::move(batch)}, kept};
}

data::Counts counts_of(const data::DataSource& source, const data::Schema& schema, const RowFilter& where) {
  auto table = data::count(source, test::declared(schema), {.by = {"paw"}, .where = where});
  EXPECT_TRUE(table.ok()) << (table.ok() ? "" : table.error().message());
  if (!table.ok()) return {};
  EXPECT_FALSE(table->n.has_value()) << "the number of rows is private";
  return test::opened(std::move(table->counts));
}

data::Counts slow_counts(const std::vector<Animal>& animals, const Meaning& meaning) {
  data::Counts counts(2, 0);
  for (const Animal& one : animals) {
    const std::string cell = !one.paw ? "r" : *one.paw == "both" ? "l" : *one.paw;
    if (meaning.holds(one).value_or(false)) ++counts[cell == "l" ? 0 : 1];
  }
  return counts;
}

/// Conditions that decide something, with their filters.
std::vector<std::pair<Meaning, RowFilter>> conditions(Chance& chance, const data::Schema& schema, std::size_t count) {
  std::vector<std::pair<Meaning, RowFilter>> out;
  while (out.size() < count) {
    const Meaning meaning = random_meaning(chance, 4);
    const auto condition = parse_condition(schema, meaning.text);
    if (!condition.ok()) {
      EXPECT_TRUE(condition.error().value().starts_with("a condition that")) << meaning.text << ": " << condition.error().message();
      if (!condition.error().value().starts_with("a condition that")) return out;
      continue;
    }
    out.emplace_back(meaning, condition->filter);
  }
  return out;
}

std::vector<std::int64_t> sql_counts(const data::TestFolder& folder, const std::string& rows, const std::vector<std::string>& conditions) {
  std::string select;
  for (const std::string& condition : conditions)
    select += fmt::format("{}count(*) FILTER (WHERE {})", select.empty() ? "" : ", ", condition);
  const std::string out = folder.path("sql.csv");
  data::run_duckdb({fmt::format("COPY (SELECT {} FROM ({})) TO {} (FORMAT csv, HEADER false)", select, rows, data::sql::literal(out))});
  std::vector<std::int64_t> counts;
  std::istringstream in(data::read_bytes(out));
  for (std::string number; std::getline(in, number, ',');) counts.push_back(std::stoll(number));
  return counts;
}

TEST(ConditionScan, InMemoryAgreesWithASlowEvaluation) {
  Chance chance(1);
  const data::Schema schema = scanned_schema();
  for (int round = 0; round < 20; ++round) {
    const std::vector<Animal> animals = chance.animals(1 + chance.below(3000));  // more than one stretch of rows
    const data::DataSource source = table_of(animals);
    for (const auto& [meaning, filter] : conditions(chance, schema, 20))
      EXPECT_EQ(counts_of(source, schema, filter), slow_counts(animals, meaning)) << meaning.text;
  }
}

TEST(ConditionScan, FilesAgreeWithASlowEvaluationAndWithSql) {
  Chance chance(2);
  const data::TestFolder folder;
  const data::Schema schema = scanned_schema();
  const std::vector<Animal> animals = chance.animals(5000);
  const std::string csv = folder.write("animals.csv", csv_of(animals));
  const std::string rows = fmt::format(
      "SELECT * FROM read_csv({}, header = true, columns = {{'size': 'DOUBLE', 'fur colour': 'VARCHAR', 'seen': 'DATE', 'paw': "
      "'VARCHAR'}})",
      data::sql::literal(csv));
  data::write_parquet(rows, folder.path("animals.parquet"));
  data::run_duckdb({"CREATE TABLE animals AS " + rows}, folder.path("animals.duckdb"));
  const std::string declared = fmt::format(
      "SELECT greatest(least(size, {}), {}) AS size, CASE WHEN \"fur colour\" IS NULL THEN NULL WHEN \"fur colour\" IN ('red', 'deep "
      "blue', "
      "'o''hara', 'and') THEN \"fur colour\" ELSE 'else' END AS colour, greatest(least(seen, DATE '{}'), DATE '{}') AS seen, "
      "CASE paw WHEN 'l' THEN 'l' WHEN 'both' THEN 'l' ELSE 'r' END AS paw, size IS NULL AS s, seen IS NULL AS n FROM ({})",
      kUpper, kLower, date_text(kLastDay), date_text(kFirstDay), rows);
  // greatest() and least() skip NULL in DuckDB.
  const std::string kept = fmt::format(
      "SELECT CASE WHEN s THEN NULL ELSE size END AS size, colour, CASE WHEN n THEN NULL ELSE seen END AS seen, paw FROM ({})", declared);
  const auto tried = conditions(chance, schema, 15);
  std::vector<std::string> sql;
  for (const auto& [meaning, filter] : tried) sql.push_back(meaning.sql);
  const std::vector<std::int64_t> referee = sql_counts(folder, kept, sql);
  ASSERT_EQ(referee.size(), tried.size());
  for (const char* name : {"animals.csv", "animals.parquet", "animals.duckdb"}) {
    data::Schema here = schema;
    if (std::string(name) == "animals.duckdb") here.table = "animals";
    const data::DataSource source = *schemas::open_data(folder.path(name));
    for (std::size_t i = 0; i < tried.size(); ++i) {
      const data::Counts counts = counts_of(source, here, tried[i].second);
      EXPECT_EQ(counts, slow_counts(animals, tried[i].first)) << name << ": " << tried[i].first.text;
      ASSERT_EQ(counts.size(), 2U);
      EXPECT_EQ(counts[0] + counts[1], referee[i]) << name << ": " << tried[i].first.sql;
    }
  }
}

using Tabulate = std::function<data::Counts(const std::vector<Animal>&, const Meaning&, const RowFilter&)>;

/// Whether some neighbours differ by more than a replaced person may change a table: L1 = 2, and
/// the sum of squares 2.
bool exceeds_the_claim(const Tabulate& tabulate, unsigned seed) {
  Chance chance(seed);
  const data::Schema schema = scanned_schema();
  const kernel::Sensitivity claim = data::count_sensitivity(schema.relation);
  for (const auto& [meaning, filter] : conditions(chance, schema, 60)) {
    std::vector<Animal> animals = chance.animals(2 + chance.below(30));
    const data::Counts before = tabulate(animals, meaning, filter);
    animals[chance.below(animals.size())] = chance.animal();
    const data::Counts after = tabulate(animals, meaning, filter);
    std::int64_t l1 = 0, squares = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      l1 += std::abs(before[i] - after[i]);
      squares += (before[i] - after[i]) * (before[i] - after[i]);
    }
    if (l1 > claim.l1 || squares > claim.l2_squared) return true;
  }
  return false;
}

TEST(ConditionScan, OnePersonChangesATableByNoMoreThanIsClaimed) {
  const data::Schema schema = scanned_schema();
  EXPECT_FALSE(exceeds_the_claim([&](const std::vector<Animal>& animals, const Meaning& /*meaning*/,
                                     const RowFilter& filter) { return counts_of(table_of(animals), schema, filter); },
                                 3));
}

TEST(ConditionScan, AnEvaluationThatLooksAtAnotherRowIsCaught) {
  EXPECT_TRUE(exceeds_the_claim(
      [](const std::vector<Animal>& animals, const Meaning& meaning, const RowFilter& /*filter*/) {
        std::vector<Animal> accepted;  // those that are larger than the row before
        for (std::size_t i = 0; i < animals.size(); ++i) {
          if (i == 0 || animals[i].size.value_or(0) > animals[i - 1].size.value_or(0)) accepted.push_back(animals[i]);
        }
        const Meaning all{"", "", [](const Animal&) { return std::optional(true); }};
        (void)meaning;
        return slow_counts(accepted, all);
      },
      3));
}

TEST(ConditionScan, OnePersonChangesSumsByNoMoreThanIsClaimed) {
  for (const bool public_people : {true, false}) {
    Chance chance(4);
    const data::Schema schema = scanned_schema(public_people);
    const data::Declared declared = test::declared(schema);
    std::size_t came_or_went = 0;
    for (const auto& [meaning, filter] : conditions(chance, schema, 60)) {
      const data::MomentRequest request{
          .columns = {"size"}, .groups = data::Groups{"paw", kernel::Membership::Private}, .counts = true, .where = filter};
      const data::MomentRequest all{.columns = {"size"}, .counts = true, .where = filter};
      std::vector<Animal> animals = chance.animals(2 + chance.below(30));
      std::vector<Animal> neighbour = animals;
      if (public_people) {
        neighbour[chance.below(neighbour.size())] = chance.animal();
      } else {
        neighbour.pop_back();
      }
      for (const data::MomentRequest& asked : {request, all}) {
        auto before = data::moments(table_of(animals), declared, asked), after = data::moments(table_of(neighbour), declared, asked);
        ASSERT_TRUE(before.ok() && after.ok());
        ASSERT_TRUE(before->layout.counts) << "the number of rows is private";
        const kernel::BoxSensitivity claim = data::design_moments(schema, asked)->sensitivity;
        const std::size_t stretch = before->layout.stretch(), groups = before->layout.shape.groups;
        const auto x = test::opened(std::move(before->values)), y = test::opened(std::move(after->values));
        std::size_t changed = 0;
        for (std::size_t group = 0; group < groups; ++group) {
          const bool same_count = x[group * stretch] == y[group * stretch];
          came_or_went += same_count ? 0 : 1;
          bool any = false;
          for (std::size_t j = group * stretch; j < (group + 1) * stretch; ++j) {
            const Int128 change = x[j] > y[j] ? x[j] - y[j] : y[j] - x[j];
            any = any || change != 0;
            EXPECT_TRUE(change <= claim.most[j]) << meaning.text;
            EXPECT_TRUE(same_count || claim.alone.empty() || change <= claim.alone[j]) << meaning.text;
          }
          changed += any ? 1 : 0;
        }
        EXPECT_LE(changed, claim.touched) << meaning.text;
      }
    }
    EXPECT_GT(came_or_went, 10U);
  }
}

}  // namespace
}  // namespace tacet::schemas
