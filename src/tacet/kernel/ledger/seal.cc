#include "tacet/kernel/ledger/seal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <sodium.h>

#include "tacet/exact/entropy.h"

namespace tacet::kernel {
namespace {

std::string whose(const std::string& path) { return fmt::format("the ledger's key \"{}\"", path); }

Error damaged(const std::string& path) {
  return Error::of(Code::LedgerCorrupt, fmt::format("{} is damaged", whose(path)), "restore it from a backup");
}

/// Up to `size` bytes; fewer at the end of the file or after an error.
std::string read_at(int descriptor, std::size_t size, std::size_t offset) {
  std::string text(size, '\0');
  const ssize_t got = ::pread(descriptor, text.data(), size, static_cast<off_t>(offset));
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

}  // namespace

std::string Seal::mark_text(const Mark& mark) { return fmt::format("{:0{}} {}\n", mark.records, kNumberDigits, mark.hash); }

std::optional<Mark> Seal::parse_mark(std::string_view text) {
  if (text.size() != kMarkSize) return std::nullopt;
  Mark mark;
  const std::string_view digits = text.substr(0, kNumberDigits);
  (void)std::from_chars(digits.begin(), digits.end(), mark.records);  // compared below
  mark.hash = text.substr(kNumberDigits + 1, kHashDigits);
  if (mark.records < 0 || mark_text(mark) != text || !is_hash(mark.hash)) return std::nullopt;
  return mark;
}

void Seal::Free::operator()(unsigned char* key) const {
  if (sodium_is_zero(key, kKeyBytes) == 0) sodium_free(key);  // zero: wiped by a fork, as is what sodium_free checks
}

Seal::Key Seal::new_key() {
  Key key(exact::start_sodium().ok() ? static_cast<unsigned char*>(sodium_malloc(kKeyBytes)) : nullptr);
  if (key == nullptr) return key;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(key.get()) & ~(page - 1);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the page of the key
  (void)::madvise(reinterpret_cast<void*>(start), page, MADV_WIPEONFORK);
  return key;
}

std::string Seal::usual_folder() {
  const auto from = [](const char* name) { return std::string(std::getenv(name) == nullptr ? "" : std::getenv(name)); };
  if (const std::string home = from("TACET_HOME"); !home.empty()) return home;
  if (const std::string state = from("XDG_STATE_HOME"); state.starts_with('/')) return state + "/tacet";
  const std::string home = from("HOME");
  return home.empty() ? "" : home + "/.local/state/tacet";
}

Result<Seal> Seal::read(OpenFile file, Disk& disk) {
  Key key = new_key();
  if (key == nullptr) return Error::of(Code::EntropyUnavailable, "the operating system gave no memory for a key");
  std::string text = read_at(file.descriptor(), kPathAt, 0);
  std::size_t bytes = 0;
  const bool parsed =
      text.size() == kPathAt && text.starts_with(kTitle) && text.compare(kMarkAt - kMarkTitle.size(), kMarkTitle.size(), kMarkTitle) == 0 &&
      sodium_hex2bin(key.get(), kKeyBytes, text.data() + kTitle.size(), 2 * kKeyBytes, nullptr, &bytes, nullptr) == 0 && bytes == kKeyBytes;
  sodium_memzero(text.data(), text.size());
  if (!parsed) return damaged(file.path());
  return Seal(std::move(file), std::move(key), disk);
}

Result<std::optional<Seal>> Seal::find(const std::string& folder, const std::string& ledger, Disk& disk) {
  const std::string path = path_of(folder, ledger);
  auto file = OpenFile::open(path, O_NOFOLLOW);
  if (!file) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EIO) return disk_error(whose(path), "read", errno);
    return std::optional<Seal>();  // none, or not for this user
  }
  TACET_TRY(Seal seal, read(*std::move(file), disk));
  return std::optional<Seal>(std::move(seal));
}

std::string Seal::path_of(const std::string& folder, const std::string& ledger) { return fmt::format("{}/{}.seal", folder, ledger); }

std::string Seal::tag(std::string_view record_hash) const { return hash_hex(record_hash, key_.get()); }

Result<FileLock> Seal::lock(std::chrono::milliseconds patience) const {
  TACET_TRY(FileLock lock, FileLock::take(file_.descriptor(), FileLock::Access::Write, whose(path()), patience));
  if (file_.still_there()) return lock;
  return Error::of(Code::LedgerUnavailable, fmt::format("{} was moved, deleted or replaced while it was in use", whose(path())),
                   "put it back, and open the ledger again");
}

Result<Mark> Seal::mark() const {
  std::optional<Mark> mark = parse_mark(read_at(file_.descriptor(), kMarkSize, kMarkAt));
  if (!mark) return damaged(path());
  return *std::move(mark);
}

Status Seal::advance(const FileLock& /*lock*/, const Mark& mark) {
  const int wrong = write_all(*disk_, file_.descriptor(), mark_text(mark), static_cast<off_t>(kMarkAt));
  return wrong == 0 ? Status() : Status(disk_error(whose(path()), "written", wrong));
}

}  // namespace tacet::kernel
