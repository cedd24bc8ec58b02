#include "tacet/data/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/test_files.h"

namespace tacet::data {
namespace {

TEST(Engine, OpensNoOtherFileAndKeepsItsConfiguration) {
  const TestFolder folder;
  write_parquet("SELECT 'x' AS c", folder.path("allowed.parquet"));
  write_parquet("SELECT 'x' AS c", folder.path("other.parquet"));
  folder.write("other.csv", "c\nx\n");
  Engine engine = *Engine::open({folder.path("allowed.parquet")}, 1);
  EXPECT_TRUE(engine.run("FROM " + sql::parquet(folder.path("allowed.parquet"))));
  for (const std::string& statement : {
           "FROM " + sql::parquet(folder.path("other.parquet")),
           fmt::format("FROM read_csv({})", sql::literal(folder.path("other.csv"))),
           fmt::format("FROM read_text({})", sql::literal(folder.path("other.csv"))),
           fmt::format("FROM glob({})", sql::literal(folder.path("*"))),
           std::string("FROM read_text('/etc/hostname')"),
           std::string("FROM read_csv('http://127.0.0.1:9/x.csv')"),
           fmt::format("COPY (SELECT 1) TO {}", sql::literal(folder.path("made.csv"))),
           fmt::format("ATTACH {}", sql::literal(folder.path("made.duckdb"))),
           fmt::format("EXPORT DATABASE {}", sql::literal(folder.path("export"))),
           std::string("INSTALL httpfs"),
           std::string("LOAD httpfs"),
           std::string("SET enable_external_access = true"),
           std::string("SET allowed_paths = ['/etc/hostname']"),
           std::string("SET threads = 7"),
           std::string("SET lock_configuration = false"),
           std::string("RESET lock_configuration"),
       }) {
    EXPECT_FALSE(engine.run(statement)) << statement;
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path("made.csv")));
}

TEST(Engine, ForWantOfMemoryFailsLikeAnythingElse) {
  Engine engine = *Engine::open({}, 1);
  EXPECT_FALSE(engine.run("SELECT CAST('SECRET' AS INTEGER)"));
  EXPECT_FALSE(engine.run("CREATE TEMP TABLE t AS SELECT repeat('abcdefgh' || i, 100) AS s FROM range(100000000) AS r(i)"));
}

TEST(Sql, QuotesWhateverTheTextHolds) {
  EXPECT_EQ(sql::literal("it's"), "'it''s'");
  EXPECT_EQ(sql::identifier("a\"b"), "\"a\"\"b\"");
  Engine engine = *Engine::open({}, 1);
  for (const std::string text : {"it's", "back\\slash", "\\'", "line\nbreak", "'; DROP TABLE t; --", "%s {} $1 ?", "日本", "''", "\""}) {
    const auto rows = engine.rows(fmt::format("SELECT {0} AS {1}", sql::literal(text), sql::identifier(text)));
    ASSERT_TRUE(rows.ok()) << text;
    EXPECT_EQ((*rows)[0][0], text);
  }
}

TEST(Sql, TheQueryIsWhatWasAudited) {
  EXPECT_EQ(sql::fold(sql::parquet("/proc/self/fd/7"), 3, {}, {2, 0}),
            "SELECT tacet_fold(tacet_code_0(CAST(c2 AS VARCHAR)), tacet_code_1(CAST(c0 AS VARCHAR))) FROM read_parquet('/proc/self/fd/7', "
            "hive_partitioning = false, union_by_name = false, filename = false, file_row_number = false) AS t(c0, c1, c2)");
  EXPECT_EQ(sql::table("main", "a\"b"), "source.\"main\".\"a\"\"b\"");
  EXPECT_EQ(sql::fold("source.\"main\".\"t\"", 3, {2, 1}, {}), "SELECT tacet_fold(c2, c1) FROM source.\"main\".\"t\" AS t(c0, c1, c2)");
  EXPECT_EQ(sql::count("source.\"main\".\"t\""), "SELECT CAST(count(*) AS VARCHAR) FROM source.\"main\".\"t\"");
  EXPECT_EQ(sql::fold("source.\"main\".\"t\"", 2, {1}, {0}),
            "SELECT tacet_fold(c1, tacet_code_0(CAST(c0 AS VARCHAR))) FROM source.\"main\".\"t\" AS t(c0, c1)");
}

}  // namespace
}  // namespace tacet::data
