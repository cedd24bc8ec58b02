#include <algorithm>
#include <atomic>
#include <deque>
#include <future>

#include "tacet/data/scan.h"

namespace tacet::data {
namespace {

using Batch = std::vector<StoredColumn>;

// Takes stretches of rows by their number, until none is left.
void add_stretches(const std::vector<Batch>& batches, const RowPlan& plan, std::atomic<std::size_t>& taken, RowFold& fold) {
  std::vector<std::uint32_t> codes(plan.texts.size() * kStretch);
  std::vector<const std::uint32_t*> parts;
  for (std::size_t t = 0; t < plan.texts.size(); ++t) parts.push_back(codes.data() + t * kStretch);
  std::string scratch;
  std::size_t mine = taken++, stretch = 0;
  for (const Batch& batch : batches) {
    Batch numbers;
    for (const NumberInput& number : plan.numbers) numbers.push_back(batch[number.column]);
    for (std::size_t begin = 0; begin < batch.front().rows; begin += kStretch) {
      if (stretch++ != mine) continue;
      mine = taken++;
      const std::size_t rows = std::min(kStretch, batch.front().rows - begin);
      for (std::size_t t = 0; t < plan.texts.size(); ++t) {
        const TextInput& text = plan.texts[t];
        for (std::size_t i = 0; i < rows; ++i) text.code(text_of(batch[text.column], begin + i, scratch), &codes[t * kStretch + i]);
        text.finish(&codes[t * kStretch]);
      }
      fold.add(numbers, parts, rows, begin);
    }
  }
}

std::int64_t add_rows(const std::vector<Batch>& batches, const RowPlan& plan, unsigned threads, MomentSums& into,
                      const CountOptions& options) {
  std::size_t stretches = 0, rows = 0;
  for (const Batch& batch : batches) {
    rows += batch.front().rows;
    stretches += (batch.front().rows + kStretch - 1) / kStretch;
  }
  std::atomic<std::size_t> taken = 0;
  std::deque<RowFold> folds;
  std::vector<std::future<void>> running;  // the last, since its destructor waits
  for (std::size_t i = std::min<std::size_t>(threads, stretches); i > 0; --i) {
    running.push_back(std::async(std::launch::async, add_stretches, std::cref(batches), std::cref(plan), std::ref(taken),
                                 std::ref(folds.emplace_back(plan))));
  }
  for (std::size_t i = 0; i < running.size(); ++i) {
    options.progress.while_running(std::move(running[i]),
                                   [&] { return std::min(1.0, static_cast<double>(taken) / static_cast<double>(stretches)); });
    into.merge(folds[i].sums());
  }
  return static_cast<std::int64_t>(rows);
}

}  // namespace

Scanning<Sums> scan_here(const StoredTable& table, const Schema& schema, const ScanRequest& request, const CountOptions& options) {
  if (table.columns.empty() || table.batches.empty()) return Fault{};
  for (const Batch& batch : table.batches) {
    const auto fits = [&](const StoredColumn& column) { return column.rows == batch.front().rows; };
    if (batch.size() != table.columns.size() || !std::all_of(batch.begin(), batch.end(), fits)) return Fault{};
  }
  std::vector<SourceColumn> columns;
  for (const StoredColumn& column : table.batches.front()) columns.push_back({table.columns[columns.size()], true, column});
  return sum_rows(schema, request, columns, [&](const RowPlan& plan, MomentSums& into) {
    return add_rows(table.batches, plan, affordable_threads(request, plan.shape, options), into, options);
  });
}

}  // namespace tacet::data
