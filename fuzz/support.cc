#include "support.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

namespace tacet::fuzz {
namespace {

/// One folder for all files of the process.
const std::string& folder() {
  static const std::string name = [] {
    const bool shared = ::access("/dev/shm", W_OK) == 0;
    const std::string base = shared ? "/dev/shm" : std::filesystem::temp_directory_path().string();
    std::string made = fmt::format("{}/tacet-fuzz-XXXXXX", base);
    must(::mkdtemp(made.data()) != nullptr, "a folder for scratch files can be made");
    return made;
  }();
  return name;
}

}  // namespace

void must(bool holds, std::string_view property) {
  if (holds) return;
  (void)std::fputs(fmt::format("\nfuzz: does not hold: {}\n", property).c_str(), stderr);
  std::abort();
}

std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return size == 0 ? std::string_view() : std::string_view(reinterpret_cast<const char*>(data), size);
}

bool harmless_on_a_terminal(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&text](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    if ((byte(i) < 0x20 && text[i] != '\n') || byte(i) == 0x7F) return false;
    if (byte(i) == 0xC2 && byte(i + 1) >= 0x80 && byte(i + 1) <= 0x9F) return false;  // C1 controls
    // Separators of lines and marks that turn the direction of writing: U+2028 to U+202E and U+2066
    // to U+2069.
    if (byte(i) == 0xE2 && byte(i + 1) == 0x80 && byte(i + 2) >= 0xA8 && byte(i + 2) <= 0xAE) return false;
    if (byte(i) == 0xE2 && byte(i + 1) == 0x81 && byte(i + 2) >= 0xA6 && byte(i + 2) <= 0xA9) return false;
  }
  return true;
}

MemoryFile::MemoryFile(const std::string& name) : path_(folder() + "/" + name) {}

MemoryFile::~MemoryFile() {
  (void)::unlink(path_.c_str());
  (void)::rmdir(folder().c_str());  // fails while another file is in it
}

void MemoryFile::write(std::string_view contents) const {
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
  must(file >= 0 && ::write(file, contents.data(), contents.size()) == static_cast<ssize_t>(contents.size()),
       "a scratch file can be written");
  (void)::close(file);
}

}  // namespace tacet::fuzz
