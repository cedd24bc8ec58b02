// tacet/report/text_table.h: a table for the terminal.
//
//   TextTable table({"smoking", "yes", "no"});
//   table.add({"never", "812.4", "5210.9"});
//   fmt::print("{}", table.render());
//
// The first column is aligned left, the others right. Widths count columns of a terminal, not bytes (UTF-8). What a terminal
// would obey instead of showing is printed as "?", so that no label can write to the terminal what it likes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tacet::report {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : rows_{std::move(header)} {}
  /// A row with as many cells as the header has; missing ones are empty, and those beyond are left out.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Every line ends in a newline and begins with `indent`; a rule stands below the header.
  std::string render(const std::string& indent = "  ") const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Three significant digits or whole numbers, with thousands apart: "20,000", "-3.5", "0.125".
std::string readable(double value);

/// Text that is safe to print on one line: controls, marks that turn the direction of writing, and bytes that are not UTF-8 become "?".
std::string printable(const std::string& text);

/// The same for text of several lines: line feeds stay. A label that goes into such text is made printable before, lest it add lines.
std::string printable_lines(const std::string& text);

/// A name as a shell reads it: as it is where that is safe, else in quotes.
std::string shell_word(const std::string& text);

}  // namespace tacet::report
