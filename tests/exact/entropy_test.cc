#include "tacet/exact/entropy.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <set>

#include <gtest/gtest.h>

#include "tacet/exact/secure_bits.h"

#include "support/denied_entropy.h"
#include "support/promise.h"

namespace tacet::exact {
namespace {

/// The exit code of `work` in a child to which the system gives no random bits; -1 for a signal, 99 where that cannot be arranged.
template <class Work>
int without_entropy(Work work) {
  const pid_t child = fork();
  if (child == 0) _exit(test::deny_entropy(ENOSYS) ? work() : 99);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 99;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool is_unavailable(const Error& error) { return error.code() == Code::EntropyUnavailable; }

TEST(Entropy, HasNoFallback) {
  EXPECT_EQ(without_entropy([] {
              unsigned char bytes[16];
              const Status drawn = draw_entropy(bytes, sizeof bytes);
              const auto name = random_hex(16);
              const auto bits = SecureBits::open();
              return !drawn && is_unavailable(drawn.error()) && !name && is_unavailable(name.error()) && !bits &&
                             is_unavailable(bits.error())
                         ? 0
                         : 1;
            }),
            0);
}

TEST(Entropy, IsNotNeededToStartSodium) {
  EXPECT_EQ(without_entropy([] { return start_sodium().ok() ? 0 : 1; }), 0);
}

TEST(Entropy, MakesNamesOfHexadecimalDigitsThatDiffer) {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) names.insert(*random_hex(16));
  test::declare_false_alarm("Entropy.MakesNamesOfHexadecimalDigitsThatDiffer", 1e6 * 0x1p-128);
  EXPECT_EQ(names.size(), 1000U);
  for (const std::string& name : names) {
    EXPECT_EQ(name.size(), 32U);
    EXPECT_EQ(name.find_first_not_of("0123456789abcdef"), std::string::npos) << name;
  }
  EXPECT_EQ(*random_hex(0), "");
}

}  // namespace
}  // namespace tacet::exact
