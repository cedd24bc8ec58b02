#include "tacet/service/source_register.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/data/text.h"
#include "tacet/kernel/ledger/seal.h"
#include "tacet/schemas/words.h"

namespace tacet::service {
namespace {

using nlohmann::json;

std::string register_path() { return kernel::Seal::usual_folder() + "/sources"; }

/// "device-inode-birth": inodes are used again after a file is deleted, so the time of birth belongs to it.
std::optional<std::string> identity_of(const std::string& path) {
  struct statx about{};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_INO | STATX_BTIME | STATX_TYPE, &about) != 0 || !S_ISREG(about.stx_mode))
    return std::nullopt;
  return fmt::format("{}:{}-{}-{}.{}", about.stx_dev_major, about.stx_dev_minor, about.stx_ino, about.stx_btime.tv_sec,
                     about.stx_btime.tv_nsec);
}

/// The line of the register about this file that names another dataset, if there is one; `known` tells whether one names this dataset.
std::optional<RegisteredDataset> another(const std::string& identity, const RegisteredDataset& dataset, bool& known) {
  std::ifstream lines(register_path());
  std::optional<RegisteredDataset> found;
  for (std::string line; std::getline(lines, line);) {
    const json entry = json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!entry.is_object() || entry.value("file", json()) != json(identity)) continue;
    if (!entry.value("ledger", json()).is_string() || !entry.value("dataset", json()).is_string()) continue;
    const RegisteredDataset other{entry.at("ledger"), entry.at("dataset")};
    if (other.ledger == dataset.ledger && other.dataset == dataset.dataset) {
      known = true;
    } else {
      found = other;
    }
  }
  return found;
}

}  // namespace

std::string source_text(const std::string& path) {
  if (schemas::is_utf8(path)) return path;
  std::string text = "bytes:";
  for (const char c : path) {
    if (c > ' ' && c <= '~' && c != '%') {
      text += c;
    } else {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

std::string resolved_source(const std::string& written) {
  if (written.empty() || written.find("://") != std::string::npos) return written;
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(written, error);
  const std::filesystem::path real = error ? whole : std::filesystem::weakly_canonical(whole, error);
  return source_text(error ? written : real.string());
}

Status check_source_is_free(const std::string& path, const RegisteredDataset& dataset, const std::string& again) {
  const auto identity = identity_of(path);
  if (!identity || !again.empty()) return {};
  bool known = false;
  const auto other = another(*identity, dataset, known);
  if (known || !other) return {};
  return Error::of(
      Code::AlreadyExists,
      fmt::format("\"{}\" has a budget already, as the dataset \"{}\" of the ledger {}; two budgets for the same people add up", path,
                  other->dataset, other->ledger),
      "use that one; if there must be a second, its custodian says why: tacet budget create --again REASON");
}

Status register_source(const std::string& path, const RegisteredDataset& dataset) {
  const auto identity = identity_of(path);
  if (!identity) return {};
  bool known = false;
  (void)another(*identity, dataset, known);
  if (known) return {};
  const std::string line = json{{"file", *identity}, {"ledger", dataset.ledger}, {"dataset", dataset.dataset}, {"path", path}}.dump(
                               -1, ' ', false, json::error_handler_t::replace) +
                           "\n";
  const int descriptor = ::open(register_path().c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const bool wrote = descriptor >= 0 && ::write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (descriptor >= 0) ::close(descriptor);
  if (wrote) return {};
  return Error::of(Code::FileUnwritable, fmt::format("the list of sources \"{}\" cannot be written", register_path()), "check $TACET_HOME");
}

}  // namespace tacet::service
