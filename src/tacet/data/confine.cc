#include "tacet/data/confine.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <thread>

namespace tacet::data {
namespace {

constexpr std::array kAllowed{
    // Files that are already open.
    SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(preadv), SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(fstat), SCMP_SYS(dup),
    SCMP_SYS(fadvise64),
    // Memory; mmap and mprotect below.
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk), SCMP_SYS(madvise),
    // Threads; clone below.
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(set_tid_address), SCMP_SYS(gettid), SCMP_SYS(getpid),
    SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler), SCMP_SYS(getcpu),
    SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(restart_syscall),
    // Signal handlers.
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    // Clocks, random bits, and properties of the machine.
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(time),
    SCMP_SYS(getrandom), SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(getrusage), SCMP_SYS(times)};

// Sanitizers need calls that the filter forbids; they are not shipped.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kFiltered = false;
#else
constexpr bool kFiltered = true;
#endif

// fcntl: copies, descriptor flags, locks; not the owner of signals.
constexpr std::array kFcntl{F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_SETLK};

// The flags of a thread of this process; never a process or another namespace.
constexpr std::uint64_t kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
                                  CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;

bool install_filter() {
  const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), seccomp_release);
  if (filter == nullptr) return false;
  bool sound = true;
  const auto allow = [&](int call, auto... conditions) {
    sound = sound && seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, sizeof...(conditions), conditions...) == 0;
  };
  for (const int call : kAllowed) allow(call);
  for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)}) allow(call, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  for (const int command : kFcntl) allow(SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command)));
  allow(SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));  // own limits
  allow(SCMP_SYS(clone), SCMP_A0(SCMP_CMP_EQ, kThread));
  // A filter cannot see its flags in memory; with ENOSYS the C library falls back to clone.
  sound = sound && seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
  // Otherwise some kernels slow the process down; older ones do not know the flag.
  (void)seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_SSB, 1);
  return sound && seccomp_load(filter.get()) == 0;
}

bool limit(decltype(RLIMIT_CORE) what, std::uint64_t most) {
  const rlimit value{most, most};
  return setrlimit(what, &value) == 0;
}

bool set_limits() {
#if !defined(__SANITIZE_ADDRESS__)  // a sanitizer maps more than any machine has
  // Twice what engine.cc and scan_here.cc allow, because they do not count everything.
  const std::uint64_t most = (std::uint64_t{6} << 30) + std::thread::hardware_concurrency() * (std::uint64_t{320} << 20);
  if (!limit(RLIMIT_DATA, most)) return false;
#endif
  return limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 1024);
}

}  // namespace

bool confine() {
  return set_limits() && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         (!kFiltered || install_filter());
}

}  // namespace tacet::data
