// What a campaign of faults found in the real program: files that stopped it without a word, texts
// that reached a terminal, and what a killed or crashed process left behind. Others of that
// campaign are in tests/cli (memory, entropy, kills) and tests/faults (damage, copies, rights).
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace tacet::test {
namespace {

using ::testing::HasSubstr;

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(AttackSchema, TextsThatStoppedTheParserAreErrors) {
  const Program program;
  const std::vector<std::string> texts{"[\n",
                                       "[[",
                                       "[#",
                                       "[",
                                       "a = [",
                                       "\"",
                                       "a = \"\"\"",
                                       "a = " + repeated("[", 60'000) + "1" + repeated("]", 60'000) + "\n",
                                       "a = " + repeated("[", 200'000),
                                       "a = " + repeated("{b = ", 60'000),
                                       repeated("a.", 15'000) + "a = 1\n",
                                       "[" + repeated("a.", 15'000) + "a]\n",
                                       std::string("\0", 1),
                                       "\xEF\xBB\xBF[",
                                       ""};
  for (const std::string& text : texts) {
    program.write("hostile.toml", text);
    const Ended ended = program.run({"budget", "create", "--schema", "hostile.toml", "--rho", "1"});
    EXPECT_EQ(ended.exit_code, 1) << text.substr(0, 20);
    EXPECT_FALSE(ended.err.empty()) << text.substr(0, 20);
    EXPECT_LT(ended.err.size(), 2000U) << text.substr(0, 20);
    program.write("hostile.json", text);
    EXPECT_EQ(program.run({"budget", "create", "--schema", "hostile.json", "--rho", "1"}).exit_code, 1) << text.substr(0, 20);
  }
  program.write("hostile.json", repeated("{\"a\":", 60'000));
  EXPECT_EQ(program.run({"budget", "create", "--schema", "hostile.json", "--rho", "1"}).exit_code, 1);
}

TEST(AttackSchema, WhatIsNoFileIsRefusedAndNotWaitedFor) {
  const Program program;
  ASSERT_EQ(::mkfifo(program.path("pipe.toml").c_str(), 0600), 0);
  for (const char* name : {"pipe.toml", "/dev/null", "/dev/zero", "/dev/stdin", ".", "/proc/self/mem"}) {
    const Ended ended = program.run({"budget", "create", "--schema", name, "--rho", "1"});
    EXPECT_EQ(ended.exit_code, 1) << name << ended.err;
    EXPECT_THAT(ended.err, ::testing::Not(HasSubstr("internal"))) << name;
  }
}

/// Escapes that a terminal would obey, in every text of a release.
service::Json with_escapes(service::Json release) {
  for (auto& [key, value] : release.items()) {
    if (key == "column" || key == "statement") value = "x\x1b[2J\u009b\u202e";
    if (key == "columns" || key == "axes") {
      for (service::Json& one : value) {
        if (one.is_string()) one = one.get<std::string>() + "\x1b[2J\u009b\u202e";
        if (!one.is_object()) continue;
        if (one.contains("name")) one["name"] = one["name"].get<std::string>() + "\x1b[2J\u009b\u202e";
        if (!one.contains("labels")) continue;
        for (service::Json& label : one["labels"]) label = label.get<std::string>() + "\x1b]0;\u009b\u2066";
      }
    }
  }
  return release;
}

bool harmless(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) return false;
  }
  return text.find("\u009b") == std::string::npos && text.find("\u202e") == std::string::npos && text.find("\u2066") == std::string::npos;
}

TEST(AttackReleaseFile, ItsTextsReachNoTerminal) {
  const Program program;
  ASSERT_EQ(program.run({"budget", "create", "--schema", "people.toml", "--rho", "100"}).exit_code, 0);
  const std::vector<std::vector<std::string>> releases{{"counts", "--by", "sex,plan", "--mechanism", "gaussian"},
                                                       {"histogram", "--column", "age"},
                                                       {"mean", "--columns", "age"},
                                                       {"covariance", "--columns", "age"},
                                                       {"query", "--columns", "age", "--direction", "1"}};
  int answered = 0;
  for (const std::vector<std::string>& kind : releases) {
    std::vector<std::string> words{"release", kind[0], "--data", "people.csv", "--schema", "people.toml", "--rho", "5", "--out", kind[0]};
    words.insert(words.end(), kind.begin() + 1, kind.end());
    const Ended made = program.run(words);
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const service::Json hostile = with_escapes(service::Json::parse(program.read(kind[0])));
    program.write("hostile.json", hostile.dump());
    for (const service::Verb& verb : service::verbs()) {
      if (!verb.name.starts_with("infer ")) continue;
      for (const std::string& file : {std::string("hostile.json"), std::string("hostile.json,hostile.json")}) {
        const bool two = file.find(',') != std::string::npos;
        std::vector<std::string> infer{"infer", verb.name.substr(6)};
        for (const service::Field& field : verb.fields) {
          if (field.name == "release" || field.name == "releases") infer.insert(infer.end(), {"--" + field.name, file});
          if (field.name == "draws") infer.insert(infer.end(), {"--draws", "100"});
        }
        const Ended ended = program.run(infer);
        EXPECT_TRUE(ended.exit_code >= 0 && ended.exit_code <= 2) << verb.name << two << ended.err;
        EXPECT_TRUE(harmless(ended.out) && harmless(ended.err)) << verb.name << " of " << kind[0];
        answered += ended.exit_code == 0 ? 1 : 0;
      }
    }
    const Ended verified = program.run({"budget", "verify", "--schema", "people.toml", "--releases", "hostile.json"});
    EXPECT_TRUE(harmless(verified.out) && harmless(verified.err)) << kind[0];
  }
  EXPECT_GE(answered, 8) << "the attack reaches the words";
}

/// The second limit of the line is the hard one.
bool writes_no_core(pid_t process) {
  std::ifstream limits(fmt::format("/proc/{}/limits", process));
  for (std::string line; std::getline(limits, line);) {
    if (line.starts_with("Max core file size")) return line.find(" 0 ") != std::string::npos && line.find("unlimited") == std::string::npos;
  }
  return true;  // it has ended
}

// A release that is reading when a signal ends it, if it is caught in time. SIGQUIT writes a core
// like SIGSEGV, which sanitizers take for themselves.
TEST(AttackCrash, LeavesNoCoreAndNoNewFile) {
  const Program program;
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_CORE, &limit), 0);
  const rlimit former = limit;
  limit.rlim_cur = limit.rlim_max;
  ASSERT_EQ(::setrlimit(RLIMIT_CORE, &limit), 0);
  ASSERT_EQ(program.run({"budget", "create", "--schema", "people.toml", "--rho", "100"}).exit_code, 0);
  std::string rows = "sex,plan,age\n";
  for (int i = 0; i < 300'000; ++i) rows += "f,basic,31\n";
  program.write("people.csv", rows);
  const auto before = program.files();
  int ended_by_signal = 0;
  for (int milliseconds = 0; milliseconds < 40; milliseconds += 3) {
    Running running = program.start(Program::release_words({"--rho", "0.1"}), "crash");
    // Before its first lines it holds nothing of anybody.
    for (int i = 0; i < 1000 && !writes_no_core(running.process()); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    running.signal(SIGQUIT);
    ended_by_signal += running.wait() == -1 ? 1 : 0;
  }
  EXPECT_EQ(::setrlimit(RLIMIT_CORE, &former), 0);
  EXPECT_GT(ended_by_signal, 0);
  EXPECT_EQ(program.files(), before);
}

TEST(AttackCreation, AKilledOneLeavesNoDraft) {
  const Program program;
  const auto before = program.files();
  for (int i = 0; i < 30; ++i) {
    Running running = program.start({"budget", "create", "--schema", "people.toml", "--rho", "1"}, "create");
    std::this_thread::sleep_for(std::chrono::microseconds(300 * i));
    running.kill();
    (void)running.wait();
    EXPECT_EQ(program.files(), before) << i;
    const std::filesystem::path keys = testing::ScratchFolder::keys();
    if (std::filesystem::exists(keys)) {
      for (const auto& file : std::filesystem::directory_iterator(keys)) {
        const std::string name = file.path().filename().string();
        EXPECT_FALSE(name.starts_with(".")) << name;
      }
    }
    // Whole or not at all; never damaged.
    const Ended shown = program.run({"budget", "show", "--schema", "people.toml"});
    EXPECT_TRUE(shown.exit_code == 0 || shown.err.starts_with("NotFound")) << shown.err;
    std::filesystem::remove(program.path("people.ledger"));
    std::filesystem::remove_all(keys);
  }
}

}  // namespace
}  // namespace tacet::test
