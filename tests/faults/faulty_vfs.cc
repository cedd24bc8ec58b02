#include "faults/faulty_vfs.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <sqlite3.h>

namespace tacet::testing {
namespace {

using Bytes = std::string;

struct Change {
  bool truncation = false;
  std::size_t offset = 0;  // of the write; the new size of a truncation
  Bytes bytes;
};

/// What is certainly on the disk of one file, and what was written since.
struct Shadow {
  Bytes synced;
  std::vector<Change> pending;
};

void apply(Bytes& file, const Change& change) {
  if (change.truncation) {
    if (change.offset < file.size()) file.resize(change.offset);
    return;
  }
  file.resize(std::max(file.size(), change.offset + change.bytes.size()));
  file.replace(change.offset, change.bytes.size(), change.bytes);
}

struct Disk {
  bool in_use = false;
  sqlite3_vfs* base = nullptr;
  sqlite3_vfs wrapper{};
  Fault fault;
  std::int64_t count = 0;
  bool struck = false;
  bool off = false;
  bool locks_held = false;
  std::int64_t waited = 0;
  std::map<ino_t, Shadow> shadows;
  std::set<std::string> lasting_names;  // paths that survive a power cut
};
Disk disk;  // SQLite's interface is one of functions; there is one disk per process

struct File {
  sqlite3_file head;
  ino_t inode;
  const char* log_name;  // of a journal or a write-ahead log; SQLite keeps it as long as the file is open
  // The wrapped file follows in memory.
};
File* self(sqlite3_file* file) { return reinterpret_cast<File*>(file); }
sqlite3_file* real(sqlite3_file* file) { return reinterpret_cast<sqlite3_file*>(reinterpret_cast<char*>(file) + sizeof(File)); }
const sqlite3_io_methods* methods(sqlite3_file* file) { return real(file)->pMethods; }

ino_t inode_of(const char* path) {
  struct stat status{};
  return path != nullptr && ::stat(path, &status) == 0 ? status.st_ino : 0;
}

Bytes read_all(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// SQLITE_OK, or the code with which this operation fails.
int strike(int io_error) {
  if (disk.off) return io_error;
  ++disk.count;
  const bool now = disk.count == disk.fault.at || (disk.fault.lasting && disk.count > disk.fault.at);
  if (disk.fault.kind == Fault::Kind::None || !now) return SQLITE_OK;
  disk.struck = true;
  disk.off = disk.fault.kind == Fault::Kind::PowerCut;
  return disk.fault.kind == Fault::Kind::Full ? SQLITE_FULL : io_error;
}

void sync_names(const std::filesystem::path& folder) {
  if (disk.fault.lying_sync) return;
  for (const auto& file : std::filesystem::directory_iterator(folder)) disk.lasting_names.insert(file.path().string());
}

int file_close(sqlite3_file* file) { return methods(file)->xClose(real(file)); }

int file_read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  if (disk.off) return SQLITE_IOERR_READ;
  return methods(file)->xRead(real(file), to, size, offset);
}

int file_write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  if (disk.off) return SQLITE_IOERR_WRITE;
  const int failed = strike(SQLITE_IOERR_WRITE);
  const int written = failed == SQLITE_OK ? size : size / 2;
  disk.shadows[self(file)->inode].pending.push_back(
      {.offset = static_cast<std::size_t>(offset), .bytes = Bytes(static_cast<const char*>(from), static_cast<std::size_t>(written))});
  const int code = written == 0 ? SQLITE_OK : methods(file)->xWrite(real(file), from, written, offset);
  return failed == SQLITE_OK ? code : failed;
}

int file_truncate(sqlite3_file* file, sqlite3_int64 size) {
  const int failed = strike(SQLITE_IOERR_TRUNCATE);
  if (failed != SQLITE_OK) return failed;
  disk.shadows[self(file)->inode].pending.push_back({.truncation = true, .offset = static_cast<std::size_t>(size), .bytes = {}});
  return methods(file)->xTruncate(real(file), size);
}

int file_sync(sqlite3_file* file, int /*flags*/) {
  const int failed = strike(SQLITE_IOERR_FSYNC);
  if (failed != SQLITE_OK) return failed;
  if (disk.fault.lying_sync) return SQLITE_OK;
  Shadow& shadow = disk.shadows[self(file)->inode];
  for (const Change& change : shadow.pending) apply(shadow.synced, change);
  shadow.pending.clear();
  if (self(file)->log_name != nullptr) sync_names(std::filesystem::path(self(file)->log_name).parent_path());
  return SQLITE_OK;  // the real disk is not the one under test
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  if (disk.off) return SQLITE_IOERR_FSTAT;
  return methods(file)->xFileSize(real(file), size);
}
int file_lock(sqlite3_file* file, int level) { return methods(file)->xLock(real(file), level); }
int file_unlock(sqlite3_file* file, int level) { return methods(file)->xUnlock(real(file), level); }
int file_check_reserved(sqlite3_file* file, int* out) { return methods(file)->xCheckReservedLock(real(file), out); }
int file_control(sqlite3_file* file, int operation, void* argument) { return methods(file)->xFileControl(real(file), operation, argument); }
int file_sector_size(sqlite3_file* file) { return methods(file)->xSectorSize(real(file)); }
int file_characteristics(sqlite3_file* file) {
  // Nothing is promised about what survives: no safe append, no sequential writes, no atomic pages.
  return methods(file)->xDeviceCharacteristics(real(file)) & SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN;
}
int file_shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** memory) {
  return methods(file)->xShmMap(real(file), page, size, extend, memory);
}
int file_shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  if (disk.locks_held && (flags & SQLITE_SHM_LOCK) != 0 && (flags & SQLITE_SHM_EXCLUSIVE) != 0) return SQLITE_BUSY;
  return methods(file)->xShmLock(real(file), offset, count, flags);
}
void file_shm_barrier(sqlite3_file* file) { methods(file)->xShmBarrier(real(file)); }
int file_shm_unmap(sqlite3_file* file, int remove) { return methods(file)->xShmUnmap(real(file), remove); }

const sqlite3_io_methods kMethods = {.iVersion = 2,  // no memory maps: every byte comes by here
                                     .xClose = file_close,
                                     .xRead = file_read,
                                     .xWrite = file_write,
                                     .xTruncate = file_truncate,
                                     .xSync = file_sync,
                                     .xFileSize = file_size,
                                     .xLock = file_lock,
                                     .xUnlock = file_unlock,
                                     .xCheckReservedLock = file_check_reserved,
                                     .xFileControl = file_control,
                                     .xSectorSize = file_sector_size,
                                     .xDeviceCharacteristics = file_characteristics,
                                     .xShmMap = file_shm_map,
                                     .xShmLock = file_shm_lock,
                                     .xShmBarrier = file_shm_barrier,
                                     .xShmUnmap = file_shm_unmap,
                                     .xFetch = nullptr,
                                     .xUnfetch = nullptr};

int disk_open(sqlite3_vfs* /*vfs*/, sqlite3_filename name, sqlite3_file* file, int flags, int* out_flags) {
  self(file)->head.pMethods = nullptr;
  if (disk.off) return SQLITE_CANTOPEN;
  // What was there before was synced before, unless this disk knows better.
  const ino_t before = inode_of(name);
  const Bytes contents = before == 0 || disk.shadows.contains(before) ? Bytes() : read_all(name);
  const int code = disk.base->xOpen(disk.base, name, real(file), flags, out_flags);
  if (real(file)->pMethods == nullptr) return code;
  self(file)->head.pMethods = &kMethods;
  self(file)->inode = inode_of(name);
  self(file)->log_name = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0 ? name : nullptr;
  if (before == 0) disk.shadows[self(file)->inode] = {};
  if (!disk.shadows.contains(self(file)->inode)) disk.shadows[self(file)->inode] = {.synced = contents, .pending = {}};
  return code;
}

int disk_delete(sqlite3_vfs* /*vfs*/, const char* name, int /*sync_directory*/) {
  const int failed = strike(SQLITE_IOERR_DELETE);
  if (failed != SQLITE_OK) return failed;
  disk.shadows.erase(inode_of(name));
  disk.lasting_names.erase(name);
  return disk.base->xDelete(disk.base, name, 0);
}

int disk_sleep(sqlite3_vfs* /*vfs*/, int microseconds) {
  disk.waited += microseconds;
  return microseconds;
}

/// A sync of a folder, counted like the others.
int sync_descriptor(int descriptor) {
  if (strike(SQLITE_IOERR_FSYNC) != SQLITE_OK) {
    errno = EIO;
    return -1;
  }
  sync_names(std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor)));
  return 0;
}

int replaced_fsync(int descriptor) {
  return disk.in_use ? sync_descriptor(descriptor) : static_cast<int>(::syscall(SYS_fsync, descriptor));
}

}  // namespace

FaultyDisk::FaultyDisk() {
  disk.in_use = true;
  disk.base = sqlite3_vfs_find(nullptr);
  disk.wrapper = *disk.base;  // what is not replaced below goes straight to the wrapped one
  disk.wrapper.pNext = nullptr;
  disk.wrapper.zName = "faulty";
  disk.wrapper.szOsFile = static_cast<int>(sizeof(File)) + disk.base->szOsFile;
  disk.wrapper.xOpen = disk_open;
  disk.wrapper.xDelete = disk_delete;
  disk.wrapper.xSleep = disk_sleep;
  calm();
  disk.shadows.clear();
  disk.lasting_names.clear();
  sqlite3_vfs_register(&disk.wrapper, 1);
}

FaultyDisk::~FaultyDisk() {
  sqlite3_vfs_unregister(&disk.wrapper);
  sqlite3_vfs_register(disk.base, 1);
  disk.in_use = false;
  disk.shadows.clear();
}

void FaultyDisk::fail(const Fault& fault) {
  calm();
  disk.fault = fault;
}

void FaultyDisk::calm() {
  disk.fault = {};
  disk.count = 0;
  disk.struck = disk.off = disk.locks_held = false;
  disk.waited = 0;
}

std::int64_t FaultyDisk::operations() const { return disk.count; }
bool FaultyDisk::struck() const { return disk.struck; }
void FaultyDisk::hold_locks(bool held) { disk.locks_held = held; }
std::int64_t FaultyDisk::waited_microseconds() const { return disk.waited; }

void FaultyDisk::write_survivors(const std::filesystem::path& from, const std::filesystem::path& to, std::mt19937_64& random,
                                 double survival) const {
  std::bernoulli_distribution survives(survival);
  for (const auto& file : std::filesystem::directory_iterator(from)) {
    if (!file.is_regular_file() || file.path().string().ends_with("-shm")) continue;  // memory, gone with the power
    if (!disk.lasting_names.contains(file.path().string()) && !survives(random)) continue;
    const auto shadow = disk.shadows.find(inode_of(file.path().c_str()));
    Bytes bytes = shadow == disk.shadows.end() ? read_all(file.path()) : shadow->second.synced;
    if (shadow != disk.shadows.end()) {
      for (const Change& change : shadow->second.pending) {
        if (survives(random)) apply(bytes, change);
      }
    }
    std::ofstream(to / file.path().filename(), std::ios::binary) << bytes;
  }
}

}  // namespace tacet::testing

extern "C" int fsync(int descriptor) { return tacet::testing::replaced_fsync(descriptor); }
