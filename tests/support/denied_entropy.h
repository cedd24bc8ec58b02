// A process to which the operating system gives no random bits.
//
//   deny_entropy(ENOSYS);
//
// From then on getrandom fails with this error, here and in what is executed, and so does opening a
// device.
//
// Opening a file for reading without O_CLOEXEC fails too: so are /dev/urandom and /dev/random
// opened by libsodium, whose own way out it is. A filter can tell flags apart but not names. For
// Linux on x86_64; there is no way back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

namespace tacet::test {

/// False if the filter cannot be installed.
inline bool deny_entropy(int error) {
  constexpr auto kNumber = static_cast<std::uint32_t>(offsetof(seccomp_data, nr));
  constexpr auto kFlags =
      static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t));  // openat: the third argument
  constexpr auto kArchitecture = static_cast<std::uint32_t>(offsetof(seccomp_data, arch));
  const std::uint32_t refuse = SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(error) & SECCOMP_RET_DATA);
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kArchitecture),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kNumber),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFlags),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_RDONLY, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, refuse),
  };
  const sock_fprog filter = {sizeof steps / sizeof steps[0], steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace tacet::test
