// Another process: started, waited for, killed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tacet::testing {

class Child {
 public:
  /// Runs `command` with `standard_input`.
  Child(std::vector<std::string> command, int standard_input) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, standard_input, STDIN_FILENO);
    const int failed = posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::runtime_error("a child process cannot be started");
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child(Child&& other) noexcept : process_(std::exchange(other.process_, 0)) {}
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (process_ > 0) {
      kill();
      wait();
    }
  }

  void kill() const { ::kill(process_, SIGKILL); }
  /// Its exit code, or -1 if it was killed.
  int wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t process_ = 0;
};

/// Holds back children that read it as standard input, until open().
class Gate {
 public:
  Gate() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) throw std::runtime_error("no pipe can be made");
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() {
    open();
    ::close(ends_[0]);
  }
  int standard_input() const { return ends_[0]; }
  void open() {
    if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace tacet::testing
