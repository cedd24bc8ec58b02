#include "tacet/report/text_table.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace tacet::report {
namespace {

TEST(TextTable, AlignsTheFirstColumnLeftAndTheOthersRight) {
  TextTable table({"smoking", "yes", "no"});
  table.add({"never", "812.4", "5210.9"});
  table.add({"current", "3", "-1"});
  EXPECT_EQ(table.render(),
            "  smoking    yes      no\n"
            "  ----------------------\n"
            "  never    812.4  5210.9\n"
            "  current      3      -1\n");
}

TEST(TextTable, CountsColumnsOfTheTerminalNotBytes) {
  TextTable table({"a", "b"});
  table.add({"é", "1"});        // two bytes, one column
  table.add({"日", "1"});       // three bytes, two columns
  table.add({"e\u0301", "1"});  // a letter and its accent: one column
  EXPECT_EQ(table.render(""),
            "a   b\n"
            "-----\n"
            "é   1\n"
            "日  1\n"
            "e\u0301   1\n");
}

TEST(TextTable, HeaderAloneIsATable) { EXPECT_EQ(TextTable({"a"}).render(""), "a\n-\n"); }

TEST(TextTable, RowsOfAnotherLengthAreCutOrFilled) {
  TextTable table({"a", "b"});
  table.add({"1"});
  table.add({"1", "2", "3"});
  EXPECT_EQ(table.render(""), "a  b\n----\n1\n1  2\n");
}

TEST(TextTable, NoLabelWritesToTheTerminalWhatItLikes) {
  TextTable table({"a"});
  table.add({"\x1b[31mred\r\nnext"});
  EXPECT_EQ(table.render("").find('\x1b'), std::string::npos);
  EXPECT_EQ(table.render("").find('\r'), std::string::npos);
}

TEST(Readable, KeepsThreeDigitsOrWholeNumbersWithThousandsApart) {
  EXPECT_EQ(readable(0), "0");
  EXPECT_EQ(readable(-0.0), "0");
  EXPECT_EQ(readable(20000), "20,000");
  EXPECT_EQ(readable(-20000), "-20,000");
  EXPECT_EQ(readable(-999), "-999");
  EXPECT_EQ(readable(-1000), "-1,000");
  EXPECT_EQ(readable(1234567), "1,234,567");
  EXPECT_EQ(readable(999.7), "1,000");
  EXPECT_EQ(readable(-3.5), "-3.5");
  EXPECT_EQ(readable(0.125), "0.125");
  EXPECT_EQ(readable(2.8284), "2.83");
  EXPECT_EQ(readable(1e-20), "1e-20");
  EXPECT_EQ(readable(1e15), "1e+15");
  EXPECT_EQ(readable(999999999999999), "999,999,999,999,999");
  EXPECT_EQ(readable(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(readable(std::nan("")), "nan");
}

TEST(Printable, LeavesOrdinaryTextAlone) {
  for (const std::string text : {"", "never", "18-39", "Zürich", "日本", "😀", "a b"}) EXPECT_EQ(printable(text), text);
}

TEST(Printable, ReplacesWhatATerminalObeysInsteadOfShowing) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a?[2Jb");
  EXPECT_EQ(printable("a\nb\tc\rd\x7F"), "a?b?c?d?");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a?b");
  EXPECT_EQ(printable("\u009b31m"), "?31m");         // the one-letter form of ESC [
  EXPECT_EQ(printable("a\u202Eb\u2066c"), "a?b?c");  // marks that turn the direction of writing
  EXPECT_EQ(printable("a\u2028b"), "a?b");
}

TEST(Printable, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("a\xFFz"), "a?z");
  EXPECT_EQ(printable("\xC3"), "?");
  EXPECT_EQ(printable("\xC0\xAF"), "??");            // an overlong slash
  EXPECT_EQ(printable("\xED\xA0\x80"), "???");       // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "????");  // beyond Unicode
}

TEST(PrintableLines, KeepLineFeedsAndNothingElseThatATerminalObeys) {
  EXPECT_EQ(printable_lines("a\nb\n"), "a\nb\n");
  EXPECT_EQ(printable_lines("a\x1b[2J\nb\r\n\tc\u2028"), "a?[2J\nb?\n?c?");
  EXPECT_EQ(printable_lines("\u009b\xFF\n"), "??\n");
}

TEST(ShellWord, IsReadByAShellAsOneWord) {
  EXPECT_EQ(shell_word("out/r-1.json"), "out/r-1.json");
  EXPECT_EQ(shell_word("my file.json"), "'my file.json'");
  EXPECT_EQ(shell_word("it's; rm -rf /"), "'it'\\''s; rm -rf /'");
  EXPECT_EQ(shell_word("-r.json"), "'./-r.json'");
  EXPECT_EQ(shell_word("$(x)"), "'$(x)'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace tacet::report
