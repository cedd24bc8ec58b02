// A folder of its own for one test, gone with the object.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace tacet::testing {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::canonical(::testing::TempDir()) / "ledger-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder can be made");
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& folder() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tacet::testing
