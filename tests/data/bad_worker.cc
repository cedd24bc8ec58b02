// A program in place of tacet-scan that misbehaves in the way that it is called; see scan_test.cc
// and confine_test.cc. As `probe` it confines itself like the real one, tries everything, and
// answers with what came of it, as text.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/base/wide.h"
#include "tacet/data/fault.h"
#include "tacet/data/scan.h"

namespace {

using namespace tacet;
using namespace tacet::data;

void write(const SharedRegion& region, std::size_t at, const void* bytes, std::size_t size) {
  if (at + size > region.answer().size()) _exit(3);
  std::memcpy(region.answer().data() + at, bytes, size);
  region.head().answered = SharedRegion::kAnswered;
}

void count(const SharedRegion& region, const std::vector<std::int64_t>& rows) {
  write(region, 0, rows.data(), rows.size() * sizeof rows[0]);
}

void sum(const SharedRegion& region, std::int64_t rows, const std::vector<Int128>& numbers) {
  count(region, {rows});
  write(region, sizeof rows, numbers.data(), numbers.size() * sizeof numbers[0]);
}

// ---- The probe. ----

using Findings = std::vector<std::string>;

/// The error of a system call, or "done" if it was done.
void attempt(Findings& findings, const std::string& what, long result) {
  const int error = errno;
  findings.push_back(fmt::format("{}: {}", what, result == -1 ? strerrorname_np(error) : "done"));
}

void try_files(Findings& f) {
  struct stat about{};
  attempt(f, "open another file", ::open("/etc/passwd", O_RDONLY));
  attempt(f, "open a relative name", ::open("CMakeLists.txt", O_RDONLY));
  attempt(f, "open the root", ::open("/", O_RDONLY | O_DIRECTORY));
  attempt(f, "open through proc", ::open("/proc/self/root/etc/passwd", O_RDONLY));
  attempt(f, "open its memory", ::open("/proc/self/mem", O_RDWR));
  attempt(f, "open the data for writing", ::open("/data", O_RDWR));
  attempt(f, "make a file", ::open("/tmp/tacet-probe", O_CREAT | O_WRONLY, 0600));
  attempt(f, "make a nameless file", ::open("/tmp", O_TMPFILE | O_RDWR, 0600));
  attempt(f, "creat", ::syscall(SYS_creat, "/tmp/tacet-probe", 0600));
  attempt(f, "openat2", ::syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", nullptr, 0));
  attempt(f, "open_by_handle_at", ::syscall(SYS_open_by_handle_at, AT_FDCWD, nullptr, 0));
  attempt(f, "stat another file", ::stat("/etc/passwd", &about));
  attempt(f, "statx another file", ::syscall(SYS_statx, AT_FDCWD, "/etc/passwd", 0, 0, nullptr));
  attempt(f, "is another file there", ::access("/etc/passwd", F_OK));
  attempt(f, "readlink", ::readlink("/proc/self/exe", reinterpret_cast<char*>(&about), sizeof about));
  attempt(f, "getcwd", ::syscall(SYS_getcwd, &about, sizeof about));
  attempt(f, "mkdir", ::mkdir("/tmp/tacet-probe", 0700));
  attempt(f, "unlink", ::unlink("/tmp/tacet-probe"));
  attempt(f, "rename", ::rename("/tmp/tacet-probe", "/tmp/tacet-probe-2"));
  attempt(f, "symlink", ::symlink("/etc/passwd", "/tmp/tacet-probe"));
  attempt(f, "chmod", ::chmod("/tmp", 0700));
  attempt(f, "chdir", ::chdir("/"));
  attempt(f, "chroot", ::chroot("/"));
  attempt(f, "mount", ::syscall(SYS_mount, nullptr, "/", nullptr, 0, nullptr));
  attempt(f, "truncate", ::truncate("/tmp/tacet-probe", 0));
  attempt(f, "memfd_create", ::syscall(SYS_memfd_create, "x", 0));
  attempt(f, "shmget", ::syscall(SYS_shmget, 0, 4096, 0600));
  attempt(f, "io_uring_setup", ::syscall(SYS_io_uring_setup, 1, nullptr));
  attempt(f, "write to the data", ::write(kDataDescriptor, "x", 1));
}

void try_others(pid_t parent, Findings& f) {
  attempt(f, "socket of the network", ::socket(AF_INET, SOCK_STREAM, 0));
  attempt(f, "socket of the machine", ::socket(AF_UNIX, SOCK_STREAM, 0));
  attempt(f, "socketpair", ::syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, nullptr));
  attempt(f, "connect", ::connect(kRegionDescriptor, nullptr, 0));
  attempt(f, "send a descriptor", ::sendmsg(kRegionDescriptor, nullptr, 0));
  attempt(f, "pipe", ::syscall(SYS_pipe2, nullptr, 0));
  const char* const words[] = {"/bin/true", nullptr};
  attempt(f, "execve", ::syscall(SYS_execve, "/bin/true", words, nullptr));
  attempt(f, "execveat", ::syscall(SYS_execveat, AT_FDCWD, "/bin/true", words, nullptr, 0));
  attempt(f, "fork", ::syscall(SYS_fork));
  attempt(f, "vfork", ::syscall(SYS_vfork));
  attempt(f, "clone a process", ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0));
  attempt(f, "clone3", ::syscall(SYS_clone3, nullptr, 0));
  attempt(f, "unshare", ::unshare(CLONE_NEWUSER));
  attempt(f, "ptrace", ::ptrace(PTRACE_ATTACH, parent, nullptr, nullptr));
  iovec nothing{};
  attempt(f, "read the parent's memory", ::process_vm_readv(parent, &nothing, 1, &nothing, 1, 0));
  attempt(f, "kill", ::kill(parent, 0));
  attempt(f, "tgkill", ::syscall(SYS_tgkill, ::getpid(), ::gettid(), 0));
  attempt(f, "pidfd_open", ::syscall(SYS_pidfd_open, ::getpid(), 0));
  attempt(f, "signals by fcntl", ::fcntl(kRegionDescriptor, F_SETOWN, parent));
  attempt(f, "ioctl", ::syscall(SYS_ioctl, 0, 0x5412, "x"));
  attempt(f, "memory to run", ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  void* const page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  attempt(f, "make memory runnable", ::mprotect(page, 4096, PROT_READ | PROT_EXEC));
  attempt(f, "become dumpable", ::prctl(PR_SET_DUMPABLE, 1));
  const rlimit high{1, 1};
  attempt(f, "set a limit", ::setrlimit(RLIMIT_FSIZE, &high));
  attempt(f, "limit of another", ::prlimit(parent, RLIMIT_CORE, nullptr, nullptr));
  attempt(f, "setuid", ::syscall(SYS_setuid, 0));
  attempt(f, "seccomp", ::syscall(SYS_seccomp, 1, 0, nullptr));
  attempt(f, "bpf", ::syscall(SYS_bpf, 0, nullptr, 0));
  attempt(f, "perf_event_open", ::syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0));
  attempt(f, "keyctl", ::syscall(SYS_keyctl, 0, 0));
}

void look_around(Findings& f) {
  std::string open;
  for (int number = 0; number < 4096; ++number) {
    if (::fcntl(number, F_GETFD) != -1) open += fmt::format(" {}", number);
  }
  f.push_back("descriptors:" + open);
  f.push_back(fmt::format("environment: {}", environ == nullptr || environ[0] == nullptr ? "empty" : environ[0]));
  for (const auto& [name, what] :
       {std::pair{"core", RLIMIT_CORE}, {"fsize", RLIMIT_FSIZE}, {"data", RLIMIT_DATA}, {"nofile", RLIMIT_NOFILE}}) {
    rlimit value{};
    ::getrlimit(what, &value);
    f.push_back(fmt::format("limit {}: {}", name, value.rlim_max == RLIM_INFINITY ? "none" : value.rlim_max == 0 ? "0" : "some"));
  }
  // What must still work.
  char first = 0;
  f.push_back(fmt::format("data: {}", ::pread(kDataDescriptor, &first, 1, 0) == 1 ? std::string(1, first) : "unreadable"));
  bool ran = false;
  std::thread([&ran] { ran = true; }).join();
  f.push_back(fmt::format("thread: {}", ran ? "done" : "refused"));
}

void tell(const SharedRegion& region, const Findings& findings) {
  std::string lines;
  for (const std::string& finding : findings) lines += finding + "\n";
  write(region, 0, lines.data(), lines.size());
  region.head().said = lines.size();
}

void probe(const SharedRegion& region) {
  Findings findings;
  look_around(findings);
  try_files(findings);
  try_others(static_cast<pid_t>(region.head().asker), findings);
  tell(region, findings);
}

/// Is not confined: what the probe then finds, of the attempts that do no harm.
void pretend(const SharedRegion& region) {
  Findings f;
  attempt(f, "open another file", ::open("/etc/passwd", O_RDONLY));
  attempt(f, "socket of the network", ::socket(AF_INET, SOCK_STREAM, 0));
  attempt(f, "memory to run", ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  attempt(f, "memfd_create", ::syscall(SYS_memfd_create, "x", 0));
  tell(region, f);
}

void crash() {
  volatile std::uintptr_t nowhere = 0;  // an address that the compiler does not know to be null
  *reinterpret_cast<volatile int*>(nowhere) = 1;
}

void call_as_32_bit() {
#if defined(__x86_64__)
  long number = 20;  // getpid, by the door for 32-bit programs
  asm volatile("int $0x80" : "+a"(number) : : "memory");
#else
  crash();
#endif
}

void hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void tell_progress(const SharedRegion& region, double fraction) {
  region.head().fraction = fraction;
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  count(region, {3, 4});
}

void fault(const SharedRegion& region, std::uint32_t kind, std::uint32_t column) {
  region.head().fault = kind;
  region.head().column = column;
  region.head().answered = SharedRegion::kFault;
}

constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();

std::map<std::string, std::function<void(const SharedRegion&)>> ways() {
  return {
      {"probe", probe},
      {"crash", [](const SharedRegion&) { crash(); }},
      {"crash-late", [](const SharedRegion& r) { count(r, {3, 4}), crash(); }},
      {"abort", [](const SharedRegion&) { std::abort(); }},
      {"32-bit", [](const SharedRegion& r) { call_as_32_bit(), count(r, {3, 4}); }},
      {"hang", [](const SharedRegion&) { hang(); }},
      {"leave", [](const SharedRegion&) {}},
      {"leave-with-1", [](const SharedRegion& r) { count(r, {3, 4}), _exit(1); }},
      {"no-such-fault", [](const SharedRegion& r) { fault(r, 200, 0); }},
      {"fault-of-no-column", [](const SharedRegion& r) { fault(r, Fault::WrongColumn, 4'000'000'000U); }},
      // For a table of two cells.
      {"counts", [](const SharedRegion& r) { count(r, {3, 4}); }},
      {"negative-count", [](const SharedRegion& r) { count(r, {-1, 8}); }},
      {"overflow", [](const SharedRegion& r) { count(r, {kLargest, kLargest}); }},
      {"progress", [](const SharedRegion& r) { tell_progress(r, 0.5); }},
      {"wrong-progress", [](const SharedRegion& r) { tell_progress(r, std::numeric_limits<double>::quiet_NaN()); }},
      {"too-much-progress", [](const SharedRegion& r) { tell_progress(r, 7); }},
      // For one column of -10 to 10 steps, its sum and its square.
      {"sums", [](const SharedRegion& r) { sum(r, 3, {-30, 300}); }},
      {"sum-too-large", [](const SharedRegion& r) { sum(r, 3, {31, 300}); }},
      {"square-too-large", [](const SharedRegion& r) { sum(r, 3, {30, 301}); }},
      {"negative-square", [](const SharedRegion& r) { sum(r, 3, {0, -1}); }},
      {"negative-rows", [](const SharedRegion& r) { sum(r, -3, {0, 0}); }},
  };
}

}  // namespace

int main(int /*argc*/, char** argv) {
  const std::string way = std::filesystem::path(argv[0]).filename();
  if (way == "gone") return 0;
  if (way == "unconfined") {
    const auto region = SharedRegion::adopt(kRegionDescriptor);
    region->head().begun = scan_build();
    fault(*region, Fault::NotConfined, 0);
    return 0;
  }
  if (way == "pretend") {
    pretend(*SharedRegion::adopt(kRegionDescriptor));
    return 0;
  }
  const auto region = begin_scan();
  if (!region) return 2;
  if (way == "other-build") {
    region->head().begun = scan_build() ^ 1U;
    count(*region, {3, 4});
    _exit(0);
  }
  ways().at(way)(*region);
  _exit(0);
}
