#include "tacet/mechanisms/json_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>

namespace tacet::mechanisms {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr std::size_t kMostDepth = 64;
// A few for each cell of the largest release; an empty list takes 40 bytes of memory.
constexpr std::size_t kMostValues = 50'000'000;
constexpr std::size_t kChunk = std::size_t{1} << 16;

Error unreadable(const std::string& path, const std::string& name, const std::string& why) {
  return Error::of(Code::NotFound, fmt::format("the {} file \"{}\" cannot be read ({})", name, path, why),
                   "check its name and its permissions");
}

std::string reason(int error) { return std::generic_category().message(error); }

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

/// The most brackets open at once, and an upper bound on the values, both outside of strings.
/// Counts may be wrong for invalid JSON; the parser refuses it anyway.
struct Extent {
  std::size_t deepest = 0, values = 1;
};

Extent extent_of(const std::string& text) {
  Extent extent;
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      extent.deepest = std::max(extent.deepest, ++depth);
      ++extent.values;
    } else if (c == ',') {
      ++extent.values;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return extent;
}

}  // namespace

Result<nlohmann::json> parse_json(const std::string& text, const std::string& name, const std::string& shown) {
  const Extent extent = extent_of(text);
  if (extent.deepest > kMostDepth) return Error::invalid(name, shown, fmt::format("must be JSON nested at most {} deep", kMostDepth));
  if (extent.values > kMostValues) return Error::invalid(name, shown, fmt::format("must be JSON of at most {} values", kMostValues));
  nlohmann::json value = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded())
    return Error::invalid(name, shown, "must be JSON with numbers that a double can hold", "check it with a JSON tool");
  return value;
}

Result<std::string> read_text_file(const std::string& path, const std::string& name) {
  // O_NONBLOCK: opening a named pipe without a writer must not wait; reading one with a writer
  // must.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.number() < 0) return unreadable(path, name, reason(errno));
  struct stat about{};
  if (::fstat(file.number(), &about) != 0) return unreadable(path, name, reason(errno));
  if (S_ISDIR(about.st_mode)) return unreadable(path, name, "it is a folder");
  const int flags = ::fcntl(file.number(), F_GETFL);
  if (flags < 0 || ::fcntl(file.number(), F_SETFL, flags & ~O_NONBLOCK) < 0) return unreadable(path, name, reason(errno));

  std::string text;
  if (S_ISREG(about.st_mode)) text.reserve(std::min(kMostBytes, static_cast<std::size_t>(about.st_size)));
  std::array<char, kChunk> chunk{};
  for (;;) {
    const ssize_t got = ::read(file.number(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, name, reason(errno));
    if (got == 0) break;
    if (text.size() + static_cast<std::size_t>(got) > kMostBytes) return unreadable(path, name, "it has more than 1 GiB");
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  return text;
}

Result<nlohmann::json> read_json_file(const std::string& path, const std::string& name) {
  if (path.empty()) return Error::invalid(name, "", "must be the name of a JSON file");
  TACET_TRY(const std::string text, read_text_file(path, name));
  return parse_json(text, name, fmt::format("\"{}\"", path));
}

}  // namespace tacet::mechanisms
