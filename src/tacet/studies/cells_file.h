// tacet/studies/cells_file.h: the file in which finished cells wait for the rest of a study.
//
//   CellsFile file("out/coins.cells.jsonl", {.study = "coins", .version = 1, .seed = 1});
//   TACET_CHECK(file.open());                                // reads what there is, or starts anew
//   TACET_CHECK(file.add("coins", /*block=*/0, {512}));      // appended at once
//   TACET_CHECK(file.finish(measured));                      // one line for each cell
//
// The first line says what the numbers are of: the study, its version, the seed and the trials. If
// it says anything else, the file is started anew. A line that was cut off counts as absent, and so
// does one whose numbers are not those that were written: each line has a check sum of itself and
// the first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "tacet/base/result.h"
#include "tacet/studies/study.h"

namespace tacet::studies {

struct RunKey {
  std::string study;
  int version;
  std::uint64_t seed = 1;
  Effort effort = {};
};

/// Creates the folder if there is none.
Status make_folder(const std::string& path);
/// Writes a file completely, in place of an older one of the same name.
Status replace_file(const std::string& path, const std::string& text);

class CellsFile {
 public:
  /// An empty path keeps nothing.
  CellsFile(std::string path, RunKey key) : path_(std::move(path)), key_(std::move(key)) {}

  Status open();
  /// Of a block, or of a whole cell after finish(); nullptr: not done yet.
  const Sums* find(const std::string& cell, std::size_t block) const;
  const Sums* find_all(const std::string& cell, std::size_t trials) const;
  Status add(const std::string& cell, std::size_t block, const Sums& sums);
  Status finish(const Measured& measured);

 private:
  using CellJson = nlohmann::ordered_json;

  std::string header() const;
  /// The line with its check sum.
  std::string checked(const CellJson& line) const;
  void read_line(const std::string& line);

  std::string path_;
  RunKey key_;
  std::map<std::pair<std::string, std::size_t>, Sums> blocks_;
  std::map<std::pair<std::string, std::size_t>, Sums> whole_;  // by trials
};

}  // namespace tacet::studies
