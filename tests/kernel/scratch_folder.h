// A folder of its own for one test, gone with the object. The keys of the ledgers that a test makes
// lie beside the first such folder, in keys(), and go with it.
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
    if (first() != nullptr) return;
    first() = this;
    const char* home = ::getenv("TACET_HOME");
    former_home_ = home == nullptr ? "" : home;
    ::setenv("TACET_HOME", keys().c_str(), 1);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    if (first() != this) return;
    std::filesystem::remove_all(keys(), ignored);
    ::setenv("TACET_HOME", former_home_.c_str(), 1);
    first() = nullptr;
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& folder() const { return path_; }
  /// $TACET_HOME as long as the first folder of the test is there.
  static std::filesystem::path keys() { return first()->path_.string() + ".keys"; }

 private:
  static const ScratchFolder*& first() {
    static const ScratchFolder* one = nullptr;
    return one;
  }
  std::filesystem::path path_;
  std::string former_home_;
};

}  // namespace tacet::testing
