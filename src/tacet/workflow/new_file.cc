#include "tacet/workflow/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tacet {
namespace {

constexpr mode_t kReadableByAll = 0644, kReadableByOwner = 0600;
constexpr int kMostOtherNames = 99;

std::string remedy_for(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR: return "make its folder first, or choose another name";
    case EACCES:
    case EPERM:
    case EROFS: return "choose another name, in a folder where you may write";
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "make room on that disk, or choose another name";
    case ENAMETOOLONG: return "choose a shorter name";
    default: return "choose another name";
  }
}

Error unwritable(const std::string& path, int error) {
  return Error::of(Code::FileUnwritable, fmt::format("\"{}\" cannot be written ({})", path, std::generic_category().message(error)),
                   remedy_for(error));
}

Error exists(const std::string& path) {
  return Error::of(Code::AlreadyExists, fmt::format("\"{}\" is there already, and what it holds may have been paid for", path),
                   "choose another name, or move it away");
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// A path of the open file, for a link.
std::string descriptor_path(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// A descriptor of a file without a name in that folder; -1 if the file system has none, or if
/// there is no /proc to name it later.
int open_nameless(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor >= 0 && ::access(descriptor_path(descriptor).c_str(), F_OK) != 0) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

/// Gives the file at `from` the name `to` as well or, on file systems without hard links, instead.
/// Never replaces a file.
int name_hidden(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) == 0) return 0;
  if (errno == EEXIST || ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) return errno;
  return 0;
}

/// "r-2.json" for "r.json".
std::string other_name(const std::string& path, int number) {
  const std::filesystem::path whole(path);
  const std::filesystem::path name = whole.stem().string() + fmt::format("-{}", number) + whole.extension().string();
  return (whole.parent_path() / name).string();
}

}  // namespace

NewFile::NewFile(std::string path, std::string hidden, int descriptor)
    : path_(std::move(path)), hidden_(std::move(hidden)), descriptor_(descriptor) {}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      hidden_(std::move(other.hidden_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      readers_(other.readers_) {}

NewFile::~NewFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!hidden_.empty()) ::unlink(hidden_.c_str());
}

Result<NewFile> NewFile::reserve(const std::string& path, std::size_t bytes, Draft draft, Readers readers) {
  if (path.empty()) return Error::invalid("out", "", "must be the name of a new file");
  struct stat there{};
  if (::lstat(path.c_str(), &there) == 0) return exists(path);
  if (errno != ENOENT) return unwritable(path, errno);
  if (path.back() == '/') return Error::invalid("out", fmt::format("\"{}\"", path), "must be the name of a new file, not of a folder");
  const std::string folder = folder_of(path);
  std::string hidden;
  int descriptor = draft == Draft::Nameless ? open_nameless(folder) : -1;
  if (descriptor < 0) {
    hidden = folder + "/.tacet-XXXXXX";
    descriptor = ::mkostemp(hidden.data(), O_CLOEXEC);
    if (descriptor < 0) return unwritable(path, errno);
  }
  NewFile file(path, hidden, descriptor);
  file.readers_ = readers;
  if (const int error = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)); error != 0) return unwritable(path, error);
  if (!hidden.empty()) {
    // A file system that cannot name a file without replacing another must be found before the
    // charge.
    const std::string trial = hidden + "-";
    if (const int error = name_hidden(hidden, trial); error != 0) return unwritable(path, error);
    if (::rename(trial.c_str(), hidden.c_str()) != 0) return unwritable(path, errno);
    (void)::unlink(trial.c_str());  // rename does nothing between two names of one file
  }
  return file;
}

Status NewFile::write(const std::string& contents) const {
  std::size_t done = 0;
  while (done < contents.size()) {
    const ssize_t wrote = ::write(descriptor_, contents.data() + done, contents.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return unwritable(path_, errno);
    done += static_cast<std::size_t>(wrote);
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(contents.size())) != 0) return unwritable(path_, errno);
  if (::fchmod(descriptor_, readers_ == Readers::All ? kReadableByAll : kReadableByOwner) != 0 || ::fsync(descriptor_) != 0)
    return unwritable(path_, errno);
  return {};
}

int NewFile::give_name(const std::string& path) {
  const int error = !hidden_.empty() ? name_hidden(hidden_, path)
                    : ::linkat(AT_FDCWD, descriptor_path(descriptor_).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0
                                                                                                                               : errno;
  if (error != 0) return error;
  if (const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    (void)::fsync(folder);
    ::close(folder);
  }
  return 0;
}

Status NewFile::publish(const std::string& contents) {
  TACET_CHECK(write(contents));
  const int error = give_name(path_);
  if (error == 0) return {};
  return error == EEXIST ? exists(path_) : unwritable(path_, error);
}

Result<std::string> NewFile::publish_somewhere(const std::string& contents) {
  TACET_CHECK(write(contents));
  int error = give_name(path_);
  if (error == 0) return path_;
  for (int number = 2; error == EEXIST && number <= kMostOtherNames; ++number) {
    const std::string name = other_name(path_, number);
    error = give_name(name);
    if (error == 0) return name;
  }
  return unwritable(path_, error);
}

}  // namespace tacet
