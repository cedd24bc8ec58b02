#include "tacet/exact/secure_bits.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/promise.h"

namespace tacet::exact::secure_bits_test {
namespace {

using Words = std::vector<std::uint64_t>;

Words draw(SecureBits& bits, std::size_t count) {
  Words words(count);
  for (std::uint64_t& word : words) word = bits.word();
  return words;
}

/// Runs `work` in a child made by fork(2) itself and returns the words it wrote; empty if the child
/// failed.
template <class Work>
Words in_child(std::size_t count, Work work) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const Words words = work();
    const auto bytes = static_cast<ssize_t>(words.size() * sizeof(std::uint64_t));
    const bool written = write(ends[1], words.data(), words.size() * sizeof(std::uint64_t)) == bytes;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  Words words(count);
  auto* at = reinterpret_cast<char*>(words.data());
  std::size_t left = count * sizeof(std::uint64_t);
  while (left > 0) {
    const ssize_t got = read(ends[0], at, left);
    if (got <= 0) break;
    at += got;
    left -= static_cast<std::size_t>(got);
  }
  close(ends[0]);
  int status = 0;
  const bool fine = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return fine && left == 0 ? words : Words{};
}

/// N uniform words hold a repetition with probability at most N^2/2^65.
void expect_no_repetition(const std::vector<Words>& samples, const char* name) {
  std::set<std::uint64_t> seen;
  std::size_t total = 0;
  for (const Words& words : samples) {
    EXPECT_FALSE(words.empty());
    total += words.size();
    seen.insert(words.begin(), words.end());
  }
  test::declare_false_alarm(name, static_cast<double>(total) * static_cast<double>(total) * 0x1p-65);
  EXPECT_EQ(seen.size(), total);
}

bool no_entropy(void*, std::size_t) { return false; }

int entropy_calls = 0;
bool entropy_once(void* bytes, std::size_t size) { return entropy_calls++ == 0 && SecureBits::os_entropy(bytes, size); }

TEST(SecureBits, WithoutEntropyDoNotOpen) {
  const auto bits = SecureBits::open(no_entropy);
  ASSERT_FALSE(bits.ok());
  EXPECT_EQ(bits.error().code(), Code::EntropyUnavailable);
}

TEST(SecureBits, NeedEntropyOnceAndThenRunOnTheirOwnKeys) {
  entropy_calls = 0;
  const auto bits = SecureBits::open(entropy_once);
  ASSERT_TRUE(bits.ok());
  (void)draw(**bits, 5000);
  EXPECT_EQ(entropy_calls, 1);
}

TEST(SecureBits, ThrowInAForkedChildThatGetsNoEntropy) {
  entropy_calls = 0;
  const auto bits = *SecureBits::open(entropy_once);
  (void)bits->word();
  const Words child = in_child(1, [&] {
    try {
      (void)bits->word();
    } catch (const EntropyFailure&) {
      return Words{42};
    }
    return Words{0};
  });
  EXPECT_EQ(child, Words{42});
  (void)bits->word();  // the parent goes on
}

TEST(SecureBits, OfParentChildrenAndGrandchildNeverRepeat) {
  constexpr std::size_t kCount = 1200;  // more than two buffers
  const auto bits = *SecureBits::open();
  std::vector<Words> samples{draw(*bits, 7)};  // the children inherit a half-read buffer
  for (int i = 0; i < 3; ++i) samples.push_back(in_child(kCount, [&] { return draw(*bits, kCount); }));
  samples.push_back(in_child(2 * kCount, [&] {
    Words both = draw(*bits, kCount);
    const Words grandchild = in_child(kCount, [&] { return draw(*bits, kCount); });
    both.insert(both.end(), grandchild.begin(), grandchild.end());
    return both;
  }));
  // A child that draws nothing before it forks in turn.
  samples.push_back(in_child(kCount, [&] { return in_child(kCount, [&] { return draw(*bits, kCount); }); }));
  samples.push_back(draw(*bits, kCount));
  expect_no_repetition(samples, "SecureBits.OfParentChildrenAndGrandchildNeverRepeat");
}

TEST(SecureBits, OfTwoObjectsDifferAndNoWordRepeats) {
  const auto a = *SecureBits::open(), b = *SecureBits::open();
  expect_no_repetition({draw(*a, 20'000), draw(*b, 20'000)}, "SecureBits.OfTwoObjectsDifferAndNoWordRepeats");
}

TEST(SecureBits, CountTheirWords) {
  const auto bits = *SecureBits::open();
  (void)draw(*bits, 1000);
  EXPECT_EQ(bits->words_used(), 1000U);
}

TEST(SecureBits, EveryBitIsFairAndFlipsHalfTheTime) {
  // 64 bits alone, and 64 flips from a word to the next: any of them off by 0.01 is overlooked with
  // probability below 1e-9.
  constexpr double kFalseAlarm = 2e-11;
  const std::uint64_t n = test::draws_to_tell(0.5, 0.5 + 0.01 * test::coarseness(), 128, kFalseAlarm, 1e-9);
  test::declare_false_alarm("SecureBits.EveryBitIsFairAndFlipsHalfTheTime", kFalseAlarm);
  const auto bits = *SecureBits::open();
  std::vector<test::Event> events;
  events.reserve(128);
  for (int bit = 0; bit < 64; ++bit) events.push_back({"bit " + std::to_string(bit), 0.5});
  for (int bit = 0; bit < 64; ++bit) events.push_back({"flip of bit " + std::to_string(bit), 0.5});
  std::uint64_t before = bits->word();
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t word = bits->word(), flips = word ^ before;
    before = word;
    for (std::size_t bit = 0; bit < 64; ++bit) {
      events[bit].count += word >> bit & 1;
      events[64 + bit].count += flips >> bit & 1;
    }
  }
  const test::Verdict verdict = judge(events, n, kFalseAlarm);
  EXPECT_FALSE(verdict.red) << verdict.worst;
}

/// The pages of this process that the kernel wipes in a forked child, from /proc/self/smaps
/// (VmFlags: wf).
std::vector<Words> pages_wiped_on_fork(bool& kept_out_of_dumps) {
  std::ifstream maps("/proc/self/smaps");
  std::vector<Words> pages;
  std::string line;
  std::uintptr_t from = 0, to = 0;
  kept_out_of_dumps = true;
  while (std::getline(maps, line)) {
    const std::size_t dash = line.find('-');
    if (dash != std::string::npos && line.find(':') > line.find(' ') && std::isxdigit(static_cast<unsigned char>(line[0])) != 0) {
      from = std::stoull(line.substr(0, dash), nullptr, 16);
      to = std::stoull(line.substr(dash + 1), nullptr, 16);
    }
    if (line.rfind("VmFlags:", 0) != 0 || line.find(" wf") == std::string::npos) continue;
    kept_out_of_dumps = kept_out_of_dumps && line.find(" dd") != std::string::npos;
    Words words((to - from) / sizeof(std::uint64_t));
    std::memcpy(words.data(), reinterpret_cast<const void*>(from),
                to - from);  // NOLINT(performance-no-int-to-ptr): an address the kernel printed
    pages.push_back(std::move(words));
  }
  return pages;
}

TEST(SecureBits, AreWipedFromTheirPageAsTheyAreRead) {
  const auto bits = *SecureBits::open();
  Words hidden = draw(*bits, 100);
  bool kept_out_of_dumps = false;
  const std::vector<Words> pages = pages_wiped_on_fork(kept_out_of_dumps);
  ASSERT_FALSE(pages.empty()) << "no page of this process is wiped on fork";
  EXPECT_TRUE(kept_out_of_dumps);
  test::declare_false_alarm("SecureBits.AreWipedFromTheirPageAsTheyAreRead",
                            0x1p-40);  // some other word of the page equals one of the hundred, or is zero
  std::size_t unread = 0;
  for (const Words& page : pages) {
    for (const std::uint64_t word : page) {
      EXPECT_EQ(std::count(hidden.begin(), hidden.end(), word), 0);
      unread += word != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(unread, 400U);  // the page looked at is the right one: the unread words are in it
  const Words next = draw(*bits, 1);
  std::size_t found = 0;
  for (const Words& page : pages) found += static_cast<std::size_t>(std::count(page.begin(), page.end(), next[0]));
  EXPECT_EQ(found, 1U);
}

TEST(SecureBits, LeaveNothingInThePageOfAForkedChild) {
  const auto bits = *SecureBits::open();
  (void)bits->word();
  const Words child = in_child(1, [&] {
    bool kept_out_of_dumps = false;
    const std::vector<Words> pages = pages_wiped_on_fork(kept_out_of_dumps);
    if (pages.empty()) return Words{2};
    for (const Words& page : pages) {
      if (std::any_of(page.begin(), page.end(), [](std::uint64_t word) { return word != 0; })) return Words{1};
    }
    return Words{7};
  });
  EXPECT_EQ(child, Words{7});
}

}  // namespace
}  // namespace tacet::exact::secure_bits_test
