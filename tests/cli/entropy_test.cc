// The program on a system that gives no random bits: an error where it needs them, and never a
// signal.
#include <cerrno>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.h"

namespace tacet::test {
namespace {

using ::testing::HasSubstr;

constexpr int kInternal = 5;  // the exit code for EntropyUnavailable, see docs/reference/errors.md

class WithoutEntropy : public ::testing::TestWithParam<int> {
 protected:
  Ended run(const std::vector<std::string>& words) const {
    std::vector<std::string> command = {TACET_WITHOUT_ENTROPY, std::to_string(GetParam()), TACET_PROGRAM};
    command.insert(command.end(), words.begin(), words.end());
    return program_.run_command(std::move(command));
  }
  Ended run_with_entropy(const std::vector<std::string>& words) const { return program_.run(words); }
  bool has(const std::string& name) const { return program_.has(name); }

 private:
  Program program_;
};

const std::vector<std::string> kBudget = {"--ledger", "people.ledger", "--dataset", "people"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_P(WithoutEntropy, NoLedgerIsMadeAndTheReasonIsTold) {
  const Ended ended = run(with({"budget", "create", "--rho", "1"}, kBudget));
  EXPECT_EQ(ended.exit_code, kInternal) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("EntropyUnavailable: the operating system gave no random bits"));
  EXPECT_THAT(ended.err, HasSubstr("nothing was spent"));
  EXPECT_FALSE(has("people.ledger"));
}

TEST_P(WithoutEntropy, NoValueIsRandomizedAndTheReasonIsTold) {
  const Ended ended = run({"randomize", "exp", "--value", "a", "--categories", "a,b", "--epsilon", "1"});
  EXPECT_EQ(ended.exit_code, kInternal) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("EntropyUnavailable: the operating system gave no random bits"));
  EXPECT_EQ(ended.out, "");
}

TEST_P(WithoutEntropy, ALedgerIsStillReadAndChecked) {
  ASSERT_EQ(run_with_entropy(with({"budget", "create", "--rho", "1"}, kBudget)).exit_code, 0);
  const Ended shown = run(with({"budget", "show"}, kBudget));
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("Remaining: rho 1"));
  EXPECT_EQ(run(with({"budget", "history"}, kBudget)).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Denied, WithoutEntropy, ::testing::Values(ENOSYS, EIO, EPERM));

}  // namespace
}  // namespace tacet::test
