// Rounded noise on replayed bits: scripts worked by hand, and a referee that recomputes from the
// words, with MPFR and exact rationals, what a draw must be.
//
// The words of a draw (docs/explanation/exact_noise.md). First word, from its top bit: zeros and a
// one (the strip i), the sign, 6 digits of u, 8 digits of y, then further digits of u to the end,
// 54 - i of them altogether. If the 8 digits of y do not settle y < g over the cell of u, a second
// word holds 64 more digits of y; after that u and y take a word each until it is settled. Rounding
// takes more words of u until it is settled. From strip 13 on: a word whose top bit is the sign, a
// word of u, a word of y, and so on. The referee knows this layout and the curve g(v) = 2^i exp(-v)
// or 2^i exp(-(25/32) v^2), and shares no code with the sampler.
#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gmpxx.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include "tacet/exact/rounded_noise.h"

#include "support/law.h"
#include "support/scripted_bits.h"

namespace tacet::exact::rounded_noise_replay_test {
namespace {

using test::Family;
using Words = std::vector<std::uint64_t>;

struct Replay {
  Int128 value;
  std::uint64_t words;
};

Replay replay(Family family, double scale, const Words& script) {
  test::ScriptedBits bits(script);
  const Int128 value = family == Family::Gaussian ? RoundedNoise::gaussian(scale)->draw(bits) : RoundedNoise::laplace(scale)->draw(bits);
  return {value, bits.words_used()};
}

// ---- worked by hand

constexpr std::uint64_t kOnes = ~std::uint64_t{0};

void expect_replay(Family family, double scale, const Words& script, std::int64_t value, std::uint64_t words) {
  const Replay seen = replay(family, scale, script);
  EXPECT_EQ(static_cast<std::int64_t>(seen.value), value);
  EXPECT_EQ(seen.words, words);
}

TEST(RoundedNoiseReplay, OneWordSettlesADrawWellUnderTheCurve) {
  // 1 | 0 | 100000 | 00000000 | 0...: strip 0, plus, u = 1/2, y < 1/256. Gaussian of scale 4: 5 u =
  // 2.5, the left end of what rounds to 3.
  expect_replay(Family::Gaussian, 4, {0xA000000000000000}, 3, 1);
  // The same with the sign bit set: |z| is rounded, then the sign is put on.
  expect_replay(Family::Gaussian, 4, {0xE000000000000000}, -3, 1);
  // 01 | 0 | 010000 | 00000000 | 0...: strip 1, u = 1/4. Laplace of scale 4: 4 (1 + 1/4) = 5.
  expect_replay(Family::Laplace, 4, {0x4800000000000000}, 5, 1);
  // Last digit before the half: 1 | 0 | 100000 less one in the last digit, so 5 u is in [2.5 -
  // 5/2^54, 2.5).
  expect_replay(Family::Gaussian, 4, {0x9F00FFFFFFFFFFFF}, 2, 1);
  // Minus zero is zero.
  expect_replay(Family::Laplace, 4, {0xC000000000000000}, 0, 1);
}

TEST(RoundedNoiseReplay, AHeightAboveTheCurveIsRefusedAndTheNextWordStartsAgain) {
  // 1 | 0 | 111111 | 11111111 | ...: exp(-63/64) = 0.37 < 255/256, refused. Then -0.
  expect_replay(Family::Laplace, 4, {0xBFFF000000000000, 0xC000000000000000}, 0, 2);
}

TEST(RoundedNoiseReplay, AnUndecidedHeightTakesASecondWord) {
  // 1 | 0 | 000000 | 11111111 | 0...: in cell 0 exp(-u) runs from 1 to 0.98, and 255/256 = 0.996 is
  // between. u = 0, and y = 255/256 + 0: accepted.
  expect_replay(Family::Laplace, 4, {0x80FF000000000000, 0}, 0, 2);
  // u = 1/64 - 2^-54: exp(-u) = 0.98450, y = 255/256 = 0.99609: refused after two words.
  expect_replay(Family::Laplace, 4, {0x80FFFFFFFFFFFFFF, 0, 0x4800000000000000}, 5, 3);
}

TEST(RoundedNoiseReplay, APointOnTheCurveTakesMoreDigitsOfBothCoordinates) {
  // u in [0, 2^-54), y in [1 - 2^-72, 1): exp(-u) may lie on either side. A word of zeros each: u <
  // 2^-118, y < 1 - 2^-72 + 2^-136: accepted.
  expect_replay(Family::Laplace, 4, {0x80FF000000000000, kOnes, 0, 0}, 0, 4);
  // With u's word all ones instead, u is in [2^-54 - 2^-118, 2^-54): exp(-u) < 1 - 2^-55 < y:
  // refused.
  expect_replay(Family::Laplace, 4, {0x80FF000000000000, kOnes, kOnes, 0, 0x4800000000000000}, 5, 5);
}

TEST(RoundedNoiseReplay, AnUndecidedRoundingTakesMoreDigitsOfTheDeviate) {
  // Gaussian of scale 1: 5/4 u = 1/2 at u = 2/5 = 0.011001|1001 1001 ...: cell 25 = 0x19, then
  // nines. The first 54 digits leave it open.
  expect_replay(Family::Gaussian, 1, {0x9900999999999999, 0}, 0, 2);
  expect_replay(Family::Gaussian, 1, {0x9900999999999999, kOnes}, 1, 2);
  // And so do the next 64.
  expect_replay(Family::Gaussian, 1, {0x9900999999999999, 0x9999999999999999, 0}, 0, 3);
  expect_replay(Family::Gaussian, 1, {0x9900999999999999, 0x9999999999999999, kOnes}, 1, 3);
}

TEST(RoundedNoiseReplay, StripsFromThirteenOnTakeWordsOfTheirOwn) {
  // Thirteen zeros and a one: strip 13. Sign, u = 0, y = 0 < (2/e)^13 = 0.018. Laplace of scale 4:
  // 52.
  expect_replay(Family::Laplace, 4, {std::uint64_t{1} << 50, 0, 0, 0}, 52, 4);
  expect_replay(Family::Laplace, 4, {std::uint64_t{1} << 50, kOnes, 0, 0}, -52, 4);
  // A word of zeros is 64 zeros, and the count goes on: strip 64, (2/e)^64 = 3e-9.
  expect_replay(Family::Laplace, 4, {0, std::uint64_t{1} << 63, 0, 0, 0}, 256, 5);
  expect_replay(Family::Laplace, 4, {0, 0, std::uint64_t{1} << 62, 0, 0, 0}, 4 * 129, 6);
  // The Gaussian at strip 13: 2^13 exp(-132.03) = 2^-177.5. y must begin with 177 zeros: three
  // words of y, and of u beside them.
  expect_replay(Family::Gaussian, 4, {std::uint64_t{1} << 50, 0, 0, 0, 0, 0, 0, 0}, 65, 8);
}

// ---- the referee

constexpr mpfr_prec_t kNear = 640, kFar = 4096;  // digits that hold the square of any deviate of a test

/// g at v = numerator/2^shift in strip i; `direction` rounds the exponential.
class Curve {
 public:
  Curve(Family family, mpfr_prec_t precision) : family_(family) { mpfr_inits2(precision, t_, value_, nullptr); }
  ~Curve() { mpfr_clears(t_, value_, nullptr); }
  Curve(const Curve&) = delete;
  Curve& operator=(const Curve&) = delete;

  mpfr_srcptr at(unsigned long strip, const mpz_class& numerator, unsigned long shift, mpfr_rnd_t direction) {
    const mpz_class t = family_ == Family::Laplace ? mpz_class(-numerator) : mpz_class(-25 * numerator * numerator);
    const long exponent = family_ == Family::Laplace ? -static_cast<long>(shift) : -2 * static_cast<long>(shift) - 5;
    if (mpfr_set_z_2exp(t_, t.get_mpz_t(), exponent, MPFR_RNDN) != 0) throw std::logic_error("the referee needs more precision");
    mpfr_exp(value_, t_, direction);
    mpfr_mul_2ui(value_, value_, strip, direction);
    return value_;
  }
  /// floor(g 2^places).
  mpz_class digits(unsigned long strip, const mpz_class& numerator, unsigned long shift, unsigned long places) {
    at(strip, numerator, shift, MPFR_RNDD);
    mpfr_mul_2ui(value_, value_, places, MPFR_RNDD);
    mpz_class result;
    mpfr_get_z(result.get_mpz_t(), value_, MPFR_RNDD);
    return result;
  }

 private:
  Family family_;
  mpfr_t t_, value_;
};

/// Binary digits known so far.
struct Digits {
  mpz_class value;
  unsigned long length;
  void append(std::uint64_t word) {
    value = (value << 64) + mpz_class(static_cast<unsigned long>(word));
    length += 64;
  }
};

mpz_class floor_of(const mpq_class& value) {
  mpz_class result;
  mpz_fdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}
mpz_class ceiling_of(const mpq_class& value) { return -floor_of(-value); }

Int128 to_int128(const mpz_class& value) {
  const mpz_class high = value >> 64;
  return static_cast<Int128>(static_cast<UInt128>(high.get_ui()) << 64 | value.get_ui());  // get_ui: the low word
}

class Referee {
 public:
  Referee(Family family, mpfr_prec_t precision) : family_(family), curve_(family, precision) {}

  /// What the draw must be. `close` is set when the first sufficient digits decide by so little
  /// that a sampler with coarser bounds may rightly ask for more.
  Replay draw(double scale, const Words& script, bool& close) {
    std::size_t next = 0;
    close = false;
    const auto word = [&] { return script.at(next++); };
    for (;;) {
      std::uint64_t first = word();
      unsigned long strip = static_cast<unsigned long>(std::countl_zero(first));
      bool negative = false;
      Digits u{0, 0}, y{0, 0};
      bool settled = false, accepted = false;
      if (strip >= 13) {
        while (first == 0) {
          first = word();
          strip += static_cast<unsigned long>(std::countl_zero(first));
        }
        negative = word() >> 63 != 0;
        u.append(word());
        y.append(word());
      } else {
        // Cut the word from its top: 1 sign, 6 + 8 digits, the rest.
        unsigned at = 64 - static_cast<unsigned>(strip) - 1;
        const auto cut = [&](unsigned count) {
          at -= count;
          return (first >> at) & ((std::uint64_t{1} << count) - 1);
        };
        negative = cut(1) != 0;
        const std::uint64_t cell = cut(6), height = cut(8);
        const unsigned rest = at;
        u = {mpz_class(static_cast<unsigned long>((cell << rest) | cut(rest))), 6 + rest};
        const mpz_class left = 64 * strip + cell;
        y = {mpz_class(static_cast<unsigned long>(height)), 8};
        if (mpfr_cmp_ui_2exp(curve_.at(strip, left + 1, 6, MPFR_RNDD), height + 1, -8) >= 0) settled = accepted = true;
        if (!settled && mpfr_cmp_ui_2exp(curve_.at(strip, left, 6, MPFR_RNDU), height, -8) <= 0) settled = true;
        if (!settled) y.append(word());
      }
      while (!settled) {
        const mpz_class v = (mpz_class(strip) << u.length) + u.value;
        const mpz_class least = curve_.digits(strip, v + 1, u.length, y.length), greatest = curve_.digits(strip, v, u.length, y.length);
        const mpz_class above = y.value - greatest, below = least - (y.value + 1);
        if (abs(above) <= 2 || abs(below) <= 2) close = true;
        if (below >= 0) settled = accepted = true;   // y + 1 <= floor(g 2^M) at the right end
        if (!settled && above >= 1) settled = true;  // y > floor(g 2^M) at the left end
        if (!settled) {
          u.append(word());
          y.append(word());
        }
      }
      if (!accepted) continue;
      for (;; u.append(word())) {
        const mpq_class unit = mpq_class(scale) * (family_ == Family::Gaussian ? mpq_class(5, 4) : mpq_class(1));
        mpq_class from((mpz_class(strip) << u.length) + u.value, mpz_class(1) << u.length),
            to((mpz_class(strip) << u.length) + u.value + 1, mpz_class(1) << u.length);
        from.canonicalize();
        to.canonicalize();
        // [from, to) rounds to one integer k when k - 1/2 <= unit from and unit to <= k + 1/2.
        const mpz_class k = floor_of(unit * from + mpq_class(1, 2));
        if (ceiling_of(unit * to + mpq_class(1, 2)) - 1 != k) continue;
        return {negative ? -to_int128(k) : to_int128(k), next};
      }
    }
  }

 private:
  Family family_;
  Curve curve_;
};

class RefereeTest : public ::testing::TestWithParam<Family> {
 protected:
  /// `script` is followed by random words, so that a refusal goes on to something.
  void compare(double scale, Words script) { compare(referee_, scale, std::move(script)); }
  void compare(Referee& referee, double scale, Words script) {
    while (script.size() < 80) script.push_back(stream_.next());
    bool close = false;
    const Replay must = referee.draw(scale, script, close);
    const Replay seen = replay(GetParam(), scale, script);
    ++compared_;
    if (close) {
      ++close_;
      return;
    }
    ASSERT_EQ(seen.value == must.value, true) << to_string(seen.value) << " instead of " << to_string(must.value) << " at scale " << scale
                                              << ", words " << std::hex << script[0] << " " << script[1] << " " << script[2];
    ASSERT_EQ(seen.words, must.words) << "at scale " << scale << ", words " << std::hex << script[0] << " " << script[1];
  }
  /// strip | sign | 54 - strip digits of u with 8 digits of y after the sixth.
  static std::uint64_t first_word(unsigned strip, bool negative, std::uint64_t u, std::uint64_t height) {
    const unsigned rest = 48 - strip;
    const std::uint64_t cell = u >> rest, fraction = u & ((std::uint64_t{1} << rest) - 1);
    return std::uint64_t{1} << (63 - strip) | std::uint64_t{negative} << (62 - strip) | cell << (56 - strip) | height << rest | fraction;
  }

  static constexpr double kScales[] = {0.3, 1, 4, 1e3, 1e9, 0x1p40 + 0.3, 0x1p60, 1e-300};
  Referee referee_{GetParam(), kNear};
  Curve curve_{GetParam(), kNear};
  test::InsecureStream stream_{test::suite_seed()};
  std::uint64_t compared_ = 0, close_ = 0;
};

TEST_P(RefereeTest, AgreesOnRandomWords) {
  const int n = static_cast<int>(40'000 / test::coarseness());
  for (int i = 0; i < n; ++i) {
    compare(kScales[i % 8], {});
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(close_, 0U);
}

TEST_P(RefereeTest, AgreesOnPointsNextToTheCurveInEveryCellOfTheTable) {
  // y at, and by less and more than every slack of the sampler off, the curve; in units of 2^-72.
  const long offsets[] = {0,
                          1,
                          5,
                          1L << 20,
                          1L << 29,
                          1L << 31,
                          1L << 40,
                          1L << 52,
                          1L << 56,
                          (1L << 58) - (1L << 50),
                          1L << 58,
                          (1L << 58) + (1L << 52),
                          (1L << 58) + (1L << 53),
                          1L << 60,
                          1L << 62};
  for (unsigned strip = 0; strip < 13; ++strip) {
    for (std::uint64_t cell = 0; cell < 64; ++cell) {
      const unsigned rest = 48 - strip;
      const std::uint64_t ones = (std::uint64_t{1} << rest) - 1;
      for (const std::uint64_t fraction : {std::uint64_t{0}, ones, stream_.next() & ones}) {
        const std::uint64_t u = (cell << rest) | fraction;
        const mpz_class on_curve =
            curve_.digits(strip, (mpz_class(strip) << (54 - strip)) + mpz_class(static_cast<unsigned long>(u)), 54 - strip, 72);
        for (const long offset : offsets) {
          for (const int sign : {-1, 1}) {
            mpz_class y = on_curve + sign * mpz_class(offset);
            if (y < 0 || y >= mpz_class(1) << 72) continue;
            const mpz_class high = y >> 64;
            compare(kScales[(cell + strip) % 8], {first_word(strip, sign > 0, u, high.get_ui()), y.get_ui()});
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
  EXPECT_LT(static_cast<double>(close_), 0.2 * static_cast<double>(compared_)) << "too many calls too close to compare";
}

TEST_P(RefereeTest, AgreesOnHeightsAroundTheBoundsOfEveryCell) {
  for (unsigned strip = 0; strip < 13; ++strip) {
    for (std::uint64_t cell = 0; cell < 64; ++cell) {
      for (const std::uint64_t node : {cell, cell + 1}) {
        const auto at = static_cast<long>(curve_.digits(strip, mpz_class(static_cast<unsigned long>(64 * strip + node)), 6, 8).get_ui());
        for (const long off : {-2, -1, 0, 1, 2}) {
          if (at + off < 0 || at + off > 255) continue;
          const std::uint64_t fraction = stream_.next() & ((std::uint64_t{1} << (48 - strip)) - 1);
          compare(1e9, {first_word(strip, false, (cell << (48 - strip)) | fraction, static_cast<std::uint64_t>(at + off))});
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_P(RefereeTest, AgreesOnDeviatesNextToAHalfInteger) {
  for (int i = 0; i < 4000; ++i) {
    const double scale = kScales[i % 7];
    const mpq_class unit = mpq_class(scale) * (GetParam() == Family::Gaussian ? mpq_class(5, 4) : mpq_class(1));
    const unsigned strip = static_cast<unsigned>(stream_.next() % 4);
    // The first half-integer at or above a random point of the strip, and the digits of v there.
    const mpq_class point = strip + mpq_class(static_cast<unsigned long>(stream_.next() >> 32), 4294967296UL);
    const mpq_class v = (ceiling_of(unit * point) + mpq_class(1, 2)) / unit;
    const unsigned length = 54 - strip;
    mpq_class digits = v - strip;
    mpq_mul_2exp(digits.get_mpq_t(), digits.get_mpq_t(), length + 64);
    const mpz_class all = floor_of(digits);
    const mpz_class head = all >> 64;
    if (head < 1 || head + 1 >= mpz_class(1) << length) continue;  // fell into another strip
    for (const long off : {-1, 0, 1}) {
      const std::uint64_t u = mpz_class(head + off).get_ui();
      for (const std::uint64_t more : {all.get_ui(), all.get_ui() - 1, all.get_ui() + 1, std::uint64_t{0}, kOnes}) {
        compare(scale, {first_word(strip, (i & 1) != 0, u, 0), more});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(RefereeTest, AgreesInTheFarStrips) {
  Referee far_referee(GetParam(), kFar);
  Curve far_curve(GetParam(), kFar);
  for (unsigned long strip = 13; strip < 64; ++strip) {
    for (int i = 0; i < 10; ++i) {
      const std::uint64_t last_one = std::uint64_t{1} << (63 - strip), u = stream_.next();
      Words script{last_one | (stream_.next() & (last_one - 1)), stream_.next(), u};
      // y at the curve, or zeros as far as acceptance takes (the Gaussian at strip 20 is 2^-431),
      // or anything.
      const std::uint64_t on_curve =
          far_curve.digits(strip, (mpz_class(strip) << 64) + mpz_class(static_cast<unsigned long>(u)), 64, 64).get_ui();
      script.push_back(i % 3 == 0 ? on_curve : i % 3 == 1 ? stream_.next() : 0);
      for (int more = 0; i % 3 == 2 && strip <= 20 && more < 10; ++more) {
        script.push_back(stream_.next());
        script.push_back(0);
      }
      compare(far_referee, kScales[i % 8], script);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RoundedNoise, RefereeTest, ::testing::Values(Family::Gaussian, Family::Laplace),
                         [](const auto& instance) { return instance.param == Family::Gaussian ? "Gaussian" : "Laplace"; });

TEST(StripCurve, LiesUnderOneAndBendsByAtMostTwo) {
  // Laplace: g = 2^i exp(-v) <= (2/e)^i <= 1 and g'' = g. Gaussian with c = 25/32: g'' = (4 c^2 v^2
  // - 2 c) g, and on [v, v + h] the first factor is largest in size at an end and g at v. Strips 0
  // to 12 are the table's; g <= 1 for all others because (25/32) i^2 >= i log 2 from i = 1 on.
  constexpr double kC = 25.0 / 32, kStep = 1.0 / 1024;
  for (int strip = 0; strip < 13; ++strip) {
    for (double v = strip; v < strip + 1; v += kStep) {
      const double g = std::ldexp(std::exp(-kC * v * v), strip);
      EXPECT_LE(g, 1);
      const auto factor = [](double x) { return std::fabs(4 * kC * kC * x * x - 2 * kC); };
      EXPECT_LT(std::max(factor(v), factor(v + kStep)) * g, 1.999) << v;
    }
  }
}

}  // namespace
}  // namespace tacet::exact::rounded_noise_replay_test
