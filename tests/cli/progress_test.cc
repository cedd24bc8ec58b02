#include "progress.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace tacet::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// Both ends of a terminal that nobody sits at.
class Terminal {
 public:
  Terminal() {
    if (::openpty(&ours_, &theirs_, nullptr, nullptr, nullptr) != 0) throw std::runtime_error("no terminal can be made");
  }
  ~Terminal() {
    ::close(ours_);
    ::close(theirs_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  int descriptor() const { return theirs_; }
  std::string name() const { return ::ttyname(theirs_); }

  /// All that was written so far.
  std::string screen() {
    pollfd waiting{.fd = ours_, .events = POLLIN, .revents = 0};
    while (::poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN) != 0) {
      char buffer[4096];
      const ssize_t got = ::read(ours_, buffer, sizeof buffer);
      if (got <= 0) break;
      text_.append(buffer, static_cast<std::size_t>(got));
    }
    return text_;
  }
  /// Waits until it shows this, but no longer than ten seconds.
  bool shows(const std::string& text) {
    for (int i = 0; i < 1000; ++i) {
      if (screen().find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }

 private:
  int ours_ = -1, theirs_ = -1;
  std::string text_;
};

TEST(ProgressLine, ShowsHowFarAJobHasComeOnceItHasLasted) {
  Terminal terminal;
  app::ProgressLine progress(terminal.descriptor(), 1ms);
  progress.show("reading", 0.5);
  EXPECT_TRUE(terminal.shows("reading [===============               ]  50 %"));
  progress.show("reading", 7);
  EXPECT_TRUE(terminal.shows("[==============================] 100 %"));
  progress.show("writing", -1);
  EXPECT_TRUE(terminal.shows("writing, 0 s"));
}

TEST(ProgressLine, TakesItselfAwayAtTheEnd) {
  Terminal terminal;
  app::ProgressLine progress(terminal.descriptor(), 1ms);
  progress.show("reading", 0.1);
  ASSERT_TRUE(terminal.shows("reading"));
  progress.clear();
  EXPECT_TRUE(terminal.screen().ends_with("\r\x1b[K"));
  progress.show("reading", 0.9);
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(terminal.screen().ends_with("\r\x1b[K"));
}

TEST(ProgressLine, IsSilentForAJobThatEndsWithinItsQuietTime) {
  Terminal terminal;
  {
    app::ProgressLine progress(terminal.descriptor(), 1h);
    progress.show("reading", 0.5);
    progress.show("writing", 0.5);
  }
  EXPECT_EQ(terminal.screen(), "");
}

TEST(ProgressLine, SaysSeldomAndPlainlyWhereThereIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  std::string said(64, ' ');
  {
    app::ProgressLine progress(ends[1], 1ms);
    progress.show("reading", 0.5);
    const ssize_t read = ::read(ends[0], said.data(), said.size());  // waits for the first line
    ASSERT_GT(read, 0);
    said.resize(static_cast<std::size_t>(read));
  }
  EXPECT_EQ(said.substr(0, said.find('\n') + 1), "tacet: reading, 50 %, 0 s\n");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(ProgressLine, IsSilentInAPipeForTenTimesItsQuietTime) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
  {
    app::ProgressLine progress(ends[1], 1h);
    progress.show("reading", -1);
    std::this_thread::sleep_for(20ms);
  }
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), -1);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(ProgressLine, OutlivesTheReaderOfItsPipe) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::close(ends[0]);
  const auto show = [&] {
    {
      app::ProgressLine progress(ends[1], 1ms);
      progress.show("reading", 0.5);
      std::this_thread::sleep_for(100ms);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(show(), ::testing::ExitedWithCode(0), "");
  ::close(ends[1]);
}

/// `tacet infer estimate` on a pipe that gives nothing until `wait` says so: a job that lasts as
/// long as we like.
template <class Wait>
int estimate_slowly(const Program& program, const std::string& standard_error, const Wait& wait) {
  program.write("values.json", "[1, 2]");
  EXPECT_EQ(program.run({"import", "table", "--values", "values.json", "--noise", "laplace:1", "--out", "release.json"}).exit_code, 0);
  EXPECT_EQ(::mkfifo(program.path("pipe").c_str(), 0600), 0);
  Running running({TACET_PROGRAM, "infer", "estimate", "--release", "pipe"}, program.path(""), program.path("out"), standard_error);
  // Returns when the program has opened its end, however late that is: what is written before would
  // be lost.
  const int pipe = ::open(program.path("pipe").c_str(), O_WRONLY | O_CLOEXEC);
  wait();
  const std::string text = program.read("release.json");
  EXPECT_EQ(::write(pipe, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(pipe);
  return running.wait();
}

TEST(Progress, OfTheProgramIsShownOnATerminalAfterASecondAndThenTakenAway) {
  const Program program;
  Terminal terminal;
  bool shown = false;
  EXPECT_EQ(estimate_slowly(program, terminal.name(), [&] { shown = terminal.shows("reading the release, 1 s"); }), 0);
  EXPECT_TRUE(shown) << terminal.screen();
  EXPECT_TRUE(terminal.shows("\x1b[K"));
  EXPECT_THAT(program.read("out"), HasSubstr("Estimated counts"));
}

TEST(Progress, OfTheProgramIsNotShownWhereStandardErrorIsNoTerminal) {
  const Program program;
  EXPECT_EQ(estimate_slowly(program, program.path("err"), [] { std::this_thread::sleep_for(1300ms); }), 0);
  EXPECT_EQ(program.read("err"), "");
}

}  // namespace
}  // namespace tacet::test
