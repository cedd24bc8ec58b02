// moments_bench: the time and memory of data::moments, against the plain query of DuckDB for the
// same numbers on the same file in the same run: SUM(x) and SUM(x * y) in double precision, for 4
// columns and their 10 products.
//
//   moments_bench            10^7 rows; exits 1 if a median ratio of processor time exceeds its
//                            limit: 0.6 on Parquet, 0.4 on a DuckDB table
//   moments_bench 1000000    as many rows as given
//
// Ours is measured whole: opening the file, starting the process that reads it and an engine in it,
// quantising, adding, checking, sealing; the time and memory of that process are ours. So is the
// plain query: an engine is opened with as many threads, the file is attached, and the query asked.
// "Warm" is the same query in an engine that has been asked before, and has the blocks of the file
// in its own memory. Runs are interleaved; the numbers are the median and the range of wall-clock
// time, and the ratio of the processor time, which other programs on the machine disturb less.
// Memory is the peak of a process of its own that does one request.
//
// The limits are for numbers as people and instruments record them, to one or two decimals. Noise
// of 53 bits is measured as well: a DuckDB table cannot compress it, and reading and checking its
// blocks then takes most of anybody's time: about 0.39 there. The limits are not for the warm
// engine either, which need not read the file: about 0.5 on a DuckDB table, and more for noise.
// Both are printed, and not judged.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "tacet/data/moments.h"
#include "tacet/schemas/data_path.h"
#include "tacet/schemas/schema_text.h"

#include "measure.h"
#include "plain_engine.h"
#include "support/declared.h"

namespace {

using namespace tacet::bench;
using tacet::data::DataFile;

constexpr int kRuns = 11;
constexpr double kMostOnParquet = 0.6;
constexpr double kMostOnDuckDb = 0.4;

const char* const kSchema = R"(
tacet = 1
dataset = "bench"
ledger = "bench.ledger"
[columns.age]
lower = 0
upper = 120
resolution = 0.1
missing = 60
[columns.height]
lower = 50
upper = 250
resolution = 0.1
missing = 150
[columns.weight]
lower = 0
upper = 200
resolution = 0.1
missing = 100
[columns.glucose]
lower = 20
upper = 300
resolution = 0.01
missing = 160
[columns.treated]
membership = "public"
categories = ["yes", "no"]
)";

tacet::data::Schema schema() {
  auto schema = tacet::schemas::parse_schema(kSchema, false, ".");
  if (!schema.ok()) fail(schema.error().message());
  return *std::move(schema);
}

void ask_ours(const std::string& path, const std::string& what) {
  auto file = tacet::schemas::open_data(path);
  if (!file.ok()) fail(file.error().message());
  const std::vector<std::string> columns{"age", "height", "weight", "glucose"};
  if (what == "clipped") {
    const auto sums = tacet::data::clipped_sums(*file, tacet::test::declared(schema()), columns,
                                                {.centre = {60, 150, 100, 160},
                                                 .map = {{0.02, 0, 0, 0}, {0, 0.01, 0, 0}, {0, 0, 0.01, 0}, {0, 0, 0, 0.01}},
                                                 .radius = 1,
                                                 .steps = 1 << 20});
    if (!sums.ok()) fail(sums.error().message());
    return;
  }
  tacet::data::MomentRequest request{.columns = columns};
  if (what == "groups") request.groups = tacet::data::Groups{"treated", tacet::data::Membership::Public};
  const auto moments = tacet::data::moments(*file, tacet::test::declared(schema()), request);
  if (!moments.ok()) fail(moments.error().message());
}

// Hashes of the row number stand for random draws, the same on every machine and with every number
// of threads; one height in a hundred is missing and some are out of bounds. Decimals: as recorded,
// or none: all 53 bits.
enum class Digits { Recorded, All };
std::string rows_query(long rows, Digits digits) {
  const auto draw = [&](long seed, double least, double most, int decimals) {
    const std::string number = fmt::format("{} + {} * (hash(i + {}) / 18446744073709551616.0)", least, most - least, seed);
    return digits == Digits::All ? number : fmt::format("round({}, {})", number, decimals);
  };
  return fmt::format(
      "SELECT ({})::DOUBLE AS age, (CASE WHEN hash(i + 5) % 100 = 0 THEN NULL ELSE {} END)::DOUBLE AS height, ({})::DOUBLE AS weight, "
      "({})::DOUBLE AS glucose, ['yes', 'no'][1 + (hash(i + 7919) % 2)::INT] AS treated FROM range({}) AS r(i)",
      draw(1'000'003, 0, 100, 1), draw(2'000'003, 40, 210, 1), draw(3'000'017, 2, 180, 1), draw(4'000'037, 30, 320, 2), rows);
}

std::string plain_figures() {
  const std::vector<std::string> names{"age", "height", "weight", "glucose"};
  std::string numbers;
  for (std::size_t j = 0; j < names.size(); ++j) {
    numbers += fmt::format("{}SUM({})", j == 0 ? "" : ", ", names[j]);
    for (std::size_t k = j; k < names.size(); ++k) numbers += fmt::format(", SUM({} * {})", names[j], names[k]);
  }
  return numbers;
}

// What is asked, and how the plain engine asks it: a statement that makes the file known, and the
// query.
struct Question {
  std::string title, path, what, attach, query;
};

// The median ratio of processor time, ours to that of the plain query.
double compare(const Question& question) {
  PlainEngine warm_engine(question.attach);
  const auto ours_once = [&] { ask_ours(question.path, question.what); };
  const auto anew_once = [&] { PlainEngine(question.attach).run(question.query); };
  const auto warm_once = [&] { warm_engine.run(question.query); };
  ours_once();
  anew_once();
  warm_once();
  std::vector<double> ours;
  std::vector<double> anew;
  std::vector<double> warm;
  std::vector<double> to_anew;
  std::vector<double> to_warm;
  std::vector<double> processor_to_anew;
  std::vector<double> processor_to_warm;
  for (int i = 0; i < kRuns; ++i) {
    const Cost a = cost(ours_once);
    const Cost b = cost(anew_once);
    const Cost c = cost(warm_once);
    ours.push_back(a.wall);
    anew.push_back(b.wall);
    warm.push_back(c.wall);
    to_anew.push_back(a.wall / b.wall);
    to_warm.push_back(a.wall / c.wall);
    processor_to_anew.push_back(a.processor / b.processor);
    processor_to_warm.push_back(a.processor / c.processor);
  }
  const auto shown = [](const std::vector<double>& values, int digits) {
    const Summary s = summary(values);
    return fmt::format("{:.{}f} ({:.{}f} to {:.{}f})", s.median, digits, s.least, digits, s.most, digits);
  };
  fmt::print("{}\n  ours {} s   plain query {} s   plain query, warm {} s\n", question.title, shown(ours, 3), shown(anew, 3),
             shown(warm, 3));
  fmt::print("  ratio {}, of processor time {}   to warm {}, of processor time {}\n", shown(to_anew, 2), shown(processor_to_anew, 2),
             shown(to_warm, 2), shown(processor_to_warm, 2));
  std::fflush(stdout);
  return summary(processor_to_anew).median;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "--one") {
    ask_ours(argv[2], argv[3]);
    write_peak(argv[4]);
    return 0;
  }
  const long rows = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 10'000'000;
  if (rows < 10) fail("the number of rows must be at least 10");

  std::string pattern = (std::filesystem::temp_directory_path() / "tacet-moments-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) fail("cannot make a temporary folder");
  const std::filesystem::path folder = pattern;
  const auto name = [&](long size, const char* ending) { return (folder / fmt::format("{}{}", size, ending)).string(); };
  {
    PlainEngine plain;
    const auto table = [&](const std::string& path, const std::string& query) {
      plain.run(fmt::format("ATTACH '{0}' AS made; CREATE TABLE made.people AS {1}; DETACH made", path, query));
    };
    for (const long size : {rows / 10, rows}) {
      plain.run(fmt::format("COPY ({}) TO '{}' (FORMAT parquet)", rows_query(size, Digits::Recorded), name(size, ".parquet")));
      table(name(size, ".duckdb"), rows_query(size, Digits::Recorded));
    }
    plain.run(fmt::format("COPY ({}) TO '{}' (FORMAT parquet)", rows_query(rows, Digits::All), name(rows, ".noise.parquet")));
    table(name(rows, ".noise.duckdb"), rows_query(rows, Digits::All));
    plain.run(fmt::format("COPY ({}) TO '{}' (FORMAT csv, HEADER)", rows_query(rows / 10, Digits::Recorded), name(rows / 10, ".csv")));
  }
  const auto figures_from = [](const std::string& source) { return fmt::format("SELECT {} FROM {}", plain_figures(), source); };
  const std::string csv = fmt::format(
      "read_csv('{}', auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', columns = {{'age': 'DOUBLE', 'height': "
      "'DOUBLE', 'weight': 'DOUBLE', 'glucose': 'DOUBLE', 'treated': 'VARCHAR'}})",
      name(rows / 10, ".csv"));
  fmt::print("{} rows, {} interleaved runs, median (least to most)\n", rows, kRuns);
  const auto parquet = [&](const char* ending) { return fmt::format("read_parquet('{}')", name(rows, ending)); };
  const auto from_parquet = [&](const char* title, const char* ending) {
    return compare({title, name(rows, ending), "all", "", figures_from(parquet(ending))});
  };
  const auto from_duckdb = [&](const char* title, const char* ending) {
    return compare({title, name(rows, ending), "all", fmt::format("ATTACH '{}' AS people (READ_ONLY)", name(rows, ending)),
                    figures_from("people.people")});
  };
  const double on_parquet = from_parquet("Parquet", ".parquet");
  const double on_duckdb = from_duckdb("DuckDB table", ".duckdb");
  from_parquet("Parquet, 53 bits of noise", ".noise.parquet");
  from_duckdb("DuckDB table, 53 bits of noise", ".noise.duckdb");
  compare({"Parquet, two groups", name(rows, ".parquet"), "groups", "",
           fmt::format("SELECT treated, {} FROM {} GROUP BY treated", plain_figures(), parquet(".parquet"))});
  compare({"Parquet, clipped sums against plain sums", name(rows, ".parquet"), "clipped", "",
           fmt::format("SELECT SUM(age), SUM(height), SUM(weight), SUM(glucose) FROM {}", parquet(".parquet"))});
  compare({"CSV, a tenth of the rows", name(rows / 10, ".csv"), "all", "", figures_from(csv)});
  for (const auto& [title, ending, what] :
       {std::tuple{"Parquet", ".parquet", "all"}, {"Parquet, two groups", ".parquet", "groups"}, {"DuckDB table", ".duckdb", "all"}}) {
    fmt::print("{:<26} peak memory {:.0f} MiB at {} rows, {:.0f} MiB at {}\n", title, peak_memory(name(rows / 10, ending), what), rows / 10,
               peak_memory(name(rows, ending), what), rows);
  }
  std::filesystem::remove_all(folder);
  const bool within = on_parquet <= kMostOnParquet && on_duckdb <= kMostOnDuckDb;
  fmt::print("processor time: ratio on Parquet {:.2f}, limit {:.2f}; on a DuckDB table {:.2f}, limit {:.2f}: {}\n", on_parquet,
             kMostOnParquet, on_duckdb, kMostOnDuckDb, within ? "kept" : "BROKEN");
  return within ? 0 : 1;
}
