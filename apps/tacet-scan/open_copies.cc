// The files of a confined process. It can open nothing: code that opens by name (the engine) calls
// these functions instead of the C library. A known name gives a copy of its descriptor.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "tacet/data/scan.h"

namespace {

using namespace tacet::data;

int refuse(int error) {
  errno = error;
  return -1;
}

/// The descriptor of a name, or -1.
int descriptor_of(std::string_view name) {
  if (name == kDataName || name == "/proc/self/fd/3") return kDataDescriptor;
  static_assert(kDataDescriptor == 3);
  if (name == kLogName && fcntl(kLogDescriptor, F_GETFD) != -1) return kLogDescriptor;
  return refuse(ENOENT);
}

int open_copy(const char* name, int flags) {
  const int descriptor = descriptor_of(name);
  if (descriptor < 0) return -1;
  if ((flags & (O_ACCMODE | O_CREAT | O_TRUNC | O_DIRECTORY | O_PATH)) != O_RDONLY) return refuse(EACCES);
  // A copy shares the position, so each open starts at 0; reading by position is not affected.
  (void)lseek(descriptor, 0, SEEK_SET);
  return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

// The C library uses a call with an empty name even here, which a filter cannot distinguish.
int look_at(int descriptor, struct stat* about) { return descriptor < 0 ? -1 : static_cast<int>(syscall(SYS_fstat, descriptor, about)); }

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-inconsistent-declaration-*,cert-*): C names
extern "C" {
int open(const char* name, int flags, ...) { return open_copy(name, flags); }
int open64(const char* name, int flags, ...) { return open_copy(name, flags); }
int access(const char* name, int mode) noexcept {
  if (descriptor_of(name) < 0) return -1;
  return (mode & (W_OK | X_OK)) == 0 ? 0 : refuse(EACCES);
}
int fstat(int descriptor, struct stat* about) noexcept { return look_at(descriptor, about); }
int stat(const char* name, struct stat* about) noexcept { return look_at(descriptor_of(name), about); }
// For libraries that were built with an older C library.
int __fxstat(int /*version*/, int descriptor, struct stat* about) { return look_at(descriptor, about); }
int __xstat(int /*version*/, const char* name, struct stat* about) { return look_at(descriptor_of(name), about); }
int __lxstat(int /*version*/, const char* name, struct stat* about) { return look_at(descriptor_of(name), about); }
}
// NOLINTEND(bugprone-reserved-identifier,readability-inconsistent-declaration-*,cert-*)
