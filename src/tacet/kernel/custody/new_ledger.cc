#include "tacet/kernel/custody/new_ledger.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <sodium.h>

#include "tacet/exact/entropy.h"
#include "tacet/kernel/ledger/record.h"

namespace tacet::kernel {
namespace {

constexpr std::string_view kMemoryName = "00000000000000000000000000000000";
constexpr std::size_t kNameBytes = 16;
constexpr std::string_view kPathTitle = "path ";
constexpr std::size_t kLongestPath = 1 << 16;

std::string whose(const std::string& path) { return fmt::format("the ledger \"{}\"", path); }
std::string whose_key(const std::string& path) { return fmt::format("the ledger's key \"{}\"", path); }

/// Makes the names in the folder of `path` survive a power cut. 0 or errno.
int sync_folder_of(Disk& disk, const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const OwnedDescriptor opened(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() < 0) return errno;
  // Some file systems cannot sync a folder, and need not.
  return disk.sync(opened.number()) == 0 || errno == EINVAL ? 0 : errno;
}

Error already_there(const std::string& path) {
  return Error::of(Code::AlreadyExists, fmt::format("\"{}\" is there already", path), "choose another path");
}

/// Makes the folder and those above it, accessible to the owner only, with names that survive a
/// power cut. 0 or errno.
int make_folder(const std::filesystem::path& folder, Disk& disk) {
  if (::mkdir(folder.c_str(), S_IRWXU) == 0) return sync_folder_of(disk, folder);
  if (errno != ENOENT || !folder.has_relative_path() || folder.parent_path().empty()) return errno == EEXIST ? 0 : errno;
  if (const int wrong = make_folder(folder.parent_path(), disk); wrong != 0) return wrong;
  return ::mkdir(folder.c_str(), S_IRWXU) == 0 ? sync_folder_of(disk, folder) : errno == EEXIST ? 0 : errno;
}

/// The contents of a new seal, with a random key.
Result<std::string> new_seal(std::string_view made_at) {
  TACET_TRY(std::string key, random_hex(kKeyBytes));
  std::string text;
  text.reserve(Seal::kPathAt + kPathTitle.size() + made_at.size() + 1);  // whoever writes it wipes it
  text.append(Seal::kTitle).append(key).append(Seal::kMarkTitle).append(Seal::mark_text({0, std::string(Seal::kHashDigits, '0')}));
  text.append(kPathTitle).append(made_at).append("\n");
  sodium_memzero(key.data(), key.size());
  return text;
}

/// A new key for the ledger of that name and path. A missing folder is made, accessible to the
/// owner only.
Status make_seal(const std::string& folder, const std::string& path, const std::string& made_at, Disk& disk) {
  if (folder.empty()) {
    return Error::of(Code::LedgerUnavailable, "there is no folder for the ledger's key, since neither TACET_HOME nor HOME is set",
                     "set TACET_HOME to a folder of the custodian's");
  }
  TACET_TRY(std::string text, new_seal(made_at));
  if (const int wrong = make_folder(folder, disk); wrong != 0) return disk_error(whose_key(path), "made", wrong);
  const int number = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (number < 0) return disk_error(whose_key(path), "made", errno);
  const OpenFile closing(number, path, true);
  int wrong = write_all(disk, number, text, 0);
  if (wrong == 0 && disk.sync(number) != 0) wrong = errno;
  if (wrong == 0) wrong = sync_folder_of(disk, path);
  sodium_memzero(text.data(), text.size());
  if (wrong == 0) return {};
  (void)::unlink(path.c_str());
  return disk_error(whose_key(path), "written", wrong);
}

struct FormerSeal {
  std::string path;
  std::int64_t records;  // of the ledger; 0 if the mark cannot be read
};

/// The seal of a ledger that was made at this path and has records, if there is one.
Result<std::optional<FormerSeal>> former_seal(const std::string& folder, const std::string& made_at, Disk& disk) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != ".seal") continue;
    const int descriptor = ::open(at->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) continue;  // not ours
    const OpenFile closing(descriptor, at->path().string(), false);
    if (used_at(descriptor) != made_at) continue;
    const auto seal = Seal::find(folder, at->path().stem().string(), disk);
    const auto mark = seal.ok() && *seal ? (*seal)->mark() : Result<Mark>(Mark{});
    return {FormerSeal{at->path().string(), mark.ok() ? mark->records : 0}};
  }
  const bool none = error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
  if (error && !none) return disk_error(whose_key(folder), "searched", error.value());
  return std::optional<FormerSeal>();
}

Error is_gone(const std::string& path, const FormerSeal& former) {
  if (former.records == 1) {
    return Error::of(
        Code::LedgerUnavailable, fmt::format("a ledger was made at \"{}\", a budget was set in it, and it is gone", path),
        fmt::format("put it back, or restore its newest backup; if nothing was ever charged to it, or nothing that it protects "
                    "is left, delete its key \"{}\"",
                    former.path));
  }
  const std::string records = former.records == 0 ? "" : fmt::format("{} ", former.records);
  return Error::of(
      Code::LedgerUnavailable,
      fmt::format("a ledger was made at \"{}\", {}records (budgets, charges, amendments) were written into it, and it is gone", path,
                  records),
      fmt::format("put it back, or restore its newest backup; where nothing that it protects is left, delete its key \"{}\"", former.path));
}

/// The file appears at `path` whole or not at all. AlreadyExists if the name is taken.
/// keep_name() makes the name durable.
Status create_file(const std::string& path, std::string_view contents, Disk& disk) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  // A file without a name, so that a killed program leaves nothing.
  int number = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const bool nameless = number >= 0;
  if (!nameless) number = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (number < 0) return errno == EEXIST ? already_there(path) : disk_error(whose(path), "made", errno);
  const OpenFile closing(number, path, true);
  Status status;
  if (const int wrong = write_all(disk, number, contents, 0); wrong != 0) {
    status = disk_error(whose(path), "written", wrong);
  } else if (disk.sync(number) != 0) {
    status = disk_error(whose(path), "synced", errno);
  } else if (nameless) {
    const std::string name = fmt::format("/proc/self/fd/{}", number);
    if (::linkat(AT_FDCWD, name.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0)
      status = errno == EEXIST ? already_there(path) : disk_error(whose(path), "made", errno);
  }
  if (!status.ok() && !nameless) ::unlink(path.c_str());
  return status;
}

/// The name of a file in memory is that of its descriptor.
Result<OpenFile> file_in_memory(const char* name, std::string_view contents) {
  const int number = ::memfd_create(name, MFD_CLOEXEC);
  if (number < 0) return disk_error("a ledger in memory", "made", errno);
  OpenFile file(number, fmt::format("/proc/self/fd/{}", number), true);
  const int wrong = write_all(Disk::real(), number, contents, 0);
  if (wrong != 0) return disk_error("a ledger in memory", "written", wrong);
  return file;
}

}  // namespace

std::optional<std::string> used_at(int descriptor) {
  std::string text(Seal::kMarkSize + kLongestPath, '\0');
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), static_cast<off_t>(Seal::kMarkAt));
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  const std::optional<Mark> mark = Seal::parse_mark(std::string_view(text).substr(0, Seal::kMarkSize));
  const std::string_view place = std::string_view(text).substr(std::min(text.size(), Seal::kMarkSize));
  if (!mark || mark->records == 0 || !place.starts_with(kPathTitle) || !place.ends_with('\n')) return std::nullopt;
  return std::string(place.substr(kPathTitle.size(), place.size() - kPathTitle.size() - 1));
}

Result<std::string> random_hex(std::size_t bytes) {
  std::string drawn(bytes, '\0');
  TACET_CHECK(exact::draw_entropy(drawn.data(), drawn.size()));
  std::string hex(2 * bytes + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), reinterpret_cast<const unsigned char*>(drawn.data()), drawn.size());
  sodium_memzero(drawn.data(), drawn.size());
  hex.pop_back();  // the NUL that libsodium writes
  return hex;
}

Result<bool> make_ledger(const std::string& path, const std::string& seals, Disk& disk) {
  std::error_code error;
  const std::string place = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error).string();
  TACET_TRY(const std::optional<FormerSeal> former, former_seal(seals, place, disk));
  if (former && !std::filesystem::exists(path, error)) return is_gone(path, *former);
  TACET_TRY(const std::string name, random_hex(kNameBytes));
  const std::string seal = Seal::path_of(seals, name);
  TACET_CHECK(make_seal(seals, seal, place, disk));
  Status made = create_file(path, header_line(name), disk);
  if (made.ok()) return true;
  (void)::unlink(seal.c_str());
  if (made.error().code() == Code::AlreadyExists) return false;
  return std::move(made).error();
}

Status keep_name(const LogFile& ledger) {
  std::error_code unresolved;
  const std::string real = std::filesystem::canonical(ledger.path(), unresolved).string();
  const int wrong = sync_folder_of(ledger.disk(), unresolved ? ledger.path() : real);
  return wrong == 0 ? Status() : Status(disk_error(whose(ledger.path()), "kept in its folder", wrong));
}

Result<LogFile> ledger_in_memory() {
  TACET_TRY(OpenFile file, file_in_memory("tacet-ledger", header_line(kMemoryName)));
  return LogFile(std::move(file), Disk::real());
}

Result<Seal> seal_in_memory() {
  TACET_TRY(const std::string text, new_seal(""));
  TACET_TRY(OpenFile file, file_in_memory("tacet-seal", text));
  return Seal::read(std::move(file), Disk::real());
}

}  // namespace tacet::kernel
