#include "faults/faulty_disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tacet::testing {
namespace {

constexpr std::size_t kSector = 512;

std::string read_descriptor(int descriptor) {
  struct stat about{};
  (void)::fstat(descriptor, &about);
  std::string bytes(static_cast<std::size_t>(about.st_size), '\0');
  const ssize_t got = ::pread(descriptor, bytes.data(), bytes.size(), 0);
  bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return bytes;
}

std::filesystem::path path_of(int descriptor) { return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor)); }

}  // namespace

std::string read_all(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_all(const std::filesystem::path& path, const std::string& bytes) {
  // Not cut first: ext4 flushes a file that was cut to nothing and written anew, which takes a
  // thousand times as long.
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const bool wrote = descriptor >= 0 && ::pwrite(descriptor, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()) &&
                     ::ftruncate(descriptor, static_cast<off_t>(bytes.size())) == 0;
  if (descriptor >= 0) ::close(descriptor);
  if (!wrote) throw std::runtime_error("a file of the test cannot be written");
}

FaultyDisk::FileId FaultyDisk::id_of(int descriptor) {
  struct stat about{};
  (void)::fstat(descriptor, &about);
  return {about.st_dev, about.st_ino};
}

FaultyDisk::File& FaultyDisk::file_of(int descriptor) {
  const auto [found, fresh] = files_.try_emplace(id_of(descriptor));
  if (fresh) found->second.before = read_descriptor(descriptor);
  return found->second;
}

void FaultyDisk::fail(const Fault& fault) {
  fault_ = fault;
  operations_ = 0;
  struck_ = cut_off_ = false;
}

bool FaultyDisk::fails() {
  ++operations_;
  if (cut_off_) return true;
  const bool now = fault_.kind != Fault::Kind::None && (operations_ == fault_.at || (fault_.lasting && operations_ > fault_.at));
  struck_ = struck_ || now;
  if (now && fault_.kind == Fault::Kind::PowerCut) cut_off_ = true;
  return now;
}

ssize_t FaultyDisk::write_at(int descriptor, const char* bytes, std::size_t size, off_t offset) {
  File& file = file_of(descriptor);
  const bool failing = fails();
  const auto write = [&](std::size_t count) {
    file.changes.push_back({.at = static_cast<std::size_t>(offset), .bytes = std::string(bytes, count)});
    return ::pwrite(descriptor, bytes, count, offset);
  };
  if (!failing) return write(size);
  if (fault_.kind == Fault::Kind::ShortWrite) return write((size + 1) / 2);
  struct stat about{};
  const bool grows = ::fstat(descriptor, &about) == 0 && about.st_size < offset + static_cast<off_t>(size);
  if (fault_.kind != Fault::Kind::PowerCut && grows) (void)write(size / 2);
  errno = fault_.kind == Fault::Kind::Full ? ENOSPC : EIO;
  return -1;
}

int FaultyDisk::sync(int descriptor) {
  struct stat about{};
  (void)::fstat(descriptor, &about);
  const bool failing = fails() && fault_.kind != Fault::Kind::ShortWrite;
  if (failing) {
    if (!S_ISDIR(about.st_mode)) {
      for (Change& change : file_of(descriptor).changes) {
        if (change.state == State::Pending) change.state = State::InDoubt;
      }
    }
    errno = EIO;
    return -1;
  }
  if (fault_.lying_sync) return 0;
  if (S_ISDIR(about.st_mode)) {
    for (const auto& entry : std::filesystem::directory_iterator(path_of(descriptor))) durable_names_.insert(entry.path().string());
    return 0;
  }
  for (Change& change : file_of(descriptor).changes) {
    if (change.state == State::Pending) change.state = State::Durable;
  }
  return 0;
}

int FaultyDisk::cut(int descriptor, off_t size) {
  File& file = file_of(descriptor);
  if (fails() && fault_.kind != Fault::Kind::ShortWrite) {
    errno = EIO;
    return -1;
  }
  file.changes.push_back({.is_cut = true, .at = static_cast<std::size_t>(size), .bytes = {}});
  return ::ftruncate(descriptor, size);
}

void FaultyDisk::write_survivors(const std::filesystem::path& from, const std::filesystem::path& to, std::mt19937_64& random,
                                 double survival) const {
  std::bernoulli_distribution survives(survival);
  std::filesystem::create_directories(to);
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    if (!durable_names_.contains(entry.path().string()) && !survives(random)) continue;
    struct stat about{};
    (void)::stat(entry.path().c_str(), &about);
    const auto found = files_.find({about.st_dev, about.st_ino});
    if (found == files_.end()) {
      write_all(to / entry.path().filename(), read_all(entry.path()));
      continue;
    }
    std::string bytes = found->second.before;
    for (const Change& change : found->second.changes) {
      const bool durable = change.state == State::Durable;
      if (change.is_cut) {
        if (durable || survives(random)) bytes.resize(std::min(bytes.size(), change.at));
        continue;
      }
      const std::size_t end = change.at + change.bytes.size();
      for (std::size_t at = change.at; at < end;) {
        const std::size_t stop = std::min(end, (at / kSector + 1) * kSector);
        if (durable || survives(random)) {
          if (bytes.size() < stop) bytes.resize(stop, '\0');
          bytes.replace(at, stop - at, change.bytes, at - change.at, stop - at);
        }
        at = stop;
      }
    }
    write_all(to / entry.path().filename(), bytes);
  }
}

}  // namespace tacet::testing
