// tacet/workflow/new_file.h: a result file that appears whole or not at all, and never replaces another.
//
//   NewFile file = *NewFile::reserve("r.json", 4096);   // before anything is charged: name free, folder writable, room there
//   TACET_CHECK(file.publish(text));                    // synced, then given its name
//
// Until it is published the file has no name at all (O_TMPFILE), so that a killed program leaves nothing behind; where the file
// system has no such files, it has a hidden name beside its final one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tacet/base/result.h"

namespace tacet {

/// A file that gets its name only when it is complete. It never replaces another file.
class NewFile {
 public:
  enum class Draft : std::uint8_t { Nameless, Hidden };

  /// Makes a draft in the folder of `path` and claims `bytes` of the disk for it. Hidden is for file systems without nameless files,
  /// where Nameless falls back to it.
  static Result<NewFile> reserve(const std::string& path, std::size_t bytes, Draft draft = Draft::Nameless);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();  // the draft goes with it

  /// AlreadyExists if the name was taken since.
  Status publish(const std::string& contents);
  /// For what has been paid for: if the name was taken since, takes "r-2.json" and so on instead, and gives the name it took.
  Result<std::string> publish_somewhere(const std::string& contents);

 private:
  NewFile(std::string path, std::string hidden, int descriptor);
  Status write(const std::string& contents) const;
  int give_name(const std::string& path);  // 0 or errno
  std::string path_, hidden_;              // hidden_ is empty for a nameless draft
  int descriptor_;
};

}  // namespace tacet
