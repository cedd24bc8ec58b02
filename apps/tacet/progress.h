// apps/tacet/progress.h: how far a long job has come, on a terminal's standard error and nowhere else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace tacet::app {

/// Silent for the first second, and when standard error is not a terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(double fraction);
  void clear();

 private:
  std::chrono::steady_clock::time_point start_;
  bool terminal_;
  bool shown_ = false;
};

}  // namespace tacet::app
