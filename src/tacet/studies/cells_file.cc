#include "tacet/studies/cells_file.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tacet::studies {
namespace {

Error unwritable(const std::string& path) {
  return Error::of(Code::FileUnwritable, fmt::format("{} could not be written", path), "choose another folder (out)");
}

/// FNV-1a. Found are accidents and numbers changed by hand, not somebody who repeats the sum.
std::uint64_t check_sum(std::string_view header, std::string_view line) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::string_view text : {header, line}) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

Status append(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << text << std::flush;
  if (!file) return unwritable(path);
  return {};
}

}  // namespace

Status make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (failed && !std::filesystem::is_directory(path)) return unwritable(path);
  return {};
}

Status replace_file(const std::string& path, const std::string& text) {
  const std::string draft = path + ".new";
  {
    std::ofstream file(draft, std::ios::binary | std::ios::trunc);
    file << text << std::flush;
    if (!file) return unwritable(path);
  }
  if (std::rename(draft.c_str(), path.c_str()) != 0) return unwritable(path);
  return {};
}

std::string CellsFile::header() const {
  const CellJson line = {{"study", key_.study},
                         {"version", key_.version},
                         {"seed", key_.seed},
                         {"quick", key_.effort.quick},
                         {"trials", key_.effort.trials ? CellJson(*key_.effort.trials) : CellJson(nullptr)}};
  return line.dump() + "\n";
}

std::string CellsFile::checked(const CellJson& line) const {
  std::string text = line.dump();
  text.insert(text.size() - 1, fmt::format(R"(,"check":"{:016x}")", check_sum(header(), text)));
  return text + "\n";
}

void CellsFile::read_line(const std::string& line) {
  CellJson read = CellJson::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!read.is_object() || read.erase("check") == 0 || checked(read) != line + "\n") return;
  if (!read.contains("cell") || !read.at("cell").is_string() || !read.contains("sums") || !read.at("sums").is_array()) return;
  Sums sums;
  for (const CellJson& value : read.at("sums")) {
    if (!value.is_number()) return;
    sums.push_back(value.get<double>());
  }
  const auto cell = read.at("cell").get<std::string>();
  if (read.contains("block") && read.at("block").is_number_unsigned()) {
    blocks_[{cell, read.at("block").get<std::size_t>()}] = std::move(sums);
  } else if (read.contains("trials") && read.at("trials").is_number_unsigned()) {
    whole_[{cell, read.at("trials").get<std::size_t>()}] = std::move(sums);
  }
}

Status CellsFile::open() {
  if (path_.empty()) return {};
  std::string text;
  {
    std::ifstream file(path_, std::ios::binary);
    std::ostringstream all;
    all << file.rdbuf();
    text = all.str();
  }
  if (!text.starts_with(header())) return replace_file(path_, header());
  std::istringstream lines(text.substr(header().size()));
  for (std::string line; std::getline(lines, line);) read_line(line);
  // What is appended must not continue a line that was cut off.
  return text.ends_with('\n') ? Status() : append(path_, "\n");
}

const Sums* CellsFile::find(const std::string& cell, std::size_t block) const {
  const auto found = blocks_.find({cell, block});
  return found == blocks_.end() ? nullptr : &found->second;
}

const Sums* CellsFile::find_all(const std::string& cell, std::size_t trials) const {
  const auto found = whole_.find({cell, trials});
  return found == whole_.end() ? nullptr : &found->second;
}

Status CellsFile::add(const std::string& cell, std::size_t block, const Sums& sums) {
  if (path_.empty()) return {};
  return append(path_, checked({{"cell", cell}, {"block", block}, {"sums", sums}}));
}

Status CellsFile::finish(const Measured& measured) {
  if (path_.empty()) return {};
  std::string text = header();
  for (const auto& [cell, of_cell] : measured.all()) text += checked({{"cell", cell}, {"trials", of_cell.trials}, {"sums", of_cell.sums}});
  return replace_file(path_, text);
}

}  // namespace tacet::studies
