#include "tacet/data/scan_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t is POSIX
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/data/shared_region.h"
#include "tacet/data/sql.h"

namespace tacet::data {
namespace {

namespace fs = std::filesystem;
const char* const kName = "tacet-scan";

struct Opened {
  OwnedDescriptor data, log;
};

bool is_regular(const OwnedDescriptor& file, struct stat& about) { return ::fstat(file.number(), &about) == 0 && S_ISREG(about.st_mode); }

// Opened again, so that two scans of one DataFile do not share a position.
std::optional<Opened> open_anew(const DataFile& file) {
  Opened opened{OwnedDescriptor(::open(file.descriptor_path().c_str(), O_RDONLY | O_CLOEXEC)), OwnedDescriptor()};
  struct stat about{};
  if (!is_regular(opened.data, about)) return std::nullopt;
  if (file.kind() != FileKind::DuckDb) return opened;
  // The latest rows may be in a log, which is found by name: the name must still be this file's.
  struct stat named{};
  if (::stat(file.real_path().c_str(), &named) != 0 || named.st_dev != about.st_dev || named.st_ino != about.st_ino) return std::nullopt;
  const std::string log = sql::paths_of_database(file.real_path()).back();
  opened.log = OwnedDescriptor(::open(log.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (opened.log.number() < 0 ? errno != ENOENT : !is_regular(opened.log, about)) return std::nullopt;
  return opened;
}

/// Starts the program with only these descriptors, from kDataDescriptor on; -1 ends the list.
bool spawn(const std::string& program, const std::vector<int>& descriptors, pid_t& process) {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  bool sound = posix_spawn_file_actions_init(&actions) == 0 && posix_spawnattr_init(&attributes) == 0;
  const auto check = [&](int failure) { sound = sound && failure == 0; };
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    check(posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0));
  std::vector<OwnedDescriptor> lifted;
  int number = kDataDescriptor;
  for (const int descriptor : descriptors) {
    if (descriptor < 0) break;
    // Above all final numbers, so that no dup2 overwrites another descriptor.
    check(lifted.emplace_back(::fcntl(descriptor, F_DUPFD_CLOEXEC, 16)).number() < 0 ? EMFILE : 0);
    check(posix_spawn_file_actions_adddup2(&actions, lifted.back().number(), number++));
  }
  check(posix_spawn_file_actions_addclosefrom_np(&actions, number));
  // Signal masks and dispositions are not inherited, and no terminal is shared.
  sigset_t none{};
  sigset_t all{};
  check(sigemptyset(&none));
  check(sigfillset(&all));
  check(posix_spawnattr_setsigmask(&attributes, &none));
  check(posix_spawnattr_setsigdefault(&attributes, &all));
  check(posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID));
  std::string name = program;
  char* const words[] = {name.data(), nullptr};
  char* const environment[] = {nullptr};
  if (sound) check(posix_spawn(&process, program.c_str(), &actions, &attributes, words, environment));
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return sound;
}

}  // namespace

Result<std::string> scan_program() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {folder, folder.parent_path() / "libexec/tacet", fs::path(TACET_LIBEXEC), fs::path("/usr/libexec/tacet")}) {
    if (::access((place / kName).c_str(), X_OK) == 0) return (place / kName).string();
  }
  return Error::of(Code::EngineFailed,
                   fmt::format("{}, which reads data, is not beside this program, in {} or in /usr/libexec/tacet", kName, TACET_LIBEXEC),
                   "install Tacet whole, with its package or with make install");
}

std::optional<ScanProcess> ScanProcess::start(const std::string& program, int region, const DataFile& file) {
  const std::optional<Opened> opened = open_anew(file);
  pid_t process = 0;
  if (!opened || !spawn(program, {opened->data.number(), region, opened->log.number()}, process)) return std::nullopt;
  OwnedDescriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  // Without the handle it cannot be ended safely by number; it dies with this thread.
  if (handle.number() < 0) return std::nullopt;
  return ScanProcess(std::move(handle));
}

bool ScanProcess::wait(std::optional<std::chrono::milliseconds> longest) const {
  pollfd ended{process_.number(), POLLIN, 0};
  return ::poll(&ended, 1, longest ? static_cast<int>(std::min<std::int64_t>(longest->count(), 3'600'000)) : -1) > 0;
}

bool ScanProcess::ended_well() {
  siginfo_t info{};
  const OwnedDescriptor process = std::move(process_);
  int waited = 0;
  do waited = ::waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(process.number()), &info, WEXITED);
  while (waited != 0 && errno == EINTR);
  // If this process ignores SIGCHLD there is no exit status; the region then decides.
  return waited != 0 ? errno == ECHILD : info.si_code == CLD_EXITED && info.si_status == 0;
}

ScanProcess::~ScanProcess() {
  if (process_.number() < 0) return;
  (void)::syscall(SYS_pidfd_send_signal, process_.number(), SIGKILL, nullptr, 0);
  (void)ended_well();
}

}  // namespace tacet::data
