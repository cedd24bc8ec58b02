#include "tacet/service/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tacet::service {
namespace {

constexpr mode_t kReadableByAll = 0644;  // what is in it is public

Error unwritable(const std::string& path, int error) {
  return Error::of(Code::FileUnwritable, fmt::format("\"{}\" cannot be written ({})", path, std::generic_category().message(error)),
                   "choose another --out, or make room");
}

Error exists(const std::string& path) {
  return Error::of(Code::AlreadyExists, fmt::format("\"{}\" is there already, and what it holds may have been paid for", path),
                   "choose another name, or move it away");
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

NewFile::NewFile(std::string path, std::string hidden, int descriptor)
    : path_(std::move(path)), hidden_(std::move(hidden)), descriptor_(descriptor) {}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)), hidden_(std::move(other.hidden_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

NewFile::~NewFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(hidden_.c_str());
}

Result<NewFile> NewFile::reserve(const std::string& path, std::size_t bytes) {
  if (path.empty()) return Error::invalid("out", "", "must be the name of a new file");
  struct stat there {};
  if (lstat(path.c_str(), &there) == 0) return exists(path);
  std::string hidden = folder_of(path) + "/.tacet-XXXXXX";
  const int descriptor = mkostemp(hidden.data(), O_CLOEXEC);
  if (descriptor < 0) return unwritable(path, errno);
  NewFile file(path, hidden, descriptor);
  if (const int error = posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)); error != 0) return unwritable(path, error);
  return file;
}

Status NewFile::publish(const std::string& contents) {
  std::size_t done = 0;
  while (done < contents.size()) {
    const ssize_t wrote = write(descriptor_, contents.data() + done, contents.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return unwritable(path_, errno);
    done += static_cast<std::size_t>(wrote);
  }
  if (ftruncate(descriptor_, static_cast<off_t>(contents.size())) != 0) return unwritable(path_, errno);
  if (fchmod(descriptor_, kReadableByAll) != 0 || fsync(descriptor_) != 0) return unwritable(path_, errno);
  // link() refuses to replace a file that appeared in the meantime; rename() would not.
  if (link(hidden_.c_str(), path_.c_str()) != 0) return errno == EEXIST ? exists(path_) : unwritable(path_, errno);
  if (const int folder = open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    (void)fsync(folder);
    close(folder);
  }
  return {};
}

}  // namespace tacet::service
