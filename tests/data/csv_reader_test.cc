#include "tacet/data/csv_reader.h"

#include <zlib.h>

#include <algorithm>
#include <optional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/schemas/data_path.h"

#include "data/test_files.h"

namespace tacet::data {
namespace {

using Record = std::vector<std::optional<std::string>>;
using Records = std::vector<Record>;
using Step = CsvReader::Step;
const std::nullopt_t kMissing = std::nullopt;
const std::string kUnreadable(kNoText);

// All records, or nothing if the file cannot be read. Each has as many fields as the first, or
// `fields` if that is given.
std::optional<Records> read(const std::string& path, const CsvDialect& dialect = {}, std::size_t fields = 0) {
  CsvReader reader(*schemas::open_data(path), dialect);
  Records records;
  if (fields != 0) reader.expect(fields);
  for (;;) {
    const Step step = reader.next();
    if (step == Step::Failed) return std::nullopt;
    if (step == Step::End) return records;
    Record& record = records.emplace_back();
    for (std::size_t i = 0; i < reader.size(); ++i) {
      record.push_back(reader.missing(i) ? std::nullopt : std::optional<std::string>(reader.text(i)));
      EXPECT_TRUE(reader.fits() || record.back() == kUnreadable);
    }
    reader.expect(record.size());
  }
}

CsvDialect with_line_breaks() {
  CsvDialect dialect;
  dialect.line_breaks_in_quotes = true;
  return dialect;
}

class CsvReaderTest : public ::testing::Test {
 protected:
  std::optional<Records> of(const std::string& bytes, const CsvDialect& dialect = {}, std::size_t fields = 0) {
    return read(folder_.write("f.csv", bytes), dialect, fields);
  }
  /// The same through a compressed file, which is small where the text repeats itself.
  std::optional<Records> of_gzip(const std::string& bytes, const CsvDialect& dialect = {}) {
    const std::string path = folder_.path("f.csv.gz");
    gzFile out = gzopen(path.c_str(), "wb1");
    EXPECT_EQ(gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size())), static_cast<int>(bytes.size()));
    gzclose(out);
    return read(path, dialect);
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
  EXPECT_EQ(of("a,b\n\"1,\r2\",\"say \"\"hi\"\"\"\n"), (Records{{"a", "b"}, {"1,\r2", "say \"hi\""}}));
  EXPECT_EQ(of("\"a\",\"b\"\r\n\"\"\"\",\"\""), (Records{{"a", "b"}, {"\"", ""}}));
  EXPECT_EQ(of("\"a\",\"b\"\r\n1,\"2\"\r"), (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(of("a,b\nx\"y,z\"\n"), (Records{{"a", "b"}, {"x\"y", "z\""}}));
  EXPECT_EQ(of("a,b\n\"1,\n\r2\",\"x\"\n", with_line_breaks()), (Records{{"a", "b"}, {"1,\n\r2", "x"}}));
}

// A quote at the start of a field used to take in lines up to the next quote, and 4 people became
// 2.
TEST_F(CsvReaderTest, AnOpenQuoteEndsWithItsLine) {
  EXPECT_EQ(of("a,b\n1,\"x\n2,y\n3,\"z\"\n4,\"\n"),
            (Records{{"a", "b"}, {kUnreadable, kUnreadable}, {"2", "y"}, {"3", "z"}, {kUnreadable, kUnreadable}}));
}

// One byte used to refuse the whole file.
TEST_F(CsvReaderTest, BytesThatAreNoTextAreOrdinary) {
  EXPECT_EQ(of("a,b\n1,\xff\n2,x\ry\n3,\"\xC3\"\n"), (Records{{"a", "b"}, {"1", "\xff"}, {"2", "x\ry"}, {"3", "\xC3"}}));
  EXPECT_EQ(of(std::string("a,b\n1,x\0y\n\0,\"\0\"\n", 16)),
            (Records{{"a", "b"}, {"1", std::string("x\0y", 3)}, {std::string(1, '\0'), std::string(1, '\0')}}));
  EXPECT_EQ(of("\xFF\xFE\n"), (Records{{"\xFF\xFE"}}));
}

TEST_F(CsvReaderTest, EveryMisfitIsOneRecord) {
  for (const std::string misfit :
       {"1", "1,2,3", "\"1,2", "\"1\"x,2", "1,\"", "1,\"x\"\"", "1,\"x\" ", "1,\"x\"\ry", "\"\"\",\"", ",,", "\"", "\"1,2\n\"3\"x"}) {
    const auto lines = static_cast<std::size_t>(std::count(misfit.begin(), misfit.end(), '\n')) + 1;
    Records expected{{"a", "b"}};
    expected.insert(expected.end(), lines, Record{kUnreadable, kUnreadable});
    for (const std::string end : {"", "\n", "\r\n"}) EXPECT_EQ(of("a,b\n" + misfit + end), expected) << misfit;
    expected.push_back({"5", "\""});
    EXPECT_EQ(of("a,b\n" + misfit + "\n5,\"\"\"\"\n"), expected) << misfit;
  }
  EXPECT_EQ(of("1\n,,\n\n,", {}, 2), (Records{{kUnreadable, kUnreadable}, {kUnreadable, kUnreadable}, {kMissing, kMissing}}));
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
  EXPECT_EQ(of("a,b\n\"x\\", backslashes), (Records{{"a", "b"}, {kUnreadable, kUnreadable}}));
  EXPECT_EQ(of("a,b\n\"x\\\n\"y\",1\n", backslashes), (Records{{"a", "b"}, {kUnreadable, kUnreadable}, {"y", "1"}}));
  CsvDialect without_quotes;
  without_quotes.quote.reset();
  EXPECT_EQ(of("a,b\n\"x\",\"\n", without_quotes), (Records{{"a", "b"}, {"\"x\"", "\""}}));
  EXPECT_EQ(read(folder_.write("f.tsv", "a\tb\n1,1\t2\n")), (Records{{"a", "b"}, {"1,1", "2"}}));
}

TEST_F(CsvReaderTest, WithLineBreaksInQuotesAnOpenQuoteFailsTheFile) {
  for (const std::string bad : {"a,b\n\"1,2\n", "a,b\n\"1\"x,2\n", "a,b\n1,\"", "a,b\n1,\"x\"\"\n", "a,b\n1,\"x\"\ry\n"}) {
    EXPECT_EQ(of(bad, with_line_breaks()), std::nullopt) << bad;
  }
  // Where a record ends is known here.
  EXPECT_EQ(of("a,b\n\"1\n\"\n,\"2\n\",\"3\n\"\n1,\xff\n", with_line_breaks()),
            (Records{{"a", "b"}, {kUnreadable, kUnreadable}, {kUnreadable, kUnreadable}, {"1", "\xff"}}));
}

TEST_F(CsvReaderTest, EmptyFilesHaveNoRecord) {
  EXPECT_EQ(of(""), Records());
  EXPECT_EQ(of("\xEF\xBB\xBF"), Records());
}

TEST_F(CsvReaderTest, LongLinesAreReadAndLongerOnesAreMisfits) {
  constexpr std::size_t kLimit = std::size_t{64} << 20;
  const Record unreadable{kUnreadable, kUnreadable};
  // A line of `size` bytes, its last field in quotes or not, between two others or at the end of
  // the file.
  const auto expect = [&](std::size_t size, bool quotes, bool last, bool fits) {
    const std::string value(size - (quotes ? 4 : 2), 'x');
    const std::string line = quotes ? "1,\"" + value + "\"" : "1," + value;
    const std::optional<Records> records = of_gzip(last ? "a,b\n2,y\n" + line : "a,b\n" + line + "\n2,y");
    ASSERT_TRUE(records.has_value());
    ASSERT_EQ(records->size(), 3U);
    EXPECT_TRUE((*records)[last ? 2 : 1] == (fits ? Record{"1", value} : unreadable)) << size;
    EXPECT_EQ((*records)[last ? 1 : 2], (Record{"2", "y"}));
  };
  expect(kLimit - 1, true, false, true);
  expect(kLimit, false, true, false);
  expect(2 * kLimit + 7, false, false, false);
  // A line of commas is no reason to hold as many fields.
  EXPECT_EQ(of_gzip("a,b\n" + std::string(kLimit - 1, ',') + "\n2,y"), (Records{{"a", "b"}, unreadable, {"2", "y"}}));
  EXPECT_EQ(of_gzip("a,b\n1,\"" + std::string(kLimit, '\n'), with_line_breaks()), std::nullopt);
}

TEST_F(CsvReaderTest, GzipIsReadAndItsDamageNoticed) {
  std::string text = "a,b\n";
  for (int i = 0; i < 50000; ++i) text += fmt::format("{},value {}\n", i, i % 977);
  EXPECT_EQ(of_gzip(text)->size(), 50001U);
  const std::string path = folder_.path("f.csv.gz");
  EXPECT_EQ(read(path), read(folder_.write("f.csv", text)));
  std::string bytes = read_bytes(path);
  EXPECT_EQ(read(folder_.write("cut.csv.gz", bytes.substr(0, bytes.size() / 2))), std::nullopt);
  EXPECT_EQ(read(folder_.write("trailer.csv.gz", bytes.substr(0, bytes.size() - 4))), std::nullopt);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  EXPECT_EQ(read(folder_.write("bent.csv.gz", bytes)), std::nullopt);
}

// The first bytes of a file without a header line are a person's.
TEST_F(CsvReaderTest, GzipIsToldByTheNameAndNotByTheFirstBytes) {
  EXPECT_EQ(of("\x1f\x8b\x08,x\n", {}, 2), (Records{{"\x1f\x8b\x08", "x"}}));
  EXPECT_EQ(read(folder_.write("f.csv.gz", "a,b\n1,2\n")), std::nullopt);
  EXPECT_EQ(read(folder_.write("f.csv.gz", "")), std::nullopt);
}

// Random bytes, read whole and line by line. Fixed seed: nothing here can fail by chance.
// Who stands last is a person whether or not their field is missing.
TEST_F(CsvReaderTest, OneColumnEndsInALineFeed) {
  EXPECT_EQ(of("f\nm\n", {}, 1)->size(), 2U);
  EXPECT_EQ(of("f\n\n", {}, 1)->size(), 2U);
  EXPECT_FALSE(of("f\nm", {}, 1).has_value());
  EXPECT_EQ(of("f,1\nm,2", {}, 2)->size(), 2U);
}

TEST_F(CsvReaderTest, ALineWithAByteOrderMarkAloneIsSomebody) {
  EXPECT_EQ(of("\xEF\xBB\xBF\na,b\n", {}, 2)->size(), 2U);
  EXPECT_EQ(of("\xEF\xBB\xBF"
               "a,b\n\nc,d\n",
               {}, 2)
                ->size(),
            2U)
      << "a blank line is nobody";
}

TEST_F(CsvReaderTest, ALineIsReadByItselfWhateverSurroundsIt) {
  std::mt19937 random(20260102);
  const std::vector<std::string> pieces{
      "a", "b", ",", ",", "\"", "\"", "\"\"", "\r", "\n", "\n", "\\", "'", "\xff", "é", std::string(1, '\0'), "0123456789abcdef"};
  CsvDialect backslashes;
  backslashes.escape = '\\';
  CsvDialect without_quotes;
  without_quotes.quote.reset();
  std::size_t misfits = 0;
  for (int round = 0; round < 60; ++round) {
    const std::vector<CsvDialect> dialects{{}, backslashes, without_quotes};
    const CsvDialect& dialect = dialects[random() % dialects.size()];
    const std::size_t fields = 1 + random() % 3;
    std::string text = "x";  // no byte order mark
    for (int i = 0; i < 60; ++i) text += pieces[random() % pieces.size()];
    if (fields == 1) text += "\n";  // the last line of one column must have it
    Records expected;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::optional<Records> line = of(text.substr(begin, end - begin) + (end < text.size() ? "\n" : ""), dialect, fields);
      ASSERT_TRUE(line.has_value());
      ASSERT_LE(line->size(), 1U);
      expected.insert(expected.end(), line->begin(), line->end());
      misfits += !line->empty() && line->front().front() == kUnreadable ? 1 : 0;
      begin = end + 1;
    }
    EXPECT_EQ(of(text, dialect, fields), expected) << text;
  }
  EXPECT_GT(misfits, 50U);
}

// Random tables, written with quotes where needed or by chance; blocks end anywhere in them. Fixed
// seed: nothing here can fail by chance.
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
    const std::optional<Records> records = of(text, with_line_breaks());
    ASSERT_TRUE(records.has_value());
    ASSERT_EQ(records->size(), expected.size());
    EXPECT_TRUE(*records == expected);
  }
}

}  // namespace
}  // namespace tacet::data
