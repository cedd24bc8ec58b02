// The real program, run as a shell would run it: in a folder of its own, with what it prints and
// how it ends.
//
//   Program program;
//   const Ended shown = program.run({"budget", "show", "--schema", "people.toml", "--json"});
//   EXPECT_EQ(shown.exit_code, 0) << shown.err;
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "service/desk.h"

namespace tacet::test {

struct Ended {
  int exit_code = -1;  // -1: killed by a signal
  std::string out, err;
};

class Running {
 public:
  /// `command` by its path; standard output and error go to the files given, standard input is
  /// empty.
  Running(std::vector<std::string> command, const std::string& folder, const std::string& out, const std::string& err);
  Running(Running&& other) noexcept;
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  Running& operator=(Running&&) = delete;
  ~Running();

  pid_t process() const { return process_; }
  void kill() const;
  void signal(int number) const;
  /// The exit code, or -1 after a signal.
  int wait();

 private:
  pid_t process_;
};

/// A desk, and the program on it.
class Program : public Desk {
 public:
  Ended run(const std::vector<std::string>& words) const;
  Ended run_command(std::vector<std::string> command) const;
  /// `name` tells apart what several at a time print.
  Running start(const std::vector<std::string>& words, const std::string& name) const;

  /// What `release counts` needs but the loss and the file to write.
  static std::vector<std::string> release_words(const std::vector<std::string>& more);

 private:
  testing::ScratchFolder outputs_;
};

/// The one JSON object that `text` is, or nothing.
std::optional<service::Json> one_object(const std::string& text);

}  // namespace tacet::test
