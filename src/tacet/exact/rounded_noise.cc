#include "tacet/exact/rounded_noise.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/enclosures.h"
#include "tacet/exact/uniform.h"

// The deviate v >= 0, to be multiplied by `unit` and given a sign, has a density proportional to
// f. Strip i holds v = i + u, 0 <= u < 1, where f(v) <= 2^-i. It is chosen with probability
// 2^-(i+1), (u, y) is uniform in the unit square, and is accepted if y < g(v) = 2^i f(v); this
// gives the density f (docs/explanation/exact_noise.md). Digits of u and y are drawn on demand.

namespace tacet::exact {
namespace {

constexpr unsigned kTableStrips = 13;  // later strips (probability 2^-13) use big integers
constexpr unsigned kCellBits = 6;
constexpr unsigned kCells = 1U << kCellBits;
constexpr unsigned kHeightBits = 8;
constexpr unsigned kNodeBits = 62;

// A chord over 1/64 errs by at most |g''| (1/64)^2/8 <= 2^-14, as |g''| <= 2
// (tests/exact/rounded_noise_test.cc). 2^-20 covers the roundings, each below 2^-40.
constexpr std::uint64_t kChordSlack = (std::uint64_t{1} << (kNodeBits - 14)) + (std::uint64_t{1} << (kNodeBits - 20));

enum class Shape : std::uint8_t { Laplace, Gaussian };

/// Bounds on g(v) for v = numerator / 2^shift in strip `strip`, in units of 2^-precision.
Enclosure curve_bounds(Shape shape, unsigned long strip, const mpz_class& numerator, unsigned long shift, unsigned long precision) {
  const unsigned long inner = precision + strip;  // exp(-t) in these units is g in 2^-precision
  return shape == Shape::Laplace ? exp_minus_bounds(numerator, shift, inner)
                                 : exp_minus_bounds(25 * numerator * numerator, 2 * shift + 5, inner);
}

}  // namespace

/// Tables of the fast path: the heights certainly under or over g in each cell, and g at its ends.
class StripTable {
 public:
  explicit StripTable(Shape shape) : shape_(shape) {
    for (unsigned strip = 0; strip < kTableStrips; ++strip) {
      for (unsigned node = 0; node <= kCells; ++node) {
        const mpz_class v = mpz_class(strip) * kCells + node;
        const Enclosure bounds = curve_bounds(shape, strip, v, kCellBits, kNodeBits);
        nodes_[strip][node] = bounds.lower.get_ui();
        // Heights are multiples of 2^-8: h + 1 <= lower on the right, h >= upper on the left.
        const unsigned long surely_under = bounds.lower.get_ui() >> (kNodeBits - kHeightBits);
        const mpz_class surely_over = (bounds.upper + ((mpz_class(1) << (kNodeBits - kHeightBits)) - 1)) >> (kNodeBits - kHeightBits);
        if (node > 0) under_[strip][node - 1] = static_cast<std::uint16_t>(surely_under);
        if (node < kCells) over_[strip][node] = static_cast<std::uint16_t>(surely_over.get_ui());
      }
    }
  }

  Int128 draw(const Dyadic& unit, RandomBits& bits) const;

 private:
  Shape shape_;
  std::array<std::array<std::uint16_t, kCells>, kTableStrips> under_{};
  std::array<std::array<std::uint16_t, kCells>, kTableStrips> over_{};
  std::array<std::array<std::uint64_t, kCells + 1>, kTableStrips> nodes_{};
};

namespace {

/// A number in [0, 1) of which `length` binary digits are known.
struct Expansion {
  mpz_class digits;
  unsigned long length;

  void extend(RandomBits& bits) {
    digits = (digits << 64) + mpz_class(static_cast<unsigned long>(bits.word()));
    length += 64;
  }
};

/// Is y < g(strip + u)? Draws more digits of both until their intervals decide.
bool lies_under(Shape shape, unsigned long strip, Expansion& u, Expansion& y, RandomBits& bits) {
  for (;;) {
    const unsigned long precision = y.length + 8;
    const mpz_class left = (mpz_class(strip) << u.length) + u.digits;
    // g decreases, so its least value over the interval of u is at the right end.
    const mpz_class least = curve_bounds(shape, strip, left + 1, u.length, precision).lower;
    if (((y.digits + 1) << 8) <= least) return true;
    const mpz_class greatest = curve_bounds(shape, strip, left, u.length, precision).upper;
    if ((y.digits << 8) >= greatest) return false;
    u.extend(bits);
    y.extend(bits);
  }
}

/// round(unit (strip + u)); draws as many more digits of u as it needs.
Int128 round_slowly(const Dyadic& unit, unsigned long strip, Expansion u, RandomBits& bits) {
  for (;; u.extend(bits)) {
    const long shift = static_cast<long>(u.length) - unit.exponent;
    if (shift < 1) continue;
    const auto shift_bits = static_cast<unsigned long>(shift);
    const mpz_class significand = mpz_class(static_cast<unsigned long>(unit.significand));
    const mpz_class least = significand * ((mpz_class(strip) << u.length) + u.digits) + (mpz_class(1) << (shift_bits - 1));
    const mpz_class rounded = least >> shift_bits;
    if (rounded != (least + significand - 1) >> shift_bits) continue;
    if (mpz_sizeinbase(rounded.get_mpz_t(), 2) > 126) std::abort();  // strip > 2^60
    return static_cast<Int128>(from_big(rounded));
  }
}

/// round(unit (strip + u)), if u has few enough known digits for 128-bit products.
Int128 round_quickly(const Dyadic& unit, unsigned strip, std::uint64_t u, unsigned length, RandomBits& bits) {
  const int shift = static_cast<int>(length) - unit.exponent;
  // significand < 2^56, strip + u < 2^58 units of its last digit: the product is below 2^114.
  const UInt128 least = UInt128{unit.significand} * ((std::uint64_t{strip} << length) | u);
  if (shift > 120) return 0;  // the value is below 2^(114 - 120) < 1/2
  if (shift >= 1) [[likely]] {
    const UInt128 half = UInt128{1} << (shift - 1);
    const UInt128 rounded = (least + half) >> shift;
    if (rounded == (least + unit.significand - 1 + half) >> shift) [[likely]]
      return static_cast<Int128>(rounded);
  }
  return round_slowly(unit, strip, {mpz_class(static_cast<unsigned long>(u)), length}, bits);
}

Int128 with_sign(bool negative, Int128 magnitude) { return negative ? -magnitude : magnitude; }

Result<Dyadic> noise_scale(double value) {
  constexpr double kLargest = 0x1p60;
  if (!(value > 0) || value > kLargest) {
    return Error::invalid("noise scale", fmt::format("{}", value), "must be greater than 0 and at most 2^60 grid units");
  }
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // fraction in [1/2, 1)
  return Dyadic{static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53};
}

}  // namespace

// A word holds, from its top: zeros and a one (the strip), the sign, 6 digits of u (the cell), 8
// digits of y, and more digits of u. Digits that decided acceptance stay digits of the deviate.
Int128 StripTable::draw(const Dyadic& unit, RandomBits& bits) const {
  for (;;) {
    std::uint64_t word = bits.word();
    auto strip = static_cast<unsigned>(std::countl_zero(word));
    if (strip >= kTableStrips) [[unlikely]] {
      unsigned long far_strip = strip;
      while (word == 0) {
        word = bits.word();
        far_strip += static_cast<unsigned long>(std::countl_zero(word));
      }
      const bool negative = (bits.word() >> 63) != 0;
      Expansion u{0, 0};
      Expansion y{0, 0};
      u.extend(bits);
      y.extend(bits);
      if (!lies_under(shape_, far_strip, u, y, bits)) continue;
      return with_sign(negative, round_slowly(unit, far_strip, u, bits));
    }
    std::uint64_t rest = word << (strip + 1);
    const bool negative = (rest >> 63) != 0;
    const auto cell = static_cast<unsigned>(rest >> (63 - kCellBits)) & (kCells - 1);
    const auto height = static_cast<unsigned>(rest >> (63 - kCellBits - kHeightBits)) & ((1U << kHeightBits) - 1);
    // The digits of u inside its cell, from the top.
    const std::uint64_t fraction = rest << (1 + kCellBits + kHeightBits);
    const unsigned fraction_length = 63 - strip - 1 - kCellBits - kHeightBits;
    const std::uint64_t u = (std::uint64_t{cell} << fraction_length) | (fraction >> (64 - fraction_length));
    const unsigned u_length = kCellBits + fraction_length;

    if (height >= over_[strip][cell]) continue;
    if (height >= under_[strip][cell]) [[unlikely]] {
      const std::uint64_t more = bits.word();
      const std::uint64_t y = (std::uint64_t{height} << (kNodeBits - kHeightBits)) | (more >> (64 - kNodeBits + kHeightBits));
      const std::uint64_t from = nodes_[strip][cell];
      const std::uint64_t fall = from - nodes_[strip][cell + 1];
      const std::uint64_t chord = from - static_cast<std::uint64_t>((UInt128{fall} * fraction) >> 64);
      if (y > chord + kChordSlack) continue;
      if (y + kChordSlack >= chord) [[unlikely]] {
        Expansion long_u{mpz_class(static_cast<unsigned long>(u)), u_length};
        Expansion long_y{(mpz_class(height) << 64) + mpz_class(static_cast<unsigned long>(more)), kHeightBits + 64};
        if (!lies_under(shape_, strip, long_u, long_y, bits)) continue;
        return with_sign(negative, round_slowly(unit, strip, long_u, bits));
      }
    }
    return with_sign(negative, round_quickly(unit, strip, u, u_length, bits));
  }
}

Result<RoundedNoise> RoundedNoise::gaussian(double scale) {
  TACET_TRY(const Dyadic dyadic, noise_scale(scale));
  // The width w = 5/4 is the least w with few digits such that exp(-(w i)^2/2) <= 2^-i for all i.
  static const StripTable table(Shape::Gaussian);
  return RoundedNoise({5 * dyadic.significand, dyadic.exponent - 2}, table);
}

Result<RoundedNoise> RoundedNoise::laplace(double scale) {
  TACET_TRY(const Dyadic dyadic, noise_scale(scale));
  static const StripTable table(Shape::Laplace);
  return RoundedNoise(dyadic, table);
}

Int128 RoundedNoise::draw(RandomBits& bits) const { return table_->draw(unit_, bits); }

}  // namespace tacet::exact
