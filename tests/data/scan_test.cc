#include "tacet/data/scan.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/canonical_schema.h"
#include "tacet/data/counts.h"
#include "tacet/data/scan_process.h"
#include "tacet/schemas/data_path.h"

#include "data/bad_worker.h"
#include "data/needs_filter.h"
#include "data/test_files.h"

namespace tacet::data {
namespace {

using ::testing::HasSubstr;

const char* const kScannedColumns = R"(
[columns.smoking]
categories = ["never", "former", "current"]
missing = "missing"
[columns.height]
lower = 50
upper = 250
resolution = 0.1
missing = 150
missing_values = ["999"]
[columns.weight]
lower = 0
upper = 200
resolution = 0.5
missing = 100
)";

const char* const kRows =
    "SELECT ['never', 'former', 'current', 'pipe', NULL][1 + (hash(i) % 5)::INT] AS smoking, "
    "CASE WHEN i % 50 = 0 THEN 999 ELSE 40 + (hash(i + 1) % 2200) / 10.0 END AS height, "
    "CASE WHEN i % 7 = 0 THEN NULL ELSE (hash(i + 2) % 1000) / 3.0 END AS weight FROM range(5000) AS r(i)";

void write_every_kind(const TestFolder& folder) {
  write_parquet(kRows, folder.path("t.parquet"));
  run_duckdb({fmt::format("COPY ({}) TO '{}' (FORMAT csv, HEADER)", kRows, folder.path("t.csv")),
              fmt::format("COPY ({}) TO '{}' (FORMAT csv, HEADER, COMPRESSION gzip)", kRows, folder.path("t.csv.gz"))});
  run_duckdb({fmt::format("CREATE TABLE t AS {}", kRows)}, folder.path("t.duckdb"));
  run_duckdb({fmt::format("CREATE TABLE t AS {} LIMIT 4000", kRows)}, folder.path("logged.duckdb"));
  run_duckdb(
      {"PRAGMA disable_checkpoint_on_shutdown", "SET wal_autocheckpoint = '1TB'", fmt::format("INSERT INTO t {} OFFSET 4000", kRows)},
      folder.path("logged.duckdb"));
  ASSERT_TRUE(std::filesystem::exists(folder.path("logged.duckdb.wal")));
}
const char* const kKinds[] = {"t.parquet", "t.csv", "t.csv.gz", "t.duckdb", "logged.duckdb"};

std::vector<ScanRequest> requests() {
  return {{.by = {"smoking"}},
          {.numbers = {"height", "weight"}, .products = true},
          {.numbers = {"height", "weight"}, .by = {"smoking"}, .products = true, .centres = {Decimal(150), Decimal(80)}},
          {.numbers = {"height", "weight"},
           .clip = ClipRequest{.centre = {150, 80.1}, .map = {{0.01, 0}, {0, 1.0 / 3}}, .radius = 1.5, .steps = 1 << 20}}};
}

TEST(Scan, GivesTheSameIntegersAsAScanInThisProcess) {
  const TestFolder folder;
  write_every_kind(folder);
  const Schema schema = schema_with(kScannedColumns);
  for (const char* name : kKinds) {
    const DataFile file = *schemas::open_data(folder.path(name));
    for (const ScanRequest& request : requests()) {
      const Result<Sums> apart = scan(file, schema, request, {});
      const Scanning<Sums> here = scan_here(file, schema, request);
      ASSERT_TRUE(apart.ok() && here.ok()) << name << (apart.ok() ? "" : apart.error().message());
      EXPECT_EQ(apart->people(), 5000) << name;
      EXPECT_EQ(apart->totals.rows, here->totals.rows) << name;
      EXPECT_TRUE(apart->totals.numbers == here->totals.numbers) << name;
    }
  }
}

TEST(Scan, ARequestIsReadAsItWasWritten) {
  const Schema schema = schema_with(kScannedColumns);
  for (const ScanRequest& request : requests()) {
    const std::string text = request_text({schema, request, {FileKind::Csv, '\t', true}, 3});
    const AskedScan read = read_request(text);
    EXPECT_EQ(request_text(read), text);
    EXPECT_EQ(read.request.numbers, request.numbers);
    EXPECT_EQ(read.request.clip.has_value(), request.clip.has_value());
    if (request.clip) {
      EXPECT_EQ(read.request.clip->map, request.clip->map);
    }
    EXPECT_EQ(read.form.delimiter, '\t');
    Schema named = read.schema;  // the process needs no relation and no terms
    named.relation = schema.relation;
    EXPECT_EQ(canonical(named), canonical(schema));
  }
}

TEST(Scan, ManyThreadsMayScanOneFileAtOnce) {
  const TestFolder folder;
  write_every_kind(folder);
  const Schema schema = schema_with(kScannedColumns);
  for (const char* name : {"t.csv.gz", "t.parquet", "logged.duckdb"}) {
    const DataFile file = *schemas::open_data(folder.path(name));
    const Counts expected = counted(folder.path(name), schema, {"smoking"});
    std::vector<Counts> found(4);
    std::vector<std::thread> threads;
    for (Counts& counts : found) {
      threads.emplace_back([&] {
        const Result<Sums> sums = scan(file, schema, {.by = {"smoking"}}, {});
        if (sums.ok()) counts = sums->totals.rows;
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Counts& counts : found) EXPECT_EQ(counts, expected) << name;
  }
}

// ---- A file that crashes the engine. ----

constexpr std::size_t kHeaders = 3 * 4096;
constexpr std::size_t kBlock = 262144;

/// DuckDB's own checksum of a block, written where a block has it.
void seal_block(std::string& bytes, std::size_t block) {
  std::uint64_t sum = 5381;
  for (std::size_t at = 8; at < kBlock; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + kHeaders + block * kBlock + at, 8);
    sum ^= word * 0xbf58476d1ce4e5b9U;
  }
  std::memcpy(bytes.data() + kHeaders + block * kBlock, &sum, 8);
}

const char* const kTexts = "[columns.smoking]\ncategories = [\"never\", \"former\"]\n[columns.id]\ncategories = [\"id1\"]\n";

/// Does a scan of the file kill the process that does it? In a child, which gives up after a while.
bool crashes_here(const std::string& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    for (const int quiet : {1, 2}) ::close(quiet);
    ::_exit(scan_here(*schemas::open_data(path), schema_with(kTexts), {.by = {"smoking", "id"}}, {.threads = 1}).ok() ? 40 : 41);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return !WIFEXITED(status) || (WEXITSTATUS(status) != 40 && WEXITSTATUS(status) != 41);
}

/// A DuckDB file whose checksums are right and that crashes the engine: 16 bytes are overwritten,
/// wherever that does it.
std::optional<std::string> crashing_file(const std::string& good) {
  constexpr std::size_t kWide = 16;
  std::vector<std::size_t> places;
  for (std::size_t at = 21504; at < 23000; at += 8 * kWide) places.push_back(at);  // where the version of today breaks
  for (std::size_t at = kHeaders + 8; at + kWide < good.size(); at += 8 * kWide) {
    if (good[at] != 0) places.push_back(at);
  }
  const TestFolder folder;
  for (const std::size_t at : places) {
    std::string bytes = good;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), kWide, '\xff');
    seal_block(bytes, (at - kHeaders) / kBlock);
    if (crashes_here(folder.write("damaged.duckdb", bytes))) return bytes;
  }
  return std::nullopt;
}

TEST(Scan, AFileThatCrashesTheEngineIsAnError) {
  const TestFolder folder;
  run_duckdb({"CREATE TABLE t AS SELECT ['never', 'former', 'current'][1 + (hash(i) % 3)::INT] AS smoking, 'id' || i AS id FROM "
              "range(20000) AS r(i)"},
             folder.path("good.duckdb"));
  const std::string good = read_bytes(folder.path("good.duckdb"));
  std::string sealed = good;
  seal_block(sealed, 0);
  ASSERT_EQ(sealed, good) << "the checksum is no longer DuckDB's";
  const std::optional<std::string> bytes = crashing_file(good);
  ASSERT_TRUE(bytes) << "no such damage crashes this version of DuckDB: look for another";
  const std::string path = folder.write("bad.duckdb", *bytes);

  const Result<CountTable> table = try_count(path, schema_with(kTexts), {"smoking", "id"});
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(table.error().code(), Code::DataUnreadable);
  EXPECT_THAT(table.error().message(), HasSubstr("bad.duckdb\" cannot be read as declared; it may be damaged"));
  EXPECT_EQ(table.error().spent(), "nothing was spent");
  // Nor is anything left behind that would disturb the next.
  EXPECT_TRUE(try_count(folder.path("good.duckdb"), schema_with(kTexts), {"smoking", "id"}).ok());
}

// ---- Programs that misbehave. ----

const char* const kTwoCells = "[columns.c]\ncategories = [\"x\"]\n";
const char* const kSteps = "[columns.c]\nlower = -10\nupper = 10\nresolution = 1\nmissing = 0\n";

/// A table of two cells, or a sum and a sum of squares.
Result<Sums> ask(const std::string& way, bool table, const CountOptions& options = {}) {
  const TestFolder folder;
  const DataFile file = *schemas::open_data(folder.write("t.csv", "c\nx\n"));
  const ScanRequest request = table ? ScanRequest{.by = {"c"}} : ScanRequest{.numbers = {"c"}, .products = true};
  return scan(file, schema_with(table ? kTwoCells : kSteps), request, options, BadWorker(way).program());
}

TEST(Scan, AProgramThatMisbehavesIsAScanThatFailed) {
  TACET_NEEDS_FILTER();
  ASSERT_TRUE(ask("counts", true).ok());  // what the others would be if they behaved
  ASSERT_TRUE(ask("sums", false).ok());
  const std::string sentence = ask("crash", true).error().message();
  EXPECT_THAT(sentence, HasSubstr("t.csv\" cannot be read as declared"));
  const auto after_the_name = [](const std::string& message) { return message.substr(message.find("t.csv")); };
  for (const char* way :
       {"crash", "crash-late", "abort", "32-bit", "leave", "leave-with-1", "no-such-fault", "negative-count", "overflow"}) {
    const Result<Sums> sums = ask(way, true);
    ASSERT_FALSE(sums.ok()) << way;
    EXPECT_EQ(sums.error().code(), Code::DataUnreadable) << way;
    EXPECT_EQ(after_the_name(sums.error().message()), after_the_name(sentence)) << way;
    EXPECT_EQ(sums.error().spent(), "nothing was spent") << way;
  }
  for (const char* way : {"sum-too-large", "square-too-large", "negative-square", "negative-rows"}) {
    const Result<Sums> sums = ask(way, false);
    ASSERT_FALSE(sums.ok()) << way;
    EXPECT_EQ(after_the_name(sums.error().message()), after_the_name(sentence)) << way;
  }
}

TEST(Scan, FaultsAreToldInOurOwnWords) {
  const Error unconfined = ask("unconfined", true).error();
  EXPECT_EQ(unconfined.code(), Code::EngineFailed);
  EXPECT_THAT(unconfined.message(), HasSubstr("could not confine itself, and reads nothing without"));
  EXPECT_THAT(ask("fault-of-no-column", true).error().message(), HasSubstr("column \"\", which the schema declares, is not in"));
}

TEST(Scan, AProgramThatDoesNotRunIsNoFaultOfTheFile) {
  const Error error = ask("gone", true).error();
  EXPECT_EQ(error.code(), Code::EngineFailed);
  EXPECT_THAT(error.message(), HasSubstr("the program that reads data files, or the engine in it, could not be started"));
}

// Whatever it answers: it may mean something else by it.
TEST(Scan, AProgramOfAnotherBuildIsRefused) {
  const Error error = ask("other-build", true).error();
  EXPECT_EQ(error.code(), Code::EngineFailed);
  EXPECT_THAT(error.message(), HasSubstr("tacet-scan, the program that reads data files, is of another build than this program"));
  EXPECT_EQ(error.spent(), "nothing was spent");
}

TEST(Scan, ProgressIsToldAsAFraction) {
  for (const auto& [way, most] : {std::pair{"progress", 0.5}, {"wrong-progress", 0.0}, {"too-much-progress", 0.0}}) {
    std::vector<double> told;
    CountOptions options;
    options.progress = {[&](double fraction) { told.push_back(fraction); }, std::chrono::milliseconds(10), std::chrono::milliseconds(10)};
    EXPECT_TRUE(ask(way, true, options).ok()) << way;
    ASSERT_FALSE(told.empty()) << way;
    EXPECT_EQ(told.back(), most) << way;
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end())) << way;
  }
}

TEST(Scan, AProgramThatIsNoneIsAScanThatFailed) {
  const TestFolder folder;
  const DataFile file = *schemas::open_data(folder.write("t.csv", "c\nx\n"));
  folder.write("text", "text");
  for (const char* name : {"text", "missing"})
    EXPECT_FALSE(scan(file, schema_with(kTwoCells), {.by = {"c"}}, {}, folder.path(name)).ok()) << name;
}

// ---- The process itself. ----

/// The processes that this one has started and that have not ended, by their number; and the lines
/// of /proc/N/status of one.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> found;
  for (const auto& task : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", parent))) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) found.push_back(child);
  }
  return found;
}
std::map<std::string, std::string> status_of(pid_t process) {
  std::map<std::string, std::string> status;
  std::ifstream file(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && colon + 2 <= line.size()) status[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return status;
}

TEST(Scan, AProgramThatHangsIsWaitedForUntilItIsKilled) {
  CountOptions options;
  int told = 0;
  const auto kill_it = [&](double) {
    if (++told == 5) {
      for (const pid_t child : children_of(::getpid())) ::kill(child, SIGKILL);
    }
  };
  options.progress = {kill_it, std::chrono::milliseconds(200), std::chrono::milliseconds(200)};
  EXPECT_EQ(ask("hang", true, options).error().code(), Code::DataUnreadable);
  EXPECT_GE(told, 5);
  EXPECT_TRUE(children_of(::getpid()).empty());
}

TEST(Scan, TheRealProgramHasTheFileAndNothingElse) {
  TACET_NEEDS_FILTER();
  const TestFolder folder;
  std::string lines = "c\n";
  while (lines.size() < 60'000'000) lines += "x\ny\n\"a,b\"\n";
  const std::string data = folder.write("t.csv", lines);
  // Neither of these is its business, even if somebody forgot to say so to the operating system.
  const int ledger = ::open(folder.write("people.ledger", "x").c_str(), O_RDWR);
  const int key = ::open(folder.write("people.key", "x").c_str(), O_RDONLY);
  int looked = 0;
  int seen_with_all = 0;
  CountOptions options;
  options.progress = {[&](double) {
                        const std::vector<pid_t> children = children_of(::getpid());
                        if (children.size() != 1) return;
                        std::map<std::string, std::string> status = status_of(children.front());
                        if (status["Seccomp"] != "2") return;  // it has just begun
                        ++looked;
                        EXPECT_EQ(status["NoNewPrivs"], "1");
                        EXPECT_EQ(::getsid(children.front()), children.front());
                        if (::geteuid() != 0) return;  // others may not look, since it is not dumpable
                        const std::string process = fmt::format("/proc/{}/", children.front());
                        std::vector<std::string> open;
                        for (const auto& file : std::filesystem::directory_iterator(process + "fd"))
                          open.push_back(std::filesystem::read_symlink(file.path()).filename());
                        std::sort(open.begin(), open.end());
                        open.erase(std::unique(open.begin(), open.end()), open.end());
                        // It closes them in the end.
                        EXPECT_THAT(open, ::testing::IsSubsetOf({"memfd:tacet-scan (deleted)", "null", "t.csv"}));
                        seen_with_all += open.size() == 3 ? 1 : 0;
                        const std::string maps = read_bytes(process + "maps");
                        EXPECT_THAT(maps, ::testing::Not(HasSubstr("people.")));
                        EXPECT_EQ(read_bytes(process + "environ"), "");
                      },
                      std::chrono::milliseconds(20), std::chrono::milliseconds(5)};
  EXPECT_TRUE(try_count(data, schema_with(kTwoCells), {"c"}, options).ok());
  EXPECT_GT(looked, 0);
  EXPECT_TRUE(::geteuid() != 0 || seen_with_all > 0);
  EXPECT_TRUE(children_of(::getpid()).empty());
  ::close(ledger);
  ::close(key);
}

bool is_gone(pid_t process) {
  for (int i = 0; i < 1000; ++i) {
    const std::string state = status_of(process)["State"];
    if (state.empty() || state.front() == 'Z') return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(Scan, TheProgramDiesWithTheProcessThatAsked) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t asker = ::fork();
  if (asker == 0) {
    CountOptions options;
    options.progress = {[&](double) {
                          const std::vector<pid_t> workers = children_of(::getpid());
                          const pid_t worker = workers.size() == 1 ? workers.front() : -1;
                          (void)!::write(ends[1], &worker, sizeof worker);
                          ::pause();
                        },
                        std::chrono::milliseconds(200), std::chrono::milliseconds(1)};
    (void)ask("hang", true, options).ok();
    ::_exit(0);
  }
  pid_t worker = -1;
  ASSERT_EQ(::read(ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
  ASSERT_GT(worker, 0);
  EXPECT_FALSE(status_of(worker).empty());
  ::kill(asker, SIGKILL);
  ::waitpid(asker, nullptr, 0);
  EXPECT_TRUE(is_gone(worker));
  for (const int end : ends) ::close(end);
}

TEST(Scan, AProcessMayIgnoreItsChildren) {
  EXPECT_EXIT(
      {
        ::signal(SIGCHLD, SIG_IGN);
        ::_exit(ask("counts", true).ok() && !ask("crash", true).ok() ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(Scan, ADuckDbFileIsReadWithItsOwnLogOrNotAtAll) {
  const TestFolder folder;
  write_every_kind(folder);
  const Schema schema = schema_with(kScannedColumns);
  const DataFile file = *schemas::open_data(folder.path("logged.duckdb"));
  const auto readable = [&] { return scan(file, schema, {.by = {"smoking"}}, {}).ok(); };
  // Its log would not be found under the old name.
  std::filesystem::rename(folder.path("logged.duckdb"), folder.path("moved.duckdb"));
  EXPECT_FALSE(readable());
  // Another file under the old name is not the one that was opened.
  std::filesystem::copy_file(folder.path("t.duckdb"), folder.path("logged.duckdb"));
  EXPECT_FALSE(readable());
  // A log that cannot be opened may hold rows.
  std::filesystem::rename(folder.path("moved.duckdb"), folder.path("logged.duckdb"));
  EXPECT_TRUE(readable());
  std::filesystem::remove(folder.path("logged.duckdb.wal"));
  std::filesystem::create_directory(folder.path("logged.duckdb.wal"));
  EXPECT_FALSE(readable());
}

}  // namespace
}  // namespace tacet::data
