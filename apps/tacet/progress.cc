#include "progress.h"

#include <algorithm>
#include <csignal>

#include <fmt/format.h>

namespace tacet::app {
namespace {

constexpr auto kBetweenLines = std::chrono::milliseconds(200);
/// In a file or a pipe, as multiples of the quiet time.
constexpr int kFirstPlainLine = 10;
constexpr int kBetweenPlainLines = 30;

/// A write error is ignored: nothing depends on this text.
void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(descriptor, text.data(), text.size());
    if (wrote <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

}  // namespace

ProgressLine::ProgressLine(int descriptor, std::chrono::milliseconds quiet)
    : descriptor_(descriptor), terminal_(::isatty(descriptor) == 1), thread_([this, quiet] { keep_alive(quiet); }) {}

void ProgressLine::show(std::string_view doing, double fraction) {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  doing_ = doing;
  fraction_ = fraction;
}

void ProgressLine::clear() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::string ProgressLine::line(std::chrono::seconds passed) const {
  if (!terminal_) {
    const std::string known = fraction_ < 0 ? "" : fmt::format(" {:.0f} %,", 100 * std::clamp(fraction_, 0.0, 1.0));
    return fmt::format("tacet: {},{} {} s\n", doing_, known, passed.count());
  }
  if (fraction_ < 0) return fmt::format("\r\x1b[K{}, {} s", doing_, passed.count());
  constexpr int kWidth = 30;
  const double fraction = std::clamp(fraction_, 0.0, 1.0);
  const int done = static_cast<int>(fraction * kWidth);
  return fmt::format("\r\x1b[K{} [{:=<{}}{: <{}}] {:3.0f} %", doing_, "", done, "", kWidth - done, fraction * 100);
}

void ProgressLine::keep_alive(std::chrono::milliseconds quiet) {
  // A reader of standard error that has gone away must not end the job.
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  const auto first = terminal_ ? quiet : kFirstPlainLine * quiet;
  const auto between = terminal_ ? kBetweenLines : kBetweenPlainLines * quiet;
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  bool shown = false;
  for (auto wait = first; !changed_.wait_for(lock, wait, [this] { return ended_; }); wait = between) {
    if (doing_.empty()) continue;
    write_all(descriptor_, line(std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start)));
    shown = true;
  }
  if (shown && terminal_) write_all(descriptor_, "\r\x1b[K");
}

}  // namespace tacet::app
