#include "tacet/workflow/custody/source_register.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/base/text.h"
#include "tacet/kernel/custody/new_ledger.h"
#include "tacet/kernel/ledger/seal.h"
#include "tacet/schemas/schema_text.h"
#include "tacet/schemas/words.h"

namespace tacet {
namespace {

using nlohmann::json;

constexpr std::string_view kBytes = "bytes:";

std::string register_path() { return kernel::Seal::usual_folder() + "/sources"; }

/// "device-inode-birth": an inode may be used again after a file is deleted, so the time of birth
/// is needed.
std::optional<std::string> identity_of(const std::string& source) {
  struct statx about{};
  if (schemas::source_kind(source) != schemas::SourceKind::Path) return std::nullopt;  // no file, even if one has this name
  if (::statx(AT_FDCWD, path_of_source(source).c_str(), 0, STATX_INO | STATX_BTIME | STATX_TYPE, &about) != 0 || !S_ISREG(about.stx_mode))
    return std::nullopt;
  return fmt::format("{}:{}-{}-{}.{}", about.stx_dev_major, about.stx_dev_minor, about.stx_ino, about.stx_btime.tv_sec,
                     about.stx_btime.tv_nsec);
}

/// The entries of a path or a file: other datasets that have it, and whether this dataset has it.
struct Holders {
  std::optional<RegisteredDataset> other;
  bool known = false;
};

/// Calls `found` with each dataset that has this path or file, and with which of the two.
template <class Found>
void each_holder(const std::optional<std::string>& identity, const std::string& path, const Found& found) {
  std::ifstream lines(register_path());
  for (std::string line; std::getline(lines, line);) {
    const json entry = json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!entry.is_object() || !entry.value("ledger", json()).is_string() || !entry.value("dataset", json()).is_string()) continue;
    const bool same_file = identity && entry.value("file", json()) == json(*identity);
    const bool same_path = entry.value("path", json()) == json(path);
    if (!same_file && !same_path) continue;
    const json at = entry.value("at", json());
    RegisteredDataset holder{entry.at("ledger"), entry.at("dataset")};
    if (at.is_string() && at != "") holder.path = at.get<std::string>();
    found(holder, same_path, same_file);
  }
}

Holders holders_of(const std::optional<std::string>& identity, const std::string& path, const RegisteredDataset& dataset) {
  Holders holders;
  each_holder(identity, path, [&](const RegisteredDataset& holder, bool same_path, bool same_file) {
    if (holder.ledger == dataset.ledger && holder.dataset == dataset.dataset) {
      holders.known = holders.known || (same_path && (same_file || !identity));
    } else {
      holders.other = holder;
    }
  });
  return holders;
}

/// Held while the register is read and written.
class RegisterLock {
 public:
  RegisterLock()
      : number_(::open(register_path().c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)),
        locked_(number_ >= 0 && ::flock(number_, LOCK_EX) == 0) {}
  ~RegisterLock() {
    if (number_ >= 0) ::close(number_);
  }
  RegisterLock(const RegisterLock&) = delete;
  RegisterLock& operator=(const RegisterLock&) = delete;
  bool append(const std::string& line) const {
    return locked_ && ::write(number_, line.data(), line.size()) == static_cast<ssize_t>(line.size()) && ::fdatasync(number_) == 0;
  }

 private:
  int number_;
  bool locked_;
};

/// Empty if it is free or this dataset's; `refusal` if it is another's.
template <class Refusal>
Status claim(const std::optional<std::string>& identity, const std::string& path, const RegisteredDataset& dataset,
             const Refusal& refusal) {
  if (kernel::Seal::usual_folder().empty()) {
    return Error::of(Code::FileUnwritable, "there is no folder for the list of sources: TACET_HOME, XDG_STATE_HOME and HOME are not set",
                     "set TACET_HOME to a folder that only the custodian can write to");
  }
  const RegisterLock alone;
  const Holders holders = holders_of(identity, path, dataset);
  if (holders.other && !holders.known) TACET_CHECK(refusal(*holders.other));
  if (holders.known) return {};
  const json entry{{"file", identity.value_or("")},
                   {"ledger", dataset.ledger},
                   {"dataset", dataset.dataset},
                   {"path", path},
                   {"at", dataset.path ? resolved_source(*dataset.path) : ""}};
  if (alone.append(entry.dump(-1, ' ', false, json::error_handler_t::replace) + "\n")) return {};
  return Error::of(Code::FileUnwritable, fmt::format("the list of sources \"{}\" cannot be written", register_path()), "check $TACET_HOME");
}

/// Its path, as registered or from its key; otherwise its random name.
std::string ledger_words(const RegisteredDataset& dataset) {
  std::optional<std::string> path;
  if (dataset.path) {
    path = path_of_source(*dataset.path);
  } else {
    const std::string key = kernel::Seal::path_of(kernel::Seal::usual_folder(), dataset.ledger);
    const int number = ::open(key.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (number >= 0) {
      path = kernel::used_at(number);
      ::close(number);
    }
  }
  if (!path) return fmt::format("the ledger named {}", dataset.ledger);
  std::error_code error;
  return fmt::format("the ledger {}{}", in_quotes(*path), std::filesystem::exists(*path, error) ? "" : ", which is gone");
}

Status taken(const std::string& path, const RegisteredDataset& other, const std::string& again) {
  if (!again.empty()) return {};
  return Error::of(Code::AlreadyExists,
                   fmt::format("\"{}\" has a budget already, as the dataset \"{}\" of {}; two budgets for the same people add up", path,
                               other.dataset, ledger_words(other)),
                   "use that one; if there must be a second, its custodian says why, under a new name: "
                   "`budget create dataset = NAME again = REASON`");
}

}  // namespace

std::string source_text(const std::string& path) {
  if (is_utf8(path)) return path;
  std::string text(kBytes);
  for (const char c : path) {
    if (c > ' ' && c <= '~' && c != '%') {
      text += c;
    } else {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

std::string source_text(const data::DataSource& rows) {
  if (const auto* file = std::get_if<data::DataFile>(&rows)) return source_text(file->real_path());
  return std::get<data::StoredTable>(rows).source;
}

std::string path_of_source(const std::string& text) {
  if (!text.starts_with(kBytes)) return text;
  std::string path;
  for (std::size_t at = kBytes.size(); at < text.size(); ++at) {
    unsigned value = 0;
    const char* const digits = text.data() + at + 1;
    if (text[at] == '%' && at + 2 < text.size() && std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      path += static_cast<char>(value);
      at += 2;
    } else {
      path += text[at];
    }
  }
  return path;
}

std::string resolved_source(const std::string& written) {
  if (written.empty() || schemas::source_kind(written) != schemas::SourceKind::Path) return written;
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(written, error);
  const std::filesystem::path real = error ? whole : std::filesystem::weakly_canonical(whole, error);
  return source_text(error ? written : real.string());
}

std::vector<RegisteredDataset> datasets_of_source(const std::string& path) {
  std::vector<RegisteredDataset> all;
  each_holder(identity_of(path), path,
              [&](const RegisteredDataset& holder, bool /*same_path*/, bool /*same_file*/) { all.push_back(holder); });
  return all;
}

Status check_source_is_free(const std::string& path, const RegisteredDataset& dataset, const std::string& again) {
  if (path.empty()) return {};
  const Holders holders = holders_of(identity_of(path), path, dataset);
  return holders.other && !holders.known ? taken(path, *holders.other, again) : Status();
}

Status claim_source(const std::string& path, const RegisteredDataset& dataset, const std::string& again) {
  if (path.empty()) return {};
  return claim(identity_of(path), path, dataset, [&](const RegisteredDataset& other) { return taken(path, other, again); });
}

Status claim_adoption(const std::string& old_ledger, const RegisteredDataset& into) {
  const std::string name = fmt::format("adopted:{}:{}", old_ledger, into.dataset);
  return claim(name, name, into, [&](const RegisteredDataset& other) -> Status {
    return Error::of(
        Code::AlreadyExists,
        fmt::format("the dataset \"{}\" of that old ledger, or of a copy of it, goes on in {} already", into.dataset, ledger_words(other)),
        "use that one: one budget cannot go on in two ledgers");
  });
}

}  // namespace tacet
