// tacet/service/new_file.h: a result file that appears whole or not at all, and never replaces another.
//
//   NewFile file = *NewFile::reserve("r.json", 4096);   // before anything is charged: name free, folder writable, room there
//   TACET_CHECK(file.publish(text));                     // synced, then moved to its name
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "tacet/base/result.h"

namespace tacet::service {

class NewFile {
 public:
  /// Makes a hidden file beside `path` and claims `bytes` of the disk for it.
  static Result<NewFile> reserve(const std::string& path, std::size_t bytes);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();  // removes the hidden file if it was not published

  Status publish(const std::string& contents);

 private:
  NewFile(std::string path, std::string hidden, int descriptor);
  std::string path_, hidden_;
  int descriptor_;
};

}  // namespace tacet::service
