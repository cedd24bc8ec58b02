#include "tacet/data/csv_reader.h"

#include <zlib.h>

#include <optional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/test_files.h"

namespace tacet::data {
namespace {

using Record = std::vector<std::optional<std::string>>;
using Records = std::vector<Record>;
using Step = CsvReader::Step;
const std::nullopt_t kMissing = std::nullopt;

// All records, or nothing if the file is malformed.
std::optional<Records> read(const std::string& path, const CsvDialect& dialect = {}) {
  CsvReader reader(*DataFile::open(path), dialect);
  Records records;
  for (;;) {
    const Step step = reader.next();
    if (step == Step::Malformed) return std::nullopt;
    if (step == Step::End) return records;
    Record& record = records.emplace_back();
    for (std::size_t i = 0; i < reader.size(); ++i) {
      record.push_back(reader.missing(i) ? std::nullopt : std::optional<std::string>(reader.text(i)));
    }
    reader.expect(record.size());
  }
}

class CsvReaderTest : public ::testing::Test {
 protected:
  std::optional<Records> of(const std::string& bytes, const CsvDialect& dialect = {}) {
    return read(folder_.write("f.csv", bytes), dialect);
  }
  TestFolder folder_;
};

TEST_F(CsvReaderTest, PlainRecords) {
  const Records expected{{"a", "b"}, {"1", "x y"}};
  EXPECT_EQ(of("a,b\n1,x y\n"), expected);
  EXPECT_EQ(of("a,b\n1,x y"), expected);
  EXPECT_EQ(of("a,b\r\n1,x y\r\n"), expected);
  EXPECT_EQ(of("a,b\n1,x y\r\n"), expected);
  EXPECT_EQ(of("\xEF\xBB\xBF"
               "a,b\n1,x y\n"),
            expected);
  EXPECT_EQ(of("a,b\n\n1,x y\n\r\n\n"), expected);
}

TEST_F(CsvReaderTest, QuotedFields) {
  EXPECT_EQ(of("a,b\n\"1,\n\r2\",\"say \"\"hi\"\"\"\n"), (Records{{"a", "b"}, {"1,\n\r2", "say \"hi\""}}));
  EXPECT_EQ(of("\"a\",\"b\"\r\n\"\"\"\",\"\""), (Records{{"a", "b"}, {"\"", ""}}));
  EXPECT_EQ(of("a,b\nx\"y,z\"\n"), (Records{{"a", "b"}, {"x\"y", "z\""}}));
}

TEST_F(CsvReaderTest, OnlyAnEmptyFieldWithoutQuotesIsMissing) {
  EXPECT_EQ(of("a,b,c\n,\"\", \n,,\n"), (Records{{"a", "b", "c"}, {kMissing, "", " "}, {kMissing, kMissing, kMissing}}));
}

TEST_F(CsvReaderTest, BlankLinesAreRecordsInFilesOfOneColumn) { EXPECT_EQ(of("a\n1\n\n2\n"), (Records{{"a"}, {"1"}, {kMissing}, {"2"}})); }

TEST_F(CsvReaderTest, DialectsAreThoseDeclared) {
  CsvDialect semicolons;
  semicolons.delimiter = ';';
  semicolons.quote = '\'';
  EXPECT_EQ(of("a;b\n'x;''y';\"q\n", semicolons), (Records{{"a", "b"}, {"x;'y", "\"q"}}));
  CsvDialect backslashes;
  backslashes.escape = '\\';
  EXPECT_EQ(of("a,b\n\"x\\\"y\\\\\",\"c:\\temp\"\n", backslashes), (Records{{"a", "b"}, {"x\"y\\", "c:\\temp"}}));
  EXPECT_EQ(of("a,b\n\"x\\", backslashes), std::nullopt);
  CsvDialect without_quotes;
  without_quotes.quote.reset();
  EXPECT_EQ(of("a,b\n\"x\",\"\n", without_quotes), (Records{{"a", "b"}, {"\"x\"", "\""}}));
  EXPECT_EQ(read(folder_.write("f.tsv", "a\tb\n1,1\t2\n")), (Records{{"a", "b"}, {"1,1", "2"}}));
}

TEST_F(CsvReaderTest, MalformedFilesAreRefused) {
  for (const std::string bad : {"a,b\n1\n", "a,b\n1,2,3\n", "a,b\n\"1,2\n", "a,b\n\"1\"x,2\n", "a,b\n1,\"", "a,b\n1,2\r3,4\n", "a,b\n1,2\r",
                                "a,b\n1,\xff\n", "a,b\n1,\"\xC3\"\xA9\n", "\xFF\xFE\n", "a,b\n1,\"x\"\"\n"}) {
    EXPECT_EQ(of(bad), std::nullopt) << bad;
  }
}

TEST_F(CsvReaderTest, EmptyFilesHaveNoRecord) {
  EXPECT_EQ(of(""), Records());
  EXPECT_EQ(of("\xEF\xBB\xBF"), Records());
}

TEST_F(CsvReaderTest, LongRecordsAreReadAndEndlessOnesRefused) {
  const std::string longest(40 << 20, 'x');
  const std::optional<Records> records = of("a,b\n1,\"" + longest + "\"\n2,y\n");
  ASSERT_TRUE(records.has_value());
  ASSERT_EQ(records->size(), 3U);
  EXPECT_TRUE((*records)[1][1] == longest);
  EXPECT_EQ((*records)[2], (Record{"2", "y"}));
  EXPECT_EQ(of("a,b\n1,\"" + std::string(130 << 20, '\n')), std::nullopt);
}

TEST_F(CsvReaderTest, GzipIsReadAndItsDamageNoticed) {
  std::string text = "a,b\n";
  for (int i = 0; i < 50000; ++i) text += fmt::format("{},value {}\n", i, i % 977);
  const std::string path = folder_.path("f.csv.gz");
  gzFile out = gzopen(path.c_str(), "wb");
  ASSERT_NE(out, nullptr);
  ASSERT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  gzclose(out);
  EXPECT_EQ(read(path)->size(), 50001U);
  EXPECT_EQ(read(path), read(folder_.write("f.csv", text)));
  std::string bytes = read_bytes(path);
  EXPECT_EQ(read(folder_.write("cut.csv.gz", bytes.substr(0, bytes.size() / 2))), std::nullopt);
  EXPECT_EQ(read(folder_.write("trailer.csv.gz", bytes.substr(0, bytes.size() - 4))), std::nullopt);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  EXPECT_EQ(read(folder_.write("bent.csv.gz", bytes)), std::nullopt);
}

// Random tables, written with quotes where needed or by chance; blocks end anywhere in them. Fixed seed: nothing here can fail by chance.
TEST_F(CsvReaderTest, ReadsBackWhatWasWrittenAcrossBlocks) {
  std::mt19937 random(20260101);
  const std::vector<std::string> pieces{"a", "longer piece",    ",", "\"", "\"\"", "\n", "\r\n", "\r", "é", "日本", "",
                                        " ", "0123456789abcdef"};
  for (const bool crlf : {false, true}) {
    Records expected;
    std::string text;
    while (text.size() < (5U << 20)) {
      Record record;
      for (int i = 0; i < 3; ++i) {
        std::string value;
        const unsigned length = random() % 200 == 0 ? 5000 : random() % 4;
        for (unsigned k = 0; k < length; ++k) value += pieces[random() % pieces.size()];
        const bool special = value.find_first_of(",\"\r\n") != std::string::npos;
        const bool in_quotes = special || random() % 3 == 0;
        if (i > 0) text += ',';
        if (in_quotes) {
          text += '"';
          for (const char c : value) text += c == '"' ? std::string("\"\"") : std::string(1, c);
          text += '"';
        } else {
          text += value;
        }
        record.push_back(value.empty() && !in_quotes ? std::nullopt : std::optional<std::string>(value));
      }
      text += crlf ? "\r\n" : "\n";
      expected.push_back(std::move(record));
    }
    const std::optional<Records> records = of(text);
    ASSERT_TRUE(records.has_value());
    ASSERT_EQ(records->size(), expected.size());
    EXPECT_TRUE(*records == expected);
  }
}

}  // namespace
}  // namespace tacet::data
