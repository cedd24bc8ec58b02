#include "tacet/kernel/ledger/seal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sodium.h>

#include "tacet/exact/entropy.h"

namespace tacet::kernel {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kNumberDigits = 18;
constexpr std::size_t kLongestPath = 1 << 16;
constexpr std::string_view kTitle = "tacet seal 1\nkey ";
constexpr std::string_view kMarkTitle = "\nmark ";
constexpr std::string_view kPathTitle = "path ";
constexpr std::size_t kMarkAt = kTitle.size() + 2 * kKeyBytes + kMarkTitle.size();
constexpr std::size_t kMarkSize = kNumberDigits + 1 + kHashDigits + 1;
constexpr std::size_t kPathAt = kMarkAt + kMarkSize;

std::string whose(const std::string& path) { return fmt::format("the ledger's key \"{}\"", path); }

Error damaged(const std::string& path) {
  return Error::of(Code::LedgerCorrupt, fmt::format("{} is damaged", whose(path)), "restore it from a backup");
}

Error no_key() { return Error::of(Code::EntropyUnavailable, "the operating system gave no random bits or no memory for a key"); }

std::string mark_text(const Mark& mark) { return fmt::format("{:0{}} {}\n", mark.records, kNumberDigits, mark.hash); }

/// The mark, with its line feed.
std::optional<Mark> parse_mark(std::string_view text) {
  if (text.size() != kMarkSize) return std::nullopt;
  Mark mark;
  for (const char digit : text.substr(0, kNumberDigits)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    mark.records = 10 * mark.records + (digit - '0');
  }
  mark.hash = text.substr(kNumberDigits + 1, kHashDigits);
  if (mark_text(mark) != text || mark.hash.find_first_not_of("0123456789abcdef") != std::string::npos) return std::nullopt;
  return mark;
}

/// Up to `size` bytes; fewer at the end of the file or after an error.
std::string read_at(int descriptor, std::size_t size, std::size_t offset) {
  std::string text(size, '\0');
  const ssize_t got = ::pread(descriptor, text.data(), size, static_cast<off_t>(offset));
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

/// The folder and those above it, each of which its owner alone may enter, with names that outlast a power cut. 0 or errno.
int make_folder(const std::filesystem::path& folder, Disk& disk) {
  if (::mkdir(folder.c_str(), S_IRWXU) == 0) return sync_folder_of(disk, folder);
  if (errno != ENOENT || !folder.has_relative_path() || folder.parent_path().empty()) return errno == EEXIST ? 0 : errno;
  if (const int wrong = make_folder(folder.parent_path(), disk); wrong != 0) return wrong;
  return ::mkdir(folder.c_str(), S_IRWXU) == 0 ? sync_folder_of(disk, folder) : errno == EEXIST ? 0 : errno;
}

}  // namespace

/// The key lies in a page of its own that is locked into memory, left out of core dumps and zero in a forked child.
struct Seal::Impl {
  unsigned char* key = nullptr;
  std::string path;  // empty in memory
  int descriptor = -1;
  bool writable = true;
  Disk* disk = &Disk::real();

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (key != nullptr) sodium_free(key);
    if (descriptor >= 0) ::close(descriptor);
  }
  bool allocate() {
    if (!exact::start_sodium().ok()) return false;
    key = static_cast<unsigned char*>(sodium_malloc(kKeyBytes));
    if (key == nullptr) return false;
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto start = reinterpret_cast<std::uintptr_t>(key) & ~(page - 1);
    (void)::madvise(reinterpret_cast<void*>(start), page, MADV_WIPEONFORK);  // NOLINT(performance-no-int-to-ptr): the page of the key
    return true;
  }
  /// A random key into the open, empty file. 0 or errno.
  int write_new(const std::string& made_at) const {
    std::array<char, 2 * kKeyBytes + 1> hex{};
    sodium_bin2hex(hex.data(), hex.size(), key, kKeyBytes);
    std::string text;
    text.reserve(kPathAt + kPathTitle.size() + made_at.size() + 1);  // one buffer, which is wiped below
    text.append(kTitle).append(hex.data()).append(kMarkTitle).append(mark_text({0, std::string(kHashDigits, '0')}));
    text.append(kPathTitle).append(made_at).append("\n");
    int wrong = write_all(*disk, descriptor, text, 0);
    if (wrong == 0 && disk->sync(descriptor) != 0) wrong = errno;
    sodium_memzero(hex.data(), hex.size());
    sodium_memzero(text.data(), text.size());
    return wrong;
  }
  bool still_there() const {
    struct stat named{};
    struct stat open{};
    return path.empty() || (::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &open) == 0 && named.st_dev == open.st_dev &&
                            named.st_ino == open.st_ino);
  }
};

Seal::Seal(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Seal::Seal(Seal&&) noexcept = default;
Seal& Seal::operator=(Seal&&) noexcept = default;
Seal::~Seal() = default;

std::string Seal::usual_folder() {
  const auto from = [](const char* name) { return std::string(std::getenv(name) == nullptr ? "" : std::getenv(name)); };
  if (const std::string home = from("TACET_HOME"); !home.empty()) return home;
  if (const std::string state = from("XDG_STATE_HOME"); state.starts_with('/')) return state + "/tacet";
  const std::string home = from("HOME");
  return home.empty() ? "" : home + "/.local/state/tacet";
}

Result<Seal> Seal::in_memory() {
  auto impl = std::make_unique<Impl>();
  if (!impl->allocate() || !exact::draw_entropy(impl->key, kKeyBytes).ok()) return no_key();
  impl->descriptor = ::memfd_create("tacet-seal", MFD_CLOEXEC);
  if (impl->descriptor < 0 || impl->write_new("") != 0) return no_key();
  return Seal(std::move(impl));
}

Result<Seal> Seal::create(const std::string& folder, const std::string& ledger, const std::string& made_at, Disk& disk) {
  if (folder.empty()) {
    return Error::of(Code::LedgerUnavailable, "there is no folder for the ledger's key, since neither TACET_HOME nor HOME is set",
                     "set TACET_HOME to a folder of the custodian's");
  }
  auto impl = std::make_unique<Impl>();
  if (!impl->allocate() || !exact::draw_entropy(impl->key, kKeyBytes).ok()) return no_key();
  impl->disk = &disk;
  impl->path = fmt::format("{}/{}.seal", folder, ledger);
  if (const int wrong = make_folder(folder, disk); wrong != 0) return disk_error(whose(impl->path), "made", wrong);
  impl->descriptor = ::open(impl->path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (impl->descriptor < 0) return disk_error(whose(impl->path), "made", errno);
  int wrong = impl->write_new(made_at);
  if (wrong == 0) wrong = sync_folder_of(disk, impl->path);
  if (wrong != 0) {
    (void)::unlink(impl->path.c_str());
    return disk_error(whose(impl->path), "written", wrong);
  }
  return Seal(std::move(impl));
}

Result<std::optional<Seal>> Seal::find(const std::string& folder, const std::string& ledger, Disk& disk) {
  auto impl = std::make_unique<Impl>();
  impl->disk = &disk;
  impl->path = fmt::format("{}/{}.seal", folder, ledger);
  impl->descriptor = ::open(impl->path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (impl->descriptor < 0 && (errno == EACCES || errno == EROFS || errno == EPERM)) {
    impl->writable = false;
    impl->descriptor = ::open(impl->path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  }
  if (impl->descriptor < 0) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EIO) return disk_error(whose(impl->path), "read", errno);
    return std::optional<Seal>();  // none, or not for this user
  }
  if (!impl->allocate()) return no_key();
  std::string text = read_at(impl->descriptor, kPathAt, 0);
  std::size_t bytes = 0;
  const bool parsed =
      text.size() == kPathAt && text.starts_with(kTitle) && text.compare(kMarkAt - kMarkTitle.size(), kMarkTitle.size(), kMarkTitle) == 0 &&
      sodium_hex2bin(impl->key, kKeyBytes, text.data() + kTitle.size(), 2 * kKeyBytes, nullptr, &bytes, nullptr) == 0 && bytes == kKeyBytes;
  sodium_memzero(text.data(), text.size());
  if (!parsed) return damaged(impl->path);
  return std::optional<Seal>(Seal(std::move(impl)));
}

Result<std::optional<std::string>> Seal::of_path(const std::string& folder, const std::string& made_at) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != ".seal") continue;
    const int descriptor = ::open(at->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) continue;  // somebody else's
    const std::string text = read_at(descriptor, kMarkSize + kLongestPath, kMarkAt);
    ::close(descriptor);
    const std::optional<Mark> mark = parse_mark(std::string_view(text).substr(0, kMarkSize));
    if (mark && mark->records > 0 && text.substr(kMarkSize) == fmt::format("{}{}\n", kPathTitle, made_at)) return {at->path().string()};
  }
  const bool none = error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
  if (error && !none) return disk_error(whose(folder), "searched", error.value());
  return std::optional<std::string>();
}

std::string Seal::tag(std::string_view record_hash) const {
  std::array<unsigned char, kHashDigits / 2> bytes{};
  // Fails only for lengths out of its range, which these are not.
  (void)crypto_generichash(bytes.data(), bytes.size(), reinterpret_cast<const unsigned char*>(record_hash.data()), record_hash.size(),
                           impl_->key, kKeyBytes);
  std::array<char, kHashDigits + 1> hex{};
  sodium_bin2hex(hex.data(), hex.size(), bytes.data(), bytes.size());
  return {hex.data(), kHashDigits};
}

bool Seal::writable() const { return impl_->writable; }

const std::string& Seal::path() const { return impl_->path; }

void Seal::forget() { (void)::unlink(impl_->path.c_str()); }

Result<FileLock> Seal::lock(std::chrono::milliseconds patience) const {
  TACET_TRY(FileLock lock, FileLock::take(impl_->descriptor, FileLock::Access::Write, whose(impl_->path), patience));
  if (impl_->still_there()) return lock;
  return Error::of(Code::LedgerUnavailable, fmt::format("{} was moved, deleted or replaced while it was in use", whose(impl_->path)),
                   "put it back, and open the ledger again");
}

Result<Mark> Seal::mark() const {
  std::optional<Mark> mark = parse_mark(read_at(impl_->descriptor, kMarkSize, kMarkAt));
  if (!mark) return damaged(impl_->path);
  return *std::move(mark);
}

Status Seal::advance(const FileLock& /*lock*/, const Mark& mark) {
  const int wrong = write_all(*impl_->disk, impl_->descriptor, mark_text(mark), static_cast<off_t>(kMarkAt));
  return wrong == 0 ? Status() : Status(disk_error(whose(impl_->path), "written", wrong));
}

}  // namespace tacet::kernel
