#include "tacet/studies/run_study.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "tacet/studies/cells_file.h"

namespace tacet::studies {
namespace {

constexpr std::size_t kMostTrials = 1'000'000'000;
constexpr unsigned kMostThreads = 1024;

/// FNV-1a over the name, then the finalizer of splitmix64, so that near names are far apart.
std::uint64_t seed_of(std::uint64_t seed, std::string_view study, std::string_view cell, std::uint64_t block) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto take = [&hash](std::uint64_t byte) { hash = (hash ^ byte) * 0x100000001b3; };
  for (const std::string_view text : {study, cell}) {
    for (const char c : text) take(static_cast<unsigned char>(c));
    take(0);
  }
  hash += seed * 0x9e3779b97f4a7c15 + block * 0xd1342543de82ef95;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

struct Block {
  const Cell* cell;
  std::size_t number, trials;
  std::optional<Sums> sums;
};

Status check_run(const RunOptions& options) {
  if (options.effort.trials && (*options.effort.trials < 1 || *options.effort.trials > kMostTrials))
    return Error::invalid("trials", fmt::format("{}", *options.effort.trials), fmt::format("must be 1 to {}", kMostTrials));
  if (options.threads > kMostThreads)
    return Error::invalid("threads", fmt::format("{}", options.threads), fmt::format("must be at most {}", kMostThreads));
  return {};
}

Status check_cells(const std::vector<Cell>& cells) {
  std::set<std::string> names;
  for (const Cell& cell : cells) {
    if (cell.trials < 1 || cell.block < 1 || !names.insert(cell.name).second)
      return Error::of(Code::Internal, fmt::format("the study has no valid cell \"{}\"", cell.name), "please report how to repeat it");
  }
  return {};
}

Result<Sums> run_block(const Study& study, const Block& block, std::uint64_t seed) {
  const std::uint64_t own = seed_of(seed, study.name, block.cell->name, block.number);
  // A seed of a simulation is at most 2^53 (JSON has doubles); the stream's has 64 bits.
  Piece piece{.trials = block.trials, .seed = own >> 12, .stream = numeric::InsecureStream(own, std::uint64_t{1} << 63)};
  TACET_TRY(Sums sums, block.cell->run(piece));
  if (std::all_of(sums.begin(), sums.end(), [](double sum) { return std::isfinite(sum); })) return sums;
  return Error::of(Code::Internal, fmt::format("a number of cell \"{}\" is not finite", block.cell->name),
                   "please report how to repeat it");
}

/// Runs what is left, on several threads; the first failure ends all.
class Work {
 public:
  Work(const Study& study, std::vector<Block>& blocks, CellsFile& file, const RunOptions& options)
      : study_(study), blocks_(blocks), file_(file), options_(options) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (!blocks[i].sums) left_.push_back(i);
    }
  }

  Status run() {
    const unsigned wanted = options_.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : options_.threads;
    {
      std::vector<std::jthread> others;
      for (unsigned i = 1; i < wanted && i < left_.size(); ++i) others.emplace_back([this] { work(false); });
      work(true);
    }
    return failed_ ? Status(*failed_) : Status();
  }

 private:
  void work(bool tells) {
    for (std::size_t i = next_++; i < left_.size() && !ended_; i = next_++) {
      Block& block = blocks_[left_[i]];
      Result<Sums> sums = run_block(study_, block, options_.seed);
      const std::lock_guard lock(mutex_);
      Status kept = sums ? file_.add(block.cell->name, block.number, *sums) : Status(sums.error());
      if (!kept.ok()) {
        ended_ = true;
        if (!failed_) failed_ = kept.error();
        return;
      }
      block.sums = *std::move(sums);
      ++done_;
      if (tells && options_.progress) options_.progress(static_cast<double>(done_) / static_cast<double>(left_.size()));
    }
  }

  const Study& study_;
  std::vector<Block>& blocks_;
  CellsFile& file_;
  const RunOptions& options_;
  std::vector<std::size_t> left_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::optional<Error> failed_;
};

Result<Measured> added(const std::vector<Block>& blocks) {
  std::vector<std::pair<const Cell*, Sums>> cells;
  for (const Block& block : blocks) {
    if (cells.empty() || cells.back().first != block.cell) {
      cells.emplace_back(block.cell, *block.sums);
      continue;
    }
    Sums& sums = cells.back().second;
    if (sums.size() != block.sums->size()) {
      return Error::of(Code::Internal, fmt::format("blocks of cell \"{}\" differ in size", block.cell->name),
                       "please report how to repeat it");
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += (*block.sums)[i];
  }
  Measured measured;
  for (auto& [cell, sums] : cells) measured.set(cell->name, cell->trials, std::move(sums));
  return measured;
}

}  // namespace

Result<StudyRun> run_study(const Study& study, const RunOptions& options) {
  TACET_CHECK(check_run(options));
  const std::vector<Cell> cells = study.cells(options.effort);
  TACET_CHECK(check_cells(cells));
  std::string path;
  if (options.folder) {
    TACET_CHECK(make_folder(*options.folder));
    path = *options.folder + "/" + study.name + ".cells.jsonl";
  }
  CellsFile file(path, {.study = study.name, .version = study.version, .seed = options.seed, .effort = options.effort});
  TACET_CHECK(file.open());
  StudyRun run{.study = &study, .measured = {}, .findings = {}};
  std::vector<Block> blocks;
  std::vector<std::pair<const Cell*, const Sums*>> whole;
  for (const Cell& cell : cells) {
    if (const Sums* sums = file.find_all(cell.name, cell.trials)) {
      whole.emplace_back(&cell, sums);
      ++run.found;
      continue;
    }
    for (std::size_t number = 0, from = 0; from < cell.trials; ++number, from += cell.block) {
      const Sums* sums = file.find(cell.name, number);
      if (sums != nullptr) ++run.found;
      blocks.push_back({&cell, number, std::min(cell.block, cell.trials - from), sums != nullptr ? std::optional(*sums) : std::nullopt});
    }
  }
  run.blocks = blocks.size() + whole.size();
  if (const bool all_done = run.found == run.blocks; !all_done) TACET_CHECK(Work(study, blocks, file, options).run());
  TACET_TRY(run.measured, added(blocks));
  for (const auto& [cell, sums] : whole) run.measured.set(cell->name, cell->trials, *sums);
  TACET_CHECK(file.finish(run.measured));
  TACET_TRY(run.findings, study.conclude(run.measured));
  return run;
}

}  // namespace tacet::studies
