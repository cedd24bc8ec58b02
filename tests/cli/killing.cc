#include "cli/killing.h"

#include <chrono>
#include <map>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "tacet/base/decimal.h"
#include "tacet/mechanisms/release_file.h"

#include "support/promise.h"

namespace tacet::test {

void kill_releases(const Program& program, int times) {
  using Clock = std::chrono::steady_clock;
  ASSERT_EQ(program.run({"budget", "create", "--schema", "people.toml", "--rho", "1000"}).exit_code, 0);
  const auto start = Clock::now();
  ASSERT_EQ(program.run(Program::release_words({"--rho", "0.1", "--out", "r-whole.json"})).exit_code, 0);
  const auto whole = Clock::now() - start;
  std::mt19937_64 random(suite_seed());
  std::uniform_real_distribution<double> moment(0, 1.2);
  int killed = 0;
  for (int i = 0; i < times; ++i) {
    Running running = program.start(Program::release_words({"--rho", "0.1", "--out", "r" + std::to_string(i) + ".json"}), "killed");
    std::this_thread::sleep_for(std::chrono::duration_cast<std::chrono::microseconds>(whole * moment(random)));
    running.kill();
    killed += running.wait() == -1 ? 1 : 0;
    if (i % 10 == 0) expect_every_release_paid(program);
  }
  EXPECT_GT(killed, 0);
  expect_every_release_paid(program);
  EXPECT_EQ(program.run(Program::release_words({"--rho", "0.1", "--out", "r-after.json"})).exit_code, 0);
}

void expect_every_release_paid(const Program& program) {
  const Ended history = program.run({"budget", "history", "--schema", "people.toml", "--json"});
  ASSERT_EQ(history.exit_code, 0) << history.err;  // the chain of hashes and sums was verified
  const auto shown = one_object(history.out);
  ASSERT_TRUE(shown);
  std::map<std::string, std::string> statements;
  Decimal spent;
  for (const service::Json& entry : shown->at("entries")) {
    statements[entry.at("entry_hash")] = entry.at("statement");
    spent = spent + *Decimal::parse(entry.at("charged").at("rho").get<std::string>());
  }
  EXPECT_LE(spent, *Decimal::parse("1000"));
  EXPECT_EQ(program.spent(), "rho " + spent.to_string());
  std::size_t releases = 0;
  for (const std::string& name : program.files()) {
    if (name == "people.csv" || name == "people.toml") continue;
    if (name.starts_with(".tacet-")) continue;  // a draft, where the file system has no nameless files
    ASSERT_TRUE(name.starts_with("r") && name.ends_with(".json")) << "a file nobody asked for: " << name;
    const auto release = mechanisms::read_release(program.path(name));
    ASSERT_TRUE(release.ok()) << name << " is not whole: " << release.error().message();
    const mechanisms::ReleaseHeader& header = mechanisms::header_of(*release);
    ASSERT_TRUE(header.receipt) << name << " has no receipt";
    const auto paid = statements.find(header.receipt->entry_hash);
    ASSERT_NE(paid, statements.end()) << name << " was published without its charge";
    EXPECT_EQ(paid->second, header.statement);
    statements.erase(paid);  // no charge pays twice
    ++releases;
  }
  EXPECT_GT(releases, 0U);
}

}  // namespace tacet::test
