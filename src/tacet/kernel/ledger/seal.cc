#include "tacet/kernel/ledger/seal.h"

#include <fcntl.h>
#include <sodium.h>
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

#include "tacet/exact/secure_bits.h"

namespace tacet::kernel {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kNumberDigits = 18;
constexpr std::string_view kTitle = "tacet seal 1\nkey ";
constexpr std::string_view kMarkTitle = "\nmark ";
constexpr std::size_t kMarkAt = kTitle.size() + 2 * kKeyBytes + kMarkTitle.size();
constexpr std::size_t kFileSize = kMarkAt + kNumberDigits + 1 + kHashDigits + 1;

Error unavailable(const std::string& path, std::string_view what, int number) {
  return Error::of(Code::LedgerUnavailable,
                   fmt::format("the ledger's key \"{}\" cannot be {} ({})", path, what, std::generic_category().message(number)),
                   "check the folder for keys, $TACET_HOME, and that you may write there");
}

Error damaged(const std::string& path) {
  return Error::of(Code::LedgerCorrupt, fmt::format("the ledger's key \"{}\" is damaged", path), "restore it from a backup");
}

std::string mark_text(const Mark& mark) { return fmt::format("{:0{}} {}\n", mark.records, kNumberDigits, mark.hash); }

}  // namespace

/// The key lies in a page of its own that is locked into memory, left out of core dumps and zero in a forked child.
struct Seal::Impl {
  unsigned char* key = nullptr;
  std::string path;
  int descriptor = -1;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (key != nullptr) sodium_free(key);
    if (descriptor >= 0) ::close(descriptor);
  }
  bool allocate() {
    if (sodium_init() < 0) return false;
    key = static_cast<unsigned char*>(sodium_malloc(kKeyBytes));
    if (key == nullptr) return false;
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto start = reinterpret_cast<std::uintptr_t>(key) & ~(page - 1);
    (void)::madvise(reinterpret_cast<void*>(start), page, MADV_WIPEONFORK);  // NOLINT(performance-no-int-to-ptr): the page of the key
    return true;
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
  if (!impl->allocate() || !exact::SecureBits::os_entropy(impl->key, kKeyBytes))
    return Error::of(Code::EntropyUnavailable, "the operating system gave no random bits or no memory for a key");
  return Seal(std::move(impl));
}

Result<Seal> Seal::create(const std::string& folder, const std::string& ledger) {
  TACET_TRY(Seal seal, in_memory());
  Impl& impl = *seal.impl_;
  if (folder.empty()) {
    return Error::of(Code::LedgerUnavailable, "there is no folder for the ledger's key, since neither TACET_HOME nor HOME is set",
                     "set TACET_HOME to a folder of the custodian's");
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return unavailable(folder, "made", error.value());
  (void)::chmod(folder.c_str(), S_IRWXU);
  impl.path = fmt::format("{}/{}.seal", folder, ledger);
  impl.descriptor = ::open(impl.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (impl.descriptor < 0) return unavailable(impl.path, "made", errno);
  std::array<char, 2 * kKeyBytes + 1> hex{};
  sodium_bin2hex(hex.data(), hex.size(), impl.key, kKeyBytes);
  std::string text = fmt::format("{}{}{}{}", kTitle, hex.data(), kMarkTitle, mark_text({0, std::string(kHashDigits, '0')}));
  const bool wrote = ::pwrite(impl.descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  const int number = errno;
  const bool synced = wrote && ::fsync(impl.descriptor) == 0;
  sodium_memzero(hex.data(), hex.size());
  sodium_memzero(text.data(), text.size());
  if (!synced) {
    (void)::unlink(impl.path.c_str());
    return unavailable(impl.path, "written", wrote ? errno : number);
  }
  return seal;
}

Result<std::optional<Seal>> Seal::find(const std::string& folder, const std::string& ledger) {
  auto impl = std::make_unique<Impl>();
  impl->path = fmt::format("{}/{}.seal", folder, ledger);
  impl->descriptor = ::open(impl->path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (impl->descriptor < 0) return std::optional<Seal>();  // none, or not for this user
  if (!impl->allocate()) return Error::of(Code::LedgerUnavailable, "there is no memory for the ledger's key");
  std::string text(kFileSize, '\0');
  const bool read = ::pread(impl->descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  std::size_t bytes = 0;
  const bool parsed = read && text.starts_with(kTitle) && text.substr(kMarkAt - kMarkTitle.size(), kMarkTitle.size()) == kMarkTitle &&
                      sodium_hex2bin(impl->key, kKeyBytes, text.data() + kTitle.size(), 2 * kKeyBytes, nullptr, &bytes, nullptr) == 0 &&
                      bytes == kKeyBytes;
  sodium_memzero(text.data(), text.size());
  if (!parsed) return damaged(impl->path);
  return std::optional<Seal>(Seal(std::move(impl)));
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

Seal::Lock::Lock(Lock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Seal::Lock::~Lock() {
  if (descriptor_ < 0) return;
  struct flock whole{};
  whole.l_type = F_UNLCK;
  whole.l_whence = SEEK_SET;
  (void)::fcntl(descriptor_, F_OFD_SETLK, &whole);
}

Result<Seal::Lock> Seal::lock() const {
  if (impl_->descriptor < 0) return Lock(-1);
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  // Held for the milliseconds of a charge by others who have locked their ledger already, so waiting ends.
  while (::fcntl(impl_->descriptor, F_OFD_SETLKW, &whole) != 0) {
    if (errno != EINTR) return unavailable(impl_->path, "locked", errno);
  }
  return Lock(impl_->descriptor);
}

Result<Mark> Seal::mark() const {
  if (impl_->descriptor < 0) return Mark{};
  std::string text(kNumberDigits + 1 + kHashDigits, '\0');
  if (::pread(impl_->descriptor, text.data(), text.size(), static_cast<off_t>(kMarkAt)) != static_cast<ssize_t>(text.size()))
    return damaged(impl_->path);
  Mark mark;
  for (const char digit : text.substr(0, kNumberDigits)) {
    if (digit < '0' || digit > '9') return damaged(impl_->path);
    mark.records = 10 * mark.records + (digit - '0');
  }
  mark.hash = text.substr(kNumberDigits + 1);
  return mark;
}

Status Seal::advance(const Lock& /*lock*/, const Mark& mark) {
  if (impl_->descriptor < 0) return {};
  const std::string text = mark_text(mark);
  if (::pwrite(impl_->descriptor, text.data(), text.size(), static_cast<off_t>(kMarkAt)) != static_cast<ssize_t>(text.size()))
    return unavailable(impl_->path, "written", errno);
  return {};
}

}  // namespace tacet::kernel
