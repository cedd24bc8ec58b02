// tacet/studies/run_study.h: runs a study on all processors, and goes on where it was interrupted.
//
//   const Study* study = *find_study("rogers_table_3");
//   StudyRun run = *run_study(*study, {.effort = {.quick = true}, .folder = "out"});
//   run.findings.verdicts.front().outcome;         // Outcome::Reproduced
//
// Finished blocks stand in out/rogers_table_3.cells.jsonl. A run with the same study, version,
// seed and trials uses them; any other starts anew. The sums are added in the order of the blocks,
// so the findings are the same for every number of threads.
// Domain   1 to 10^9 trials, up to 1024 threads.
// Error    that of the trials.
// Checked  tests/studies/run_study_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/studies/study.h"

namespace tacet::studies {

struct RunOptions {
  Effort effort = {};
  unsigned threads = 0;  // 0: as many as the machine has
  std::uint64_t seed = 1;
  std::optional<std::string> folder = {};              // of the finished cells; empty: nothing is kept
  std::function<void(double fraction)> progress = {};  // called from the calling thread
};

struct StudyRun {
  const Study* study;
  Measured measured;
  Findings findings;
  std::size_t blocks = 0, found = 0;  // found: finished by an earlier run
};

Result<StudyRun> run_study(const Study& study, const RunOptions& options);

}  // namespace tacet::studies
