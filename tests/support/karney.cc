#include "support/karney.h"

#include <cmath>
#include <vector>

#include <gmpxx.h>

namespace tacet::test {
namespace {

/// Cuts words into 32-bit digits and single bits; what is left of a word at the end of a draw is
/// thrown away.
class Digits {
 public:
  explicit Digits(exact::RandomBits& bits) : bits_(bits) {}
  std::uint32_t digit() {
    if (half_) {
      half_ = false;
      return static_cast<std::uint32_t>(word_ >> 32);
    }
    word_ = bits_.word();
    half_ = true;
    return static_cast<std::uint32_t>(word_);
  }
  /// Uniform on 0, ..., n - 1: a digit below the greatest multiple of n that 2^32 holds, reduced
  /// modulo n.
  std::uint32_t below(std::uint32_t n) {
    const std::uint64_t limit = (std::uint64_t{1} << 32) / n * n;
    std::uint32_t d = digit();
    while (d >= limit) d = digit();
    return d % n;
  }

 private:
  exact::RandomBits& bits_;
  std::uint64_t word_ = 0;
  bool half_ = false;
};

/// A uniform deviate in (0, 1) of which only the digits asked for exist.
class Uniform {
 public:
  std::uint32_t digit(std::size_t i, Digits& source) {
    while (count_ <= i) {
      const std::uint32_t d = source.digit();
      if (count_ < kInPlace) {
        first_[count_] = d;
      } else {
        rest_.push_back(d);
      }
      ++count_;
    }
    return i < kInPlace ? first_[i] : rest_[i - kInPlace];
  }
  /// Two independent deviates differ in some digit with probability one.
  bool less(Uniform& other, Digits& source) {
    for (std::size_t i = 0;; ++i) {
      const std::uint32_t mine = digit(i, source), theirs = other.digit(i, source);
      if (mine != theirs) return mine < theirs;
    }
  }
  std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t kInPlace = 4;
  std::uint32_t first_[kInPlace] = {};
  std::vector<std::uint32_t> rest_;
  std::size_t count_ = 0;
};

/// True with probability exp(-x p), where `coin` falls heads with probability p, independently each
/// time it is thrown. The run x > z_1 > z_2 > ... > z_n with n heads has probability (x p)^n / n!,
/// so P[the run ends at an even n] = sum (-x p)^n / n!.
template <class Coin>
bool exp_minus(Uniform& x, Coin coin, Digits& source) {
  Uniform previous, z;
  Uniform* last = &x;
  for (bool even = true;; even = !even) {
    z = Uniform();
    if (!z.less(*last, source) || !coin()) return even;
    previous = std::move(z);
    last = &previous;
  }
}

/// True with probability exp(-1/2): exp(-x p) at x = 1/2, where z < 1/2 reads off the first bit of
/// z.
bool half_exp(Digits& source) {
  Uniform z;
  if (z.digit(0, source) >= 0x80000000U) return true;  // a run of length 0
  return !exp_minus(z, [] { return true; }, source);   // the rest of the run, one longer
}

/// Algorithm B: exp(-x (2k + x)/(2k + 2)). The coin: i uniform below 2k + 2; r = (i + r')/(2k + 2)
/// is below (2k + x)/(2k + 2) if i < 2k, or if i = 2k and r' < x.
bool algorithm_b(std::uint32_t k, Uniform& x, Digits& source) {
  return exp_minus(
      x,
      [&] {
        const std::uint32_t i = source.below(2 * k + 2);
        if (i != 2 * k) return i < 2 * k;
        Uniform r;
        return r.less(x, source);
      },
      source);
}

/// round(scale (k + x)), ties of probability zero: digits of x until the interval of what x can
/// still be rounds to one integer.
Int128 round_scaled(std::uint64_t significand, int exponent, std::uint32_t k, Uniform& x, Digits& source) {
  // With d digits, scale (k + x) is in [t, t + significand) / 2^shift for t = significand (k 2^32d
  // + digits), shift = 32 d - exponent.
  UInt128 digits = k;
  for (std::size_t d = 1; d <= 2; ++d) {
    digits = digits << 32 | x.digit(d - 1, source);
    const int shift = static_cast<int>(32 * d) - exponent;
    if (shift < 1 || shift > 120 || k >= 64) break;
    const UInt128 half = UInt128{1} << (shift - 1), t = significand * digits;
    const UInt128 low = (t + half) >> shift, high = (t + significand - 1 + half) >> shift;
    if (low == high) return static_cast<Int128>(low);
  }
  for (std::size_t d = 1;; ++d) {
    mpz_class t = k;
    for (std::size_t i = 0; i < d; ++i) t = t * 4294967296 + x.digit(i, source);
    t *= mpz_class(static_cast<unsigned long>(significand));
    const long shift = static_cast<long>(32 * d) - exponent;
    if (shift < 1) continue;
    mpz_class half = 1, low, high;
    half <<= static_cast<mp_bitcnt_t>(shift - 1);
    low = t + half;
    high = low + mpz_class(static_cast<unsigned long>(significand)) - 1;
    low >>= static_cast<mp_bitcnt_t>(shift);
    high >>= static_cast<mp_bitcnt_t>(shift);
    if (low != high) continue;
    mpz_class top = low >> 62;
    const mpz_class bottom = low - (top << 62);
    return static_cast<Int128>(top.get_ui()) << 62 | static_cast<Int128>(bottom.get_ui());
  }
}

void split(double scale, std::uint64_t& significand, int& exponent) {
  int e = 0;
  significand = static_cast<std::uint64_t>(std::ldexp(std::frexp(scale, &e), 53));
  exponent = e - 53;
}

Int128 with_sign(Int128 magnitude, Digits& source) { return (source.digit() & 1) != 0 ? -magnitude : magnitude; }

}  // namespace

KarneyGaussian::KarneyGaussian(double scale) : significand_(0), exponent_(0) { split(scale, significand_, exponent_); }

/// Algorithm N. k has weight exp(-k/2) exp(-k (k - 1)/2) = exp(-k^2/2), and x then exp(-x (2k +
/// x)/2): together exp(-(k + x)^2/2).
Int128 KarneyGaussian::draw(exact::RandomBits& bits) const {
  Digits source(bits);
  for (;;) {
    std::uint32_t k = 0;
    while (half_exp(source)) ++k;
    bool accepted = true;
    for (std::uint64_t i = 0; accepted && i < std::uint64_t{k} * (k == 0 ? 0 : k - 1); ++i) accepted = half_exp(source);
    if (!accepted) continue;
    Uniform x;
    for (std::uint32_t i = 0; accepted && i <= k; ++i) accepted = algorithm_b(k, x, source);
    if (!accepted) continue;
    return with_sign(round_scaled(significand_, exponent_, k, x, source), source);
  }
}

VonNeumannLaplace::VonNeumannLaplace(double scale) : significand_(0), exponent_(0) { split(scale, significand_, exponent_); }

/// x is accepted with probability exp(-x), and k counts the refusals, each of probability 1 -
/// integral of exp(-x) = 1/e: density exp(-(k + x)).
Int128 VonNeumannLaplace::draw(exact::RandomBits& bits) const {
  Digits source(bits);
  for (std::uint32_t k = 0;; ++k) {
    Uniform x;
    if (!exp_minus(x, [] { return true; }, source)) continue;
    return with_sign(round_scaled(significand_, exponent_, k, x, source), source);
  }
}

}  // namespace tacet::test
