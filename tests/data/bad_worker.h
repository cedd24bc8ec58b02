// tests/data/bad_worker.h: another program in the place of the one that reads data files.
//
//   scan(file, schema, request, {}, BadWorker("crash").program());
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "data/test_files.h"

namespace tacet::data {

/// tests/data/bad_worker.cc under the name of the way in which it misbehaves.
class BadWorker {
 public:
  explicit BadWorker(const std::string& way) : program_(folder_.path(way)) { std::filesystem::create_symlink(TACET_BAD_WORKER, program_); }
  const std::string& program() const { return program_; }

 private:
  TestFolder folder_;
  std::string program_;
};

}  // namespace tacet::data
