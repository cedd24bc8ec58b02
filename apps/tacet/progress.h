// apps/tacet/progress.h: shows the progress of a long job on standard error.
//
//   ProgressLine progress;
//   progress.show("reading", 0.4);     // reading [============                  ]  40 %
//
// Nothing is shown in the first second. A thread updates the line while the job reports nothing.
// Where standard error is a file or a pipe, a plain line is written after 10 seconds and then every
// 30: "tacet: reading, 40 %, 10 s".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace tacet::app {

class ProgressLine {
 public:
  explicit ProgressLine(int descriptor = STDERR_FILENO, std::chrono::milliseconds quiet = std::chrono::seconds(1));
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// A fraction below 0 is unknown.
  void show(std::string_view doing, double fraction);
  /// Removes the line of a terminal and ends the thread; nothing is shown afterwards.
  void clear();

 private:
  void keep_alive(std::chrono::milliseconds quiet);
  std::string line(std::chrono::seconds passed) const;

  const int descriptor_;
  const bool terminal_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string doing_;
  double fraction_ = -1;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace tacet::app
