#include "tacet/kernel/ledger/disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace tacet::kernel {
namespace {

constexpr std::chrono::microseconds kFirstPause{200};
constexpr std::chrono::microseconds kLongestPause{20'000};

int change_lock(int descriptor, short type) {  // NOLINT(google-runtime-int): as in struct flock
  struct flock whole{};
  whole.l_type = type;
  whole.l_whence = SEEK_SET;
  return ::fcntl(descriptor, F_OFD_SETLK, &whole);
}

}  // namespace

ssize_t Disk::write_at(int descriptor, const char* bytes, std::size_t size, off_t offset) {
  return ::pwrite(descriptor, bytes, size, offset);
}
int Disk::sync(int descriptor) { return ::fdatasync(descriptor); }
int Disk::cut(int descriptor, off_t size) { return ::ftruncate(descriptor, size); }
Disk& Disk::real() {
  static Disk disk;
  return disk;
}

int write_all(Disk& disk, int descriptor, std::string_view bytes, off_t offset) {
  while (!bytes.empty()) {
    const ssize_t wrote = disk.write_at(descriptor, bytes.data(), bytes.size(), offset);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return wrote == 0 ? ENOSPC : errno;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
    offset += wrote;
  }
  return 0;
}

Error disk_error(std::string_view whose, std::string_view what, int number) {
  return Error::of(Code::LedgerUnavailable, fmt::format("{} cannot be {} ({})", whose, what, std::generic_category().message(number)),
                   "check that its folder exists, that the disk has room and that you may write there");
}

Error ledger_damaged(std::string sentence) {
  return Error::of(Code::LedgerCorrupt, std::move(sentence),
                   "it was damaged or edited; restore the newest backup, and compare its entries with the releases made since");
}

std::optional<OpenFile> OpenFile::open(const std::string& path, int more_flags) {
  for (const int access : {O_RDWR, O_RDONLY}) {
    const int number = ::open(path.c_str(), access | O_CLOEXEC | O_NONBLOCK | more_flags);
    if (number >= 0) return OpenFile(number, path, access == O_RDWR);
    if (errno != EACCES && errno != EROFS && errno != EPERM) break;
  }
  return std::nullopt;
}

bool OpenFile::still_there() const {
  struct stat named{};
  struct stat open{};
  return ::stat(path_.c_str(), &named) == 0 && ::fstat(descriptor(), &open) == 0 && named.st_dev == open.st_dev &&
         named.st_ino == open.st_ino;
}

Result<FileLock> FileLock::take(int descriptor, Access access, std::string_view whose, std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  for (auto pause = kFirstPause; change_lock(descriptor, access == Access::Write ? F_WRLCK : F_RDLCK) != 0;
       pause = std::min(2 * pause, kLongestPause)) {
    if (errno != EAGAIN && errno != EACCES && errno != EINTR) return disk_error(whose, "locked", errno);
    if (std::chrono::steady_clock::now() >= until) {
      return Error::of(Code::LedgerUnavailable,
                       fmt::format("{} is in use by another process and stayed so for {:g} seconds", whose,
                                   std::chrono::duration<double>(patience).count()),
                       "try again; if it persists, find the program that keeps it open");
    }
    std::this_thread::sleep_for(pause);
  }
  return FileLock(descriptor);
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock::~FileLock() {
  if (descriptor_ >= 0) (void)change_lock(descriptor_, F_UNLCK);
}

}  // namespace tacet::kernel
