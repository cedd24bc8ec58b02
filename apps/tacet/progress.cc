#include "progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace tacet::app {

ProgressLine::ProgressLine() : start_(std::chrono::steady_clock::now()), terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(double fraction) {
  if (!terminal_ || std::chrono::steady_clock::now() - start_ < std::chrono::seconds(1)) return;
  constexpr int kWidth = 30;
  const int done = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kWidth);
  fmt::print(stderr, "\rreading [{:=<{}}{: <{}}] {:3.0f} %", "", done, "", kWidth - done, std::clamp(fraction, 0.0, 1.0) * 100);
  (void)std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  (void)std::fflush(stderr);
  shown_ = false;
}

}  // namespace tacet::app
