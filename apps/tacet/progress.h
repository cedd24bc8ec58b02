// apps/tacet/progress.h: what a long job is doing and how far it has come, on a terminal's standard error and nowhere else.
//
//   ProgressLine progress;
//   progress.show("reading", 0.4);     // reading [============                  ]  40 %, if it lasts
//
// Silent for the first second, and always when it does not write to a terminal. One thread of its own keeps the line alive while a job
// tells nothing.
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
  /// Takes the line away and ends the thread; nothing is shown after it.
  void clear();

 private:
  void keep_alive(std::chrono::milliseconds quiet);
  std::string line(std::chrono::seconds passed) const;

  const int descriptor_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string doing_;
  double fraction_ = -1;
  bool ended_ = false;
  std::thread thread_;  // none when it is not a terminal
};

}  // namespace tacet::app
