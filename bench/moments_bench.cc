// moments_bench: the time and memory of data::moments, against the plain query of DuckDB for the same figures on the same file in the
// same run: SUM(x) and SUM(x * y) in double precision, for 4 columns and their 10 products.
//
//   moments_bench            10^7 rows; exits 1 if a median ratio exceeds its limit: 0.6 on Parquet, 0.4 on a DuckDB table
//   moments_bench 1000000    as many rows as given
//
// Ours is measured whole: opening the file, starting an engine, quantising, adding, sealing. The plain query runs in an engine that is
// open already, with its caches and as many threads. Runs are interleaved; the figures are the median and the range. Memory is the peak
// of a process of its own that does one request.
// SPDX-License-Identifier: Apache-2.0
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <duckdb.h>
#include <fmt/format.h>

#include "tacet/data/moments.h"

namespace {

using tacet::data::DataFile;

constexpr int kRuns = 11;
constexpr double kMostOnParquet = 0.6;
constexpr double kMostOnDuckDb = 0.4;

[[noreturn]] void fail(const std::string& what) {
  fmt::print(stderr, "moments_bench: {}\n", what);
  std::exit(2);
}

const char* const kSchema = R"(
tacet = 1
dataset = "bench"
ledger = "bench.ledger"
[columns.age]
lower = 0
upper = 120
resolution = 0.001
[columns.height]
lower = 50
upper = 250
resolution = 0.0001
[columns.weight]
lower = 0
upper = 200
resolution = 0.0001
[columns.glucose]
lower = 20
upper = 300
resolution = 0.01
[columns.treated]
categories = ["yes", "no"]
)";

tacet::data::Schema schema() {
  auto schema = tacet::data::parse_schema(kSchema, false, ".");
  if (!schema.ok()) fail(schema.error().message());
  return *std::move(schema);
}

void ask_ours(const std::string& path, const std::string& what) {
  auto file = DataFile::open(path);
  if (!file.ok()) fail(file.error().message());
  const std::vector<std::string> columns{"age", "height", "weight", "glucose"};
  if (what == "clipped") {
    const auto sums = tacet::data::clipped_sums(
        *file, schema(), columns,
        {.centre = {60, 150, 100, 160}, .map = tacet::data::diagonal({0.02, 0.01, 0.01, 0.01}), .radius = 1, .steps = 1 << 20});
    if (!sums.ok()) fail(sums.error().message());
    return;
  }
  tacet::data::MomentRequest request{.columns = columns};
  if (what == "groups") request.groups = tacet::data::Groups{"treated", tacet::data::Membership::Public};
  const auto moments = tacet::data::moments(*file, schema(), request);
  if (!moments.ok()) fail(moments.error().message());
}

class PlainEngine {
 public:
  PlainEngine() {
    if (duckdb_open(nullptr, &database_) != DuckDBSuccess || duckdb_connect(database_, &connection_) != DuckDBSuccess)
      fail("cannot open DuckDB");
  }
  ~PlainEngine() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }
  PlainEngine(const PlainEngine&) = delete;
  PlainEngine& operator=(const PlainEngine&) = delete;
  void run(const std::string& query) {
    duckdb_result result;
    if (duckdb_query(connection_, query.c_str(), &result) != DuckDBSuccess) fail(duckdb_result_error(&result));
    duckdb_destroy_result(&result);
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

template <class F>
double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Summary {
  double median, least, most;
};
Summary summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.front(), values.back()};
}

// Hashes of the row number stand for random draws, the same on every machine and with every number of threads; one height in a hundred is
// missing and some are out of bounds.
std::string rows_query(long rows) {
  const auto draw = [](long seed, double least, double most) {
    return fmt::format("{} + {} * (hash(i + {}) / 18446744073709551616.0)", least, most - least, seed);
  };
  return fmt::format(
      "SELECT ({})::DOUBLE AS age, (CASE WHEN hash(i + 5) % 100 = 0 THEN NULL ELSE {} END)::DOUBLE AS height, ({})::DOUBLE AS weight, "
      "({})::DOUBLE AS glucose, ['yes', 'no'][1 + (hash(i + 7919) % 2)::INT] AS treated FROM range({}) AS r(i)",
      draw(1'000'003, 0, 100), draw(2'000'003, 40, 210), draw(3'000'017, 2, 180), draw(4'000'037, 30, 320), rows);
}

std::string plain_figures() {
  const std::vector<std::string> names{"age", "height", "weight", "glucose"};
  std::string figures;
  for (std::size_t j = 0; j < names.size(); ++j) {
    figures += fmt::format("{}SUM({})", j == 0 ? "" : ", ", names[j]);
    for (std::size_t k = j; k < names.size(); ++k) figures += fmt::format(", SUM({} * {})", names[j], names[k]);
  }
  return figures;
}

double compare(const std::string& title, const std::string& path, const std::string& what, const std::string& plain_query,
               PlainEngine& plain) {
  const auto ours_once = [&] { ask_ours(path, what); };
  const auto plain_once = [&] { plain.run(plain_query); };
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
  fmt::print("{:<26} ours {:.3f} s ({:.3f} to {:.3f})   plain query {:.3f} s ({:.3f} to {:.3f})   ratio {:.2f} ({:.2f} to {:.2f})\n", title,
             a.median, a.least, a.most, b.median, b.least, b.most, r.median, r.least, r.most);
  return r.median;
}

// The peak memory, in MiB, of this program run on its own for one request.
double peak(const std::string& self, const std::string& path, const std::string& what) {
  const std::string answer = path + ".peak";
  std::vector<std::string> words{self, "--one", path, what, answer};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ) != 0) fail("cannot start a process");
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) fail("a process of ours failed");
  double mebibytes = 0;
  std::ifstream(answer) >> mebibytes;
  return mebibytes;
}

// The kernel's high-water mark for this process since it began (getrusage would add that of the process it was started from).
void write_peak(const std::string& answer) {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kibibytes = 0;
  while (status >> word) {
    if (word == "VmHWM:") status >> kibibytes;
  }
  std::ofstream(answer) << kibibytes / 1024;
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
  double on_parquet = 0;
  double on_duckdb = 0;
  {
    PlainEngine plain;
    plain.run(fmt::format("SET threads = {}", std::max(1U, std::thread::hardware_concurrency())));
    for (const long size : {rows / 10, rows}) {
      plain.run(fmt::format("COPY ({}) TO '{}' (FORMAT parquet)", rows_query(size), name(size, ".parquet")));
      plain.run(fmt::format("ATTACH '{0}' AS made; CREATE TABLE made.people AS {1}; DETACH made", name(size, ".duckdb"), rows_query(size)));
    }
    plain.run(fmt::format("COPY (FROM ({})) TO '{}' (FORMAT csv, HEADER)", rows_query(rows / 10), name(rows / 10, ".csv")));
    fmt::print("{} rows, {} interleaved runs, median (least to most)\n", rows, kRuns);
    const std::string parquet = fmt::format("read_parquet('{}')", name(rows, ".parquet"));
    const std::string query = fmt::format("SELECT {} FROM {{}}", plain_figures());
    on_parquet = compare("Parquet", name(rows, ".parquet"), "all", fmt::format(fmt::runtime(query), parquet), plain);
    plain.run(fmt::format("ATTACH '{}' AS people (READ_ONLY)", name(rows, ".duckdb")));
    on_duckdb = compare("DuckDB file", name(rows, ".duckdb"), "all", fmt::format(fmt::runtime(query), "people.people"), plain);
    compare("Parquet, two groups", name(rows, ".parquet"), "groups",
            fmt::format("SELECT treated, {} FROM {} GROUP BY treated", plain_figures(), parquet), plain);
    compare("Parquet, clipped sums", name(rows, ".parquet"), "clipped", fmt::format("SELECT SUM(age), SUM(height), SUM(weight), SUM(glucose) FROM {}", parquet), plain);
    compare("CSV, a tenth of the rows", name(rows / 10, ".csv"), "all",
            fmt::format(fmt::runtime(query),
                        fmt::format("read_csv('{}', auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', columns = "
                                    "{{'age': 'DOUBLE', 'height': 'DOUBLE', 'weight': 'DOUBLE', 'glucose': 'DOUBLE', 'treated': 'VARCHAR'}})",
                                    name(rows / 10, ".csv"))),
            plain);
  }
  for (const auto& [title, ending, what] :
       {std::tuple{"Parquet", ".parquet", "all"}, {"Parquet, two groups", ".parquet", "groups"}, {"DuckDB file", ".duckdb", "all"}}) {
    fmt::print("{:<26} peak memory {:.0f} MiB at {} rows, {:.0f} MiB at {}\n", title, peak(argv[0], name(rows / 10, ending), what), rows / 10,
               peak(argv[0], name(rows, ending), what), rows);
  }
  std::filesystem::remove_all(folder);
  const bool within = on_parquet <= kMostOnParquet && on_duckdb <= kMostOnDuckDb;
  fmt::print("ratio on Parquet {:.2f}, limit {:.2f}; on a DuckDB table {:.2f}, limit {:.2f}: {}\n", on_parquet, kMostOnParquet, on_duckdb,
             kMostOnDuckDb, within ? "kept" : "BROKEN");
  return within ? 0 : 1;
}
