// tacet/workflow/new_file.h: writes a result file completely or not at all, and never replaces
// another.
//
//   // Before anything is charged: checks the name, the folder and the disk space.
//   NewFile file = *NewFile::reserve("r.json", 4096);
//   TACET_CHECK(file.publish("{}\n"));                  // synced, then given its name
//
// Until it is published the file has no name (O_TMPFILE), so that a killed program leaves nothing
// behind. On file systems without such files, it has a hidden name in the same folder.
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
  /// Owner: of what shows data. Other results are public.
  enum class Readers : std::uint8_t { All, Owner };

  /// Creates a draft in the folder of `path` and reserves `bytes` of the disk for it. Hidden is
  /// for file systems without nameless files; Nameless falls back to it there.
  static Result<NewFile> reserve(const std::string& path, std::size_t bytes, Draft draft = Draft::Nameless, Readers readers = Readers::All);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();  // deletes the draft

  /// AlreadyExists if the name was taken in the meantime.
  Status publish(const std::string& contents);
  /// For results that were charged: if the name was taken in the meantime, uses "r-2.json" and so
  /// on. Returns the name.
  Result<std::string> publish_somewhere(const std::string& contents);

 private:
  NewFile(std::string path, std::string hidden, int descriptor);
  Status write(const std::string& contents) const;
  int give_name(const std::string& path);  // 0 or errno
  std::string path_, hidden_;              // hidden_ is empty for a nameless draft
  int descriptor_;
  Readers readers_ = Readers::All;
};

}  // namespace tacet
