// The program `tacet`: a thin shell over tacet/service/verb.h. It turns options into a JSON
// request, calls the verb, and prints the answer in words or, with --json, as one JSON object.
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGXFSZ is POSIX
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tacet/service/error_json.h"
#include "tacet/service/verb.h"

#include "advice.h"
#include "command_line.h"
#include "progress.h"

namespace {

using tacet::Code;
using tacet::Error;

constexpr int kUsage = 2;
constexpr int kDoesNotHold = 1;  // the verb checked something that is not true

bool answers_in_json = false;  // for `say_and_end`, which has no arguments

/// Ends the program after an unexpected exception (no memory in a destructor), an abort of a
/// library, or a failed check of ours. Says so, allocates nothing, and ends with an exit code in
/// place of a signal.
[[noreturn]] void say_and_end() noexcept {
  static constexpr std::string_view kJson =
      R"({"error": {"code": "Internal", "name": "", "value": "", "rule": "Tacet failed unexpectedly", "remedy": "", )"
      R"("message": "Tacet failed unexpectedly, perhaps because memory ran out", )"
      R"("spent": "what was spent, if anything, stands in `tacet budget history`"}})"
      "\n";
  static constexpr std::string_view kWords =
      "Internal: Tacet failed unexpectedly, perhaps because memory ran out; "
      "what was spent, if anything, stands in `tacet budget history`\n";
  if (answers_in_json) (void)!write(STDOUT_FILENO, kJson.data(), kJson.size());
  (void)!write(STDERR_FILENO, kWords.data(), kWords.size());
  _exit(tacet::service::exit_code(Code::Internal));
}

/// Prepares the process: closed descriptors, limits and fatal errors must not lead to writes into
/// our files or to an end by signal.
void settle_process() {
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // A file opened later would get the free number, and standard output would be written to it.
    // For reading only: writes there fail and are reported.
    if (fcntl(standard, F_GETFD) == -1) (void)open("/dev/null", O_RDONLY);
  }
  std::set_terminate(say_and_end);  // the default prints the exception's text, which may be private
  (void)signal(SIGABRT, [](int /*number*/) { say_and_end(); });
  (void)signal(SIGXFSZ, SIG_IGN);  // a file beyond its size limit gives a normal error
  // A crash must not write people's data to a file: to no core file, and to none of a service.
  const rlimit none{0, 0};
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/// In a user namespace anybody can have any name, so such a name is marked.
bool has_real_user() {
  std::ifstream map("/proc/self/uid_map");
  std::uint64_t inside = 1;
  std::uint64_t outside = 1;
  std::uint64_t users = 0;
  return !(map >> inside >> outside >> users) || (inside == 0 && outside == 0 && users == 4294967295);
}

std::string user_name() {
  const passwd* entry = getpwuid(geteuid());
  std::string name = entry != nullptr && entry->pw_name != nullptr ? entry->pw_name : fmt::format("uid {}", geteuid());
  return has_real_user() ? name : name + " (in a user namespace)";
}

/// False if standard output does not take all of it: a full disk, a closed descriptor.
bool print(const std::string& text) { return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0; }

int fail(const Error& error, bool json, int code, const std::vector<tacet::service::Field>& fields = {}) {
  if (json) {
    tacet::service::Json answer = tacet::service::to_json(error);
    for (const char* part : {"rule", "remedy", "message"}) {
      tacet::service::Json& text = answer["error"][part];
      text = tacet::app::as_typed(text.get<std::string>(), fields);
    }
    (void)print(tacet::service::dump(answer, 1) + "\n");
  }
  (void)std::fputs((tacet::app::as_typed(tacet::service::sentence(error), fields) + "\n").c_str(), stderr);
  return code;
}

int run(const tacet::app::Command& command, bool json) {
  tacet::app::ProgressLine progress;
  tacet::service::Context context;
  context.analyst = user_name();
  context.progress = [&progress](std::string_view doing, double fraction) { progress.show(doing, fraction); };
  const auto result = tacet::service::perform(command.verb->name, command.request, context);
  if (!result) {
    progress.clear();
    return fail(result.error(), json, tacet::service::exit_code(result.error().code()), command.verb->fields);
  }
  progress.show("preparing the answer", -1);
  const std::string answer = json ? tacet::service::dump(result->json(), 1) + "\n" : result->words();
  progress.clear();
  if (print(answer)) return result->holds() ? 0 : kDoesNotHold;
  return fail(Error::of(Code::FileUnwritable, "the answer could not be written to standard output",
                        "the files that the request was to write are there")
                  .after_charge("the request itself was done, and what it spent stands in `tacet budget history`"),
              false, tacet::service::exit_code(Code::FileUnwritable));
}

int run(const tacet::app::Help& help) {
  if (!print(help.text)) return tacet::service::exit_code(Code::FileUnwritable);
  return help.asked_for ? 0 : kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  settle_process();
  bool json = false;
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    json = tacet::app::wants_json(words);
    answers_in_json = json;
    const tacet::app::Parsed parsed = tacet::app::parse_command_line(words);
    if (const auto* help = std::get_if<tacet::app::Help>(&parsed)) return run(*help);
    if (const auto* misuse = std::get_if<tacet::app::Misuse>(&parsed)) return fail(misuse->error, json, kUsage);
    return run(std::get<tacet::app::Command>(parsed), json);
  } catch (const std::exception&) {
    // The exception's text may be private; only its existence is public.
    return fail(Error::of(Code::Internal, "Tacet failed unexpectedly", "please report how to repeat it")
                    .after_charge("what was spent, if anything, stands in `tacet budget history`"),
                json, tacet::service::exit_code(Code::Internal));
  }
}
