// tacet/report/text_table.h: a table for the terminal.
//
//   TextTable table({"smoking", "yes", "no"});
//   table.add({"never", "812.4", "5210.9"});
//   std::string shown = table.render();
//
// The first column is aligned left, the others right. Widths count terminal columns, not bytes
// (UTF-8). Control characters are printed as "?", so that no label can control the terminal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tacet::report {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : rows_{std::move(header)} {}
  /// A row with as many cells as the header; missing cells are empty, extra cells are dropped.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Every line begins with `indent` and ends in a newline; a line separates the header.
  std::string render(const std::string& indent = "  ") const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Three significant digits or integers, with thousands separators: "20,000", "-3.5", "0.125".
std::string readable(double value);

/// Text that is safe on one line: control characters, marks that change the writing direction, and
/// bytes that are not UTF-8 become "?".
std::string printable(const std::string& text);

/// The same for several lines: line feeds stay. A label in such text must be made printable first,
/// so that it cannot add lines.
std::string printable_lines(const std::string& text);

/// A name as a word of the shell: unchanged if that is safe, otherwise quoted.
std::string shell_word(const std::string& text);

}  // namespace tacet::report
