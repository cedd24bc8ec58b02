// contributions_bench: the time and memory of a count where a column names the person, against the
// plain count of the same file.
//
//   contributions_bench            10^7 rows; exits 1 if the median ratio of processor time that is
//                                  judged exceeds 3 on any kind of file, or if memory follows rows
//   contributions_bench 1000000    as many rows as given
//
// Every person has a hundred rows, of which three count. The plain count is data::count of the same
// columns of the same file in terms where a row is a person, so that it does not read the names.
// All are measured whole, as in counts_bench. Runs are interleaved.
// A file of lines is read whole by both: this ratio is judged. In files that store columns apart
// a plain count does not read the names: for the engine alone these cost 1.8 (parquet) and 1.2
// (duckdb) plain counts more, and its own count(distinct) of them about 3. So there the ratio to a
// third count is judged: a plain count of a table with the names as a category. Both are shown.
//
// Memory is the peak of a process of its own that does one count, and of the process that it
// starts. What people take is the excess over the plain count of the same file, whose engine needs
// more for larger files. It is measured on all rows and on a tenth of them, both with the same
// people: ten times the rows may not show. And with a hundredth of the people.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tacet/data/counts.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/schema_text.h"

#include "measure.h"
#include "plain_engine.h"
#include "support/declared.h"

namespace {

using namespace tacet::bench;
using tacet::data::CountUnit;
using tacet::data::DataFile;

constexpr int kRuns = 7;
constexpr double kMostRatio = 3;
constexpr double kMostGrowth = 16;  // MiB, of what people take, from a tenth of the rows to all of them
constexpr long kRowsOfAPerson = 100;

/// What is done with the names: each is a person with three rows, they are a category, or nothing.
enum class Names { People, Category, Unread };

tacet::data::Schema schema(Names names) {
  const std::string text = fmt::format(
      "tacet = 1\ndataset = \"bench\"\nledger = \"bench.ledger\"\n{}[columns.smoking]\ncategories = [\"never\", \"former\", \"current\", "
      "\"unknown\"]\n[columns.disease]\ncategories = [\"none\", \"mild\", \"severe\"]\n[columns.person]\n{}",
      names == Names::People ? "contributions = { person = \"person\", rows = 3 }\n" : "",
      names == Names::Category ? "categories = [\"P-0\"]\n" : "");
  auto schema = tacet::schemas::parse_schema(text, false, ".");
  if (!schema.ok()) fail(schema.error().message());
  return *std::move(schema);
}

void count_rows(const std::string& path, Names names) {
  auto file = tacet::schemas::open_data(path);
  if (!file.ok()) fail(file.error().message());
  std::vector<std::string> by = {"smoking", "disease"};
  if (names == Names::Category) by.emplace_back("person");
  auto table = tacet::data::count(*file, tacet::test::declared(schema(names)), {.by = by, .unit = CountUnit::Rows});
  if (!table.ok()) fail(table.error().message());
}

// Hashes of the row number stand for random draws. Rows of a person are far apart in the file.
std::string rows_query(long rows, long people) {
  return fmt::format(
      "SELECT ['never', 'former', 'current', 'unknown'][1 + (hash(i) % 4)::INT] AS smoking, "
      "['none', 'mild', 'severe'][1 + (hash(i + 7919) % 3)::INT] AS disease, "
      "'P-' || (i % {}) AS person FROM range({}) AS r(i)",
      people, rows);
}

double compare(const std::string& title, const std::string& path) {
  std::vector<double> with;
  std::vector<double> without;
  std::vector<double> ratios;
  std::vector<double> processor_ratios;
  std::vector<double> to_category;
  for (const Names names : {Names::People, Names::Category, Names::Unread}) count_rows(path, names);
  for (int i = 0; i < kRuns; ++i) {
    const Cost a = cost([&] { count_rows(path, Names::People); });
    const Cost c = cost([&] { count_rows(path, Names::Category); });
    const Cost b = cost([&] { count_rows(path, Names::Unread); });
    with.push_back(a.wall);
    without.push_back(b.wall);
    ratios.push_back(a.wall / b.wall);
    processor_ratios.push_back(a.processor / b.processor);
    to_category.push_back(a.processor / c.processor);
  }
  const Summary a = summary(with);
  const Summary b = summary(without);
  const Summary r = summary(processor_ratios);
  fmt::print(
      "{:<12} by person {:.3f} s ({:.3f} to {:.3f})   plain count {:.3f} s ({:.3f} to {:.3f})   ratio {:.2f}, of processor time {:.2f} "
      "({:.2f} to {:.2f}); to a count of names as a category {:.2f}\n",
      title, a.median, a.least, a.most, b.median, b.least, b.most, summary(ratios).median, r.median, r.least, r.most,
      summary(to_category).median);
  return title == "csv" ? r.median : summary(to_category).median;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "--one") {
    count_rows(argv[2], std::string(argv[3]) == "people" ? Names::People : Names::Unread);
    write_peak(argv[4]);
    return 0;
  }
  const long rows = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 10'000'000;
  const long people = rows / kRowsOfAPerson;
  if (people < 10'000) fail(fmt::format("the number of rows must be at least {}", 10'000 * kRowsOfAPerson));

  std::string pattern = (std::filesystem::temp_directory_path() / "tacet-contributions-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) fail("cannot make a temporary folder");
  const std::filesystem::path folder = pattern;
  const auto name = [&](const char* what, const char* ending) { return (folder / fmt::format("{}{}", what, ending)).string(); };
  double worst = 0;
  {
    PlainEngine plain;
    const auto make = [&](const char* what, long size, long persons) {
      const std::string query = rows_query(size, persons);
      plain.run(fmt::format("COPY ({}) TO '{}' (FORMAT parquet)", query, name(what, ".parquet")));
      plain.run(fmt::format("COPY ({}) TO '{}' (FORMAT csv, HEADER)", query, name(what, ".csv")));
      plain.run(fmt::format("ATTACH '{0}' AS made; CREATE TABLE made.people AS {1}; DETACH made", name(what, ".duckdb"), query));
    };
    make("all", rows, people);
    make("tenth", rows / 10, people);
    make("few", rows, people / 100);
  }
  fmt::print(
      "all: {0} rows of {1} people, of whom 3 rows count; tenth: {2} rows of {1} people; few: {0} rows of {3} people; "
      "{4} interleaved runs, median (least to most)\n",
      rows, people, rows / 10, people / 100, kRuns);
  double growth = 0;
  for (const char* ending : {".parquet", ".duckdb", ".csv"}) worst = std::max(worst, compare(ending + 1, name("all", ending)));
  for (const char* ending : {".parquet", ".duckdb", ".csv"}) {
    const auto taken = [&](const char* what) {
      const double with = peak_memory(name(what, ending), "people");
      const double without = peak_memory(name(what, ending), "rows");
      fmt::print("{:<12} peak memory, {}: {:.0f} MiB, plain count {:.0f} MiB\n", ending + 1, what, with, without);
      return with - without;
    };
    const double all = taken("all");
    growth = std::max(growth, all - taken("tenth"));
    taken("few");
  }
  std::filesystem::remove_all(folder);
  const bool within = worst <= kMostRatio && growth <= kMostGrowth;
  fmt::print(
      "processor time: judged ratio at most {:.2f}, limit {:.2f}; memory: ten times the rows take {:.0f} MiB more, limit {:.0f}: {}\n",
      worst, kMostRatio, growth, kMostGrowth, within ? "kept" : "BROKEN");
  return within ? 0 : 1;
}
