// tacet/data/scan_process.h: the program that reads data files, found, started with what it needs, and ended. Private to the data room.
//
//   ScanProcess process = *ScanProcess::start(*scan_program(), region.descriptor(), file);
//   while (!process.wait(100ms)) tell(region.head().fraction);
//   if (!process.ended_well()) ...
//
// It is a program of its own and not a fork: nothing of this process's memory is in it, and a process with many threads may start it.
// It has the file, the region and (of a DuckDB file) the log, all opened here; no environment, no terminal, no other open file; and it dies
// when the thread that started it does.
// Found    beside the running program, in its ../libexec/tacet, or where Tacet was installed: never by the environment.
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

/// Its path; EngineFailed if it is in none of the places.
Result<std::string> scan_program();

class ScanProcess {
 public:
  /// Nothing if the file cannot be opened anew (a DuckDB file that has another's name by now, say) or the program cannot be started.
  static std::optional<ScanProcess> start(const std::string& program, int region, const DataFile& file);
  ScanProcess(ScanProcess&&) noexcept = default;
  ScanProcess& operator=(ScanProcess&&) = delete;
  ScanProcess(const ScanProcess&) = delete;
  ScanProcess& operator=(const ScanProcess&) = delete;
  /// Ends it, whatever it is doing.
  ~ScanProcess();

  /// True once it has ended; waits for that no longer than told, or for ever.
  bool wait(std::optional<std::chrono::milliseconds> longest) const;
  /// Whether it ended by itself and said that all is well. Call it once, after wait().
  bool ended_well();

 private:
  explicit ScanProcess(OwnedDescriptor process) : process_(std::move(process)) {}
  OwnedDescriptor process_;  // a descriptor of the process, so that no other is ever meant by its number
};

}  // namespace tacet::data
