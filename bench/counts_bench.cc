// counts_bench: the time and memory of data::count, against a plain GROUP BY of DuckDB on the same
// file in the same run.
//
//   counts_bench            10^7 rows; exits 1 if the median ratio of processor time on Parquet
//                           exceeds the limit of 1.2
//   counts_bench 1000000    as many rows as given
//
// Ours is measured whole: opening the file, starting the process that reads it and an engine in it,
// counting, checking, sealing; the time and memory of that process are ours. The plain query runs
// in an engine that is open already, with its caches. Runs are interleaved; the numbers are the
// median and the range of wall-clock time, and the ratio of processor time, which other programs on
// the machine disturb less. Memory is the peak of a process of its own that does one count, and of
// the process that it starts.
//
// "Apart" is what the other process costs: the same scan, in this process and in one of its own, on
// all rows, a tenth and on 10^4. It must stay below 1.2 on all rows; on few rows it is the time to
// start a program.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "tacet/data/counts.h"
#include "tacet/data/scan.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/schema_text.h"

#include "measure.h"
#include "plain_engine.h"
#include "support/declared.h"

namespace {

using namespace tacet::bench;
using tacet::data::DataFile;

constexpr int kRuns = 11;
constexpr double kMostRatio = 1.2;
constexpr long kFewRows = 10'000;
constexpr double kMostApart = 1.2;

const char* const kSchema = R"(
tacet = 1
dataset = "bench"
ledger = "bench.ledger"
[columns.smoking]
categories = ["never", "former", "current", "unknown"]
[columns.disease]
categories = ["none", "mild", "severe"]
[columns.id]
categories = ["a", "b", "c"]
)";

tacet::data::Schema schema() {
  auto schema = tacet::schemas::parse_schema(kSchema, false, ".");
  if (!schema.ok()) fail(schema.error().message());
  return *std::move(schema);
}

void count_ours(const std::string& path, const std::vector<std::string>& by) {
  auto file = tacet::schemas::open_data(path);
  if (!file.ok()) fail(file.error().message());
  auto table = tacet::data::count(*file, tacet::test::declared(schema()), {.by = by});
  if (!table.ok()) fail(table.error().message());
}

// Hashes of the row number stand for random draws: the same on every machine and with every number
// of threads.
std::string rows_query(long rows) {
  return fmt::format(
      "SELECT ['never', 'former', 'current', 'unknown'][1 + (hash(i) % 4)::INT] AS smoking, "
      "['none', 'mild', 'severe'][1 + (hash(i + 7919) % 3)::INT] AS disease, "
      "'person ' || i AS id FROM range({}) AS r(i)",
      rows);
}

// The same count by this process itself, unsealed.
void count_here(const std::string& path) {
  auto file = tacet::schemas::open_data(path);
  if (!file.ok()) fail(file.error().message());
  if (!tacet::data::scan_here(*file, schema(), {.by = {"smoking", "disease"}}).ok()) fail("cannot read " + path);
}

void count_apart(const std::string& path) {
  auto file = tacet::schemas::open_data(path);
  if (!file.ok()) fail(file.error().message());
  if (!tacet::data::scan(*file, schema(), {.by = {"smoking", "disease"}}, {}).ok()) fail("cannot read " + path);
}

double compare_apart(const std::string& title, const std::string& path) {
  const auto apart_once = [&] { count_apart(path); };
  const auto here_once = [&] { count_here(path); };
  apart_once();
  here_once();
  std::vector<double> apart;
  std::vector<double> here;
  std::vector<double> ratios;
  std::vector<double> processor_ratios;
  std::vector<double> more;
  for (int i = 0; i < kRuns; ++i) {
    const Cost a = cost(apart_once);
    const Cost b = cost(here_once);
    apart.push_back(a.wall);
    here.push_back(b.wall);
    ratios.push_back(a.wall / b.wall);
    processor_ratios.push_back(a.processor / b.processor);
    more.push_back(1e3 * (a.processor - b.processor));
  }
  fmt::print("{:<28} apart {:.4f} s   here {:.4f} s   ratio {:.2f}, of processor time {:.2f} ({:+.1f} ms)\n", title, summary(apart).median,
             summary(here).median, summary(ratios).median, summary(processor_ratios).median, summary(more).median);
  return summary(processor_ratios).median;
}

double compare(const std::string& title, const std::string& path, const std::string& plain_source, PlainEngine& plain) {
  const std::string query = fmt::format("SELECT smoking, disease, count(*) FROM {} GROUP BY smoking, disease", plain_source);
  const auto ours_once = [&] { count_ours(path, {"smoking", "disease"}); };
  const auto plain_once = [&] { plain.run(query); };
  ours_once();
  plain_once();
  std::vector<double> ours;
  std::vector<double> theirs;
  std::vector<double> ratios;
  std::vector<double> processor_ratios;
  for (int i = 0; i < kRuns; ++i) {
    const Cost mine = cost(ours_once);
    const Cost plain_cost = cost(plain_once);
    ours.push_back(mine.wall);
    theirs.push_back(plain_cost.wall);
    ratios.push_back(mine.wall / plain_cost.wall);
    processor_ratios.push_back(mine.processor / plain_cost.processor);
  }
  const Summary a = summary(ours);
  const Summary b = summary(theirs);
  const Summary r = summary(processor_ratios);
  fmt::print(
      "{:<28} ours {:.3f} s ({:.3f} to {:.3f})   plain GROUP BY {:.3f} s ({:.3f} to {:.3f})   ratio {:.2f}, of processor time {:.2f} "
      "({:.2f} to "
      "{:.2f})\n",
      title, a.median, a.least, a.most, b.median, b.least, b.most, summary(ratios).median, r.median, r.least, r.most);
  return r.median;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "--one") {
    const std::string by = argv[3];
    count_ours(argv[2], by == "both" ? std::vector<std::string>{"smoking", "disease"} : std::vector<std::string>{by});
    write_peak(argv[4]);
    return 0;
  }
  const long rows = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 10'000'000;
  if (rows < 10 * kFewRows) fail(fmt::format("the number of rows must be at least {}", 10 * kFewRows));

  std::string pattern = (std::filesystem::temp_directory_path() / "tacet-counts-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) fail("cannot make a temporary folder");
  const std::filesystem::path folder = pattern;
  const auto name = [&](long size, const char* ending) { return (folder / fmt::format("{}{}", size, ending)).string(); };
  double ratio = 0;
  {
    PlainEngine plain;
    for (const long size : {kFewRows, rows / 10, rows}) {
      plain.run(fmt::format("COPY ({}) TO '{}' (FORMAT parquet)", rows_query(size), name(size, ".parquet")));
      plain.run(fmt::format("COPY (SELECT smoking, disease FROM ({})) TO '{}' (FORMAT csv, HEADER)", rows_query(size), name(size, ".csv")));
      plain.run(fmt::format("ATTACH '{0}' AS made; CREATE TABLE made.people AS {1}; DETACH made", name(size, ".duckdb"), rows_query(size)));
    }
    fmt::print("{} rows, {} interleaved runs, median (least to most)\n", rows, kRuns);
    ratio = compare("Parquet, 4 x 3 categories", name(rows, ".parquet"), fmt::format("read_parquet('{}')", name(rows, ".parquet")), plain);
    compare("CSV", name(rows, ".csv"),
            fmt::format("read_csv('{}', auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', "
                        "columns = {{'smoking': 'VARCHAR', 'disease': 'VARCHAR'}})",
                        name(rows, ".csv")),
            plain);
    plain.run(fmt::format("ATTACH '{}' AS people (READ_ONLY)", name(rows, ".duckdb")));
    compare("DuckDB file", name(rows, ".duckdb"), "people.people", plain);
  }
  double apart = 0;
  for (const long size : {rows, rows / 10, kFewRows}) {
    for (const char* ending : {".parquet", ".duckdb", ".csv"}) {
      const double found = compare_apart(fmt::format("{} rows, {}", size, ending), name(size, ending));
      if (size == rows) apart = std::max(apart, found);
    }
  }
  for (const auto& [title, ending, by] : {std::tuple{"Parquet, 4 x 3 categories", ".parquet", "both"},
                                          {"Parquet, all undeclared", ".parquet", "id"},
                                          {"CSV", ".csv", "both"},
                                          {"DuckDB file, all undeclared", ".duckdb", "id"}}) {
    fmt::print("{:<28} peak memory {:.0f} MiB at {} rows, {:.0f} MiB at {}\n", title, peak_memory(name(rows / 10, ending), by), rows / 10,
               peak_memory(name(rows, ending), by), rows);
  }
  std::filesystem::remove_all(folder);
  const bool within = ratio <= kMostRatio && apart <= kMostApart;
  fmt::print("processor time: ratio on Parquet {:.2f}, limit {:.2f}; apart at most {:.2f}, limit {:.2f}: {}\n", ratio, kMostRatio, apart,
             kMostApart, within ? "kept" : "BROKEN");
  return within ? 0 : 1;
}
