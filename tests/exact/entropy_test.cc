#include "tacet/exact/entropy.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include <gtest/gtest.h>

#include "tacet/exact/secure_bits.h"

#include "support/denied_entropy.h"

namespace tacet::exact::entropy_test {
namespace {

/// The exit code of `work` in a child to which the system gives no random bits; -1 for a signal, 99
/// where that cannot be arranged.
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
              const auto bits = SecureBits::open();
              return !drawn && is_unavailable(drawn.error()) && !bits && is_unavailable(bits.error()) ? 0 : 1;
            }),
            0);
}

TEST(Entropy, IsNotNeededToStartSodium) {
  EXPECT_EQ(without_entropy([] { return start_sodium().ok() ? 0 : 1; }), 0);
}

}  // namespace
}  // namespace tacet::exact::entropy_test
