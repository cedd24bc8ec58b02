#include "cli/program.h"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace tacet::test {
namespace {

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

Running::Running(std::vector<std::string> command, const std::string& folder, const std::string& out, const std::string& err)
    : process_(0) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  const int failed = posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("the program cannot be started");
}

Running::Running(Running&& other) noexcept : process_(std::exchange(other.process_, 0)) {}

Running::~Running() {
  if (process_ <= 0) return;
  kill();
  wait();
}

void Running::kill() const { signal(SIGKILL); }

void Running::signal(int number) const { ::kill(process_, number); }

int Running::wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Ended Program::run_command(std::vector<std::string> command) const {
  Running running(std::move(command), path(""), outputs_.path("out"), outputs_.path("err"));
  Ended ended;
  ended.exit_code = running.wait();
  ended.out = contents(outputs_.path("out"));
  ended.err = contents(outputs_.path("err"));
  return ended;
}

Ended Program::run(const std::vector<std::string>& words) const {
  std::vector<std::string> command = {TACET_PROGRAM};
  command.insert(command.end(), words.begin(), words.end());
  return run_command(std::move(command));
}

Running Program::start(const std::vector<std::string>& words, const std::string& name) const {
  std::vector<std::string> command = {TACET_PROGRAM};
  command.insert(command.end(), words.begin(), words.end());
  return {std::move(command), path(""), outputs_.path("out-" + name), outputs_.path("err-" + name)};
}

std::vector<std::string> Program::release_words(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"release",     "counts", "--data",   "people.csv",  "--schema",
                                    "people.toml", "--by",   "sex,plan", "--mechanism", "gaussian"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::optional<service::Json> one_object(const std::string& text) {
  service::Json value = service::Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!value.is_object()) return std::nullopt;
  return value;
}

}  // namespace tacet::test
