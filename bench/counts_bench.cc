// counts_bench: the time and memory of data::count, against a plain GROUP BY of DuckDB on the same file in the same run.
//
//   counts_bench            10^7 rows; exits 1 if the median ratio on Parquet exceeds the limit of 1.2
//   counts_bench 1000000    as many rows as given
//
// Ours is measured whole: opening the file, starting an engine, counting, sealing. The plain query runs in an engine that is
// open already, with its caches. Runs are interleaved; the figures are the median and the range. Memory is the peak of a process
// of its own that does one count.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "tacet/data/counts.h"
#include "tacet/schemas/schema_text.h"

#include "measure.h"
#include "plain_engine.h"
#include "support/declared.h"

namespace {

using namespace tacet::bench;
using tacet::data::DataFile;

constexpr int kRuns = 11;
constexpr double kMostRatio = 1.2;

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
  auto file = DataFile::open(path);
  if (!file.ok()) fail(file.error().message());
  auto table = tacet::data::count(*file, tacet::test::declared(schema()), by);
  if (!table.ok()) fail(table.error().message());
}

// Hashes of the row number stand for random draws: the same on every machine and with every number of threads.
std::string rows_query(long rows) {
  return fmt::format(
      "SELECT ['never', 'former', 'current', 'unknown'][1 + (hash(i) % 4)::INT] AS smoking, "
      "['none', 'mild', 'severe'][1 + (hash(i + 7919) % 3)::INT] AS disease, "
      "'person ' || i AS id FROM range({}) AS r(i)",
      rows);
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
  for (int i = 0; i < kRuns; ++i) {
    ours.push_back(seconds(ours_once));
    theirs.push_back(seconds(plain_once));
    ratios.push_back(ours.back() / theirs.back());
  }
  const Summary a = summary(ours);
  const Summary b = summary(theirs);
  const Summary r = summary(ratios);
  fmt::print("{:<28} ours {:.3f} s ({:.3f} to {:.3f})   plain GROUP BY {:.3f} s ({:.3f} to {:.3f})   ratio {:.2f} ({:.2f} to {:.2f})\n",
             title, a.median, a.least, a.most, b.median, b.least, b.most, r.median, r.least, r.most);
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
  if (rows < 10) fail("the number of rows must be at least 10");

  std::string pattern = (std::filesystem::temp_directory_path() / "tacet-counts-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) fail("cannot make a temporary folder");
  const std::filesystem::path folder = pattern;
  const auto name = [&](long size, const char* ending) { return (folder / fmt::format("{}{}", size, ending)).string(); };
  double ratio = 0;
  {
    PlainEngine plain;
    for (const long size : {rows / 10, rows}) {
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
  for (const auto& [title, ending, by] : {std::tuple{"Parquet, 4 x 3 categories", ".parquet", "both"},
                                          {"Parquet, all undeclared", ".parquet", "id"},
                                          {"CSV", ".csv", "both"},
                                          {"DuckDB file, all undeclared", ".duckdb", "id"}}) {
    fmt::print("{:<28} peak memory {:.0f} MiB at {} rows, {:.0f} MiB at {}\n", title, peak_memory(name(rows / 10, ending), by), rows / 10,
               peak_memory(name(rows, ending), by), rows);
  }
  std::filesystem::remove_all(folder);
  const bool within = ratio <= kMostRatio;
  fmt::print("ratio on Parquet {:.2f}, limit {:.2f}: {}\n", ratio, kMostRatio, within ? "kept" : "BROKEN");
  return within ? 0 : 1;
}
