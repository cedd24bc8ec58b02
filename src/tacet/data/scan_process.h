// tacet/data/scan_process.h: starts and ends the program that reads data files. Private to data.
//
//   ScanProcess process = *ScanProcess::start(*scan_program(), region.descriptor(), file);
//   while (!process.wait(std::chrono::milliseconds(100))) show(region.head().fraction.load());
//   if (!process.ended_well()) return Fault{Fault::Failed};
//
// It is a separate program, not a fork: it has nothing of this process's memory, and a process
// with many threads can start it. It gets the file, the region and the log of a DuckDB file; no
// environment, terminal or other file. It dies with its parent thread.
// Found    beside the program, in its ../libexec/tacet, or as installed; never by environment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "tacet/base/owned_descriptor.h"
#include "tacet/base/result.h"
#include "tacet/data/data_file.h"

namespace tacet::data {

/// The path of the program; EngineFailed if it is in none of these places.
Result<std::string> scan_program();

class ScanProcess {
 public:
  /// Empty if the program cannot start or the file cannot be reopened (if it was replaced).
  static std::optional<ScanProcess> start(const std::string& program, int region, const DataFile& file);
  ScanProcess(ScanProcess&&) noexcept = default;
  ScanProcess& operator=(ScanProcess&&) = delete;
  ScanProcess(const ScanProcess&) = delete;
  ScanProcess& operator=(const ScanProcess&) = delete;
  /// Kills the process if it still runs.
  ~ScanProcess();

  /// True once it has ended; waits at most `longest`, or without limit.
  bool wait(std::optional<std::chrono::milliseconds> longest) const;
  /// True if it exited with code 0. Call it once, after wait().
  bool ended_well();

 private:
  explicit ScanProcess(OwnedDescriptor process) : process_(std::move(process)) {}
  OwnedDescriptor process_;  // a descriptor: a process number could be reused
};

}  // namespace tacet::data
