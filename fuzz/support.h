// fuzz/support.h: what the fuzz targets share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tacet::fuzz {

/// Ends the program by SIGABRT, naming the property, where it does not hold.
void must(bool holds, std::string_view property);

/// What libFuzzer hands over, as text.
std::string_view as_text(const std::uint8_t* data, std::size_t size);

/// Whether a terminal shows every character of `text` and obeys none but the line feed.
bool harmless_on_a_terminal(std::string_view text);

/// A file in memory (/dev/shm) in a folder of this process, removed at the end. `name` is its name
/// in that folder.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& name);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  const std::string& path() const { return path_; }
  /// Replaces its contents.
  void write(std::string_view contents) const;

 private:
  std::string path_;
};

}  // namespace tacet::fuzz
