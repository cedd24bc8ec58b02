// query_bench: 1,000 questions about 10^6 rows in memory, beside DuckDB's SQL for the same.
//
//   query_bench                    all of it; exits 1 beyond a limit
//   query_bench 100000 100         as many rows and questions as given, without limits
//
// Each question is another condition or expression about two columns. "Release" is all of it: the
// terms, the range of the question, one scan, a synced charge, exact noise. "Scan" is
// data::count with the same cells and weights, sealed. "Plain" is SQL over a table in the memory of
// an engine that is open already, without noise and without a ledger. Each has all threads of the
// machine. The limits are on the sums of processor time: a release costs at most the SQL, and not
// much more than its own scan; and on the last tenth beside the first, because a question must not
// cost more after many others.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/data/counts.h"
#include "tacet/numeric/insecure_stream.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/create_budget.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/session/bounded_query.h"
#include "tacet/workflow/session/bounded_rows.h"

#include "measure.h"
#include "plain_engine.h"
#include "support/declared.h"

namespace {

using namespace tacet::bench;
using namespace tacet;

constexpr double kMostOfScan = 1.6, kMostOfSql = 1, kMostGrowth = 1.25;

const char* const kSchema = R"(
tacet = 1
dataset = "bench"
ledger = "query_bench.ledger"
neighbours = "replace-one"
source = "memory:bench"
[columns.age]
lower = 18
upper = 100
resolution = 1
missing = 50
[columns.cholesterol]
lower = 100
upper = 400
resolution = 1
missing = 200
)";

struct Question {
  SessionAsk asked;
  std::string sql;
};

/// Three of four are fractions; no two are the same.
Question question(std::size_t i) {
  const std::size_t age = 20 + i % 60, cholesterol = 150 + i / 60 * 3;
  if (i % 4 != 3) {
    return {{.fraction = fmt::format("age >= {} and cholesterol < {}", age, cholesterol)},
            fmt::format("SELECT avg((age >= {} AND cholesterol < {})::INT) FROM people", age, cholesterol)};
  }
  return {{.mean_of = fmt::format("min(cholesterol - 100, {}) / 300 * [age >= {}]", cholesterol, age)},
          fmt::format("SELECT avg(least(cholesterol - 100, {}) / 300 * (age >= {})::INT) FROM people", cholesterol, age)};
}

template <class T>
T need(Result<T> result) {
  if (!result.ok()) fail(result.error().message());
  return *std::move(result);
}

std::vector<double> steps(std::size_t rows, double least, double range, std::uint64_t seed) {
  std::vector<double> values(rows);
  numeric::InsecureStream stream(seed, 0);
  for (double& value : values) value = least + std::floor(range * stream.uniform());
  return values;
}

std::vector<double> of(const std::vector<Cost>& costs, double Cost::* which) {
  std::vector<double> values;
  for (const Cost& one : costs) values.push_back(one.*which);
  return values;
}

struct Tenths {
  Summary first, last;  // of the processor time
};
Tenths tenths(const std::vector<Cost>& costs) {
  const std::vector<double> processor = of(costs, &Cost::processor);
  const auto tenth = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, costs.size() / 10));
  return {summary({processor.begin(), processor.begin() + tenth}), summary({processor.end() - tenth, processor.end()})};
}

double sum(const std::vector<Cost>& costs, double Cost::* which) {
  const std::vector<double> values = of(costs, which);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Prints a ratio with its limit; false beyond it.
bool within(const char* what, double ratio, double limit) {
  fmt::print("{:<36} {:.2f}   limit {:.2f}{}\n", what, ratio, limit, ratio <= limit ? "" : "   BROKEN");
  return ratio <= limit;
}

void print(const char* what, const std::vector<Cost>& costs) {
  const Summary wall = summary(of(costs, &Cost::wall)), all = summary(of(costs, &Cost::processor));
  const auto [first, last] = tenths(costs);
  fmt::print(
      "{:<10} {:7.2f} s, processor {:.2f} s   median of one: {:.2f} ms, processor {:.2f} ms ({:.2f} to {:.2f}; first tenth {:.2f}, last "
      "{:.2f})\n",
      what, sum(costs, &Cost::wall), sum(costs, &Cost::processor), 1e3 * wall.median, 1e3 * all.median, 1e3 * all.least, 1e3 * all.most,
      1e3 * first.median, 1e3 * last.median);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rows = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const std::size_t questions = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000;
  if (rows < 1 || questions < 1 || questions > 6'000) fail("give a number of rows, and of 1 to 6,000 questions");
  const std::vector<double> age = steps(rows, 18, 83, 1), cholesterol = steps(rows, 100, 301, 2);
  const MemoryTable table = need(MemoryTable::of_columns("bench", {{"age", std::span(age)}, {"cholesterol", std::span(cholesterol)}}));
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("tacet-query-bench-{}", ::getpid());
  std::filesystem::create_directory(folder);
  // Keys and the list of sources go with the ledger.
  if (::setenv("TACET_HOME", (folder / "keys").c_str(), 1) != 0) fail("no memory for the environment");
  const data::Schema schema = need(schemas::parse_schema(kSchema, false, folder.string()));
  const data::Declared declared = test::declared(schema);
  need(create_budget({.schema = schema, .total = Rho(1)}));
  const Dataset dataset = need(Dataset::open({.schema = schema, .data = table}));

  PlainEngine plain(
      fmt::format("CREATE TABLE people AS SELECT 18 + (hash(i) % 83)::DOUBLE AS age, 100 + (hash(i + 7919) % 301)::DOUBLE AS "
                  "cholesterol FROM range({}) AS r(i)",
                  rows));
  std::vector<Cost> released, scanned, asked;
  for (std::size_t i = 0; i < questions; ++i) {
    const Question one = question(i);
    released.push_back(cost([&] {
      need(release_bounded_query(dataset, {.fraction = one.asked.fraction, .mean_of = one.asked.mean_of, .loss = Rho("0.0001")}));
    }));
    const BoundedRows ready = need(bounded_rows(schema, one.asked));
    scanned.push_back(cost([&] { need(data::count(table.table(), declared, ready.request)); }));
    asked.push_back(cost([&] { plain.run(one.sql); }));
  }
  fmt::print("{} questions about {} rows in memory\n", questions, rows);
  print("release", released);
  print("scan", scanned);
  print("plain SQL", asked);
  std::filesystem::remove_all(folder);
  const double release = sum(released, &Cost::processor);
  const bool beside_scan = within("release beside its scan", release / sum(scanned, &Cost::processor), kMostOfScan);
  const bool beside_sql = within("release beside plain SQL", release / sum(asked, &Cost::processor), kMostOfSql);
  const auto [first, last] = tenths(released);
  const bool steady = within("last tenth beside the first", last.median / first.median, kMostGrowth);
  return argc > 1 || (beside_scan && beside_sql && steady) ? 0 : 1;
}
