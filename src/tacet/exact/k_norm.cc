#include "tacet/exact/k_norm.h"

#include <optional>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/exact/bernoulli_exp.h"
#include "tacet/exact/uniform.h"

namespace tacet::exact {
namespace {

constexpr int kLargestLog2 = 100;           // of s
constexpr std::uint64_t kCoordinates = 32;  // per unit of s: acceptance >= exp(-16)

mpz_class power(const mpz_class& base, std::size_t exponent) {
  mpz_class result;
  mpz_pow_ui(result.get_mpz_t(), base.get_mpz_t(), exponent);
  return result;
}

/// The part of the shell of radius r >= 1 that the uniform number u selects.
struct Face {
  UInt128 radius;
  std::size_t first;  // the first coordinate of size r
};

/// Accepts r with probability N(r) / (2^d d (r+1)...(r+d-1)) and chooses the face. N(r) is the
/// number of integer vectors whose largest coordinate has size r.
std::optional<Face> face_at(UInt128 radius, std::size_t d, RandomBits& bits) {
  const mpz_class r = to_big(radius);
  mpz_class bound = power(2, d) * d;
  for (std::size_t i = 1; i < d; ++i) bound *= r + i;
  mpz_class u = uniform_below(bound, bits);
  if (radius == 0) {
    if (u != 0) return std::nullopt;
    return Face{0, 0};
  }
  const mpz_class outer = 2 * r + 1;
  const mpz_class inner = 2 * r - 1;
  mpz_class points = 2 * power(outer, d - 1);  // points whose first coordinate has size r
  for (std::size_t first = 0; first < d; ++first) {
    if (u < points) return Face{radius, first};
    u -= points;
    points *= inner;
    mpz_divexact(points.get_mpz_t(), points.get_mpz_t(), outer.get_mpz_t());
  }
  return std::nullopt;  // u >= N(r)
}

/// Uniform on -most, ..., most.
Int128 uniform_within(UInt128 most, RandomBits& bits) {
  return static_cast<Int128>(uniform_below(2 * most + 1, bits)) - static_cast<Int128>(most);
}

}  // namespace

Result<KNormNoise> KNormNoise::of(std::size_t coordinates, UInt128 numerator, std::uint64_t denominator) {
  if (coordinates < 1 || coordinates > kMostCoordinates) {
    return Error::invalid("coordinates", fmt::format("{}", coordinates), fmt::format("must be 1 to {}", kMostCoordinates),
                          "release them in several vectors");
  }
  const mpz_class p = to_big(numerator);
  const mpz_class q = to_big(denominator);
  if (denominator == 0 || 2 * p < q || kCoordinates * p < coordinates * q || p > (q << kLargestLog2) || numerator > (UInt128{1} << 112U)) {
    return Error::invalid(
        "noise scale", fmt::format("{}/{}", p.get_str(), denominator),
        "must lie between 1/2 and 2^100, with a numerator of at most 2^112, and be at least a part in 32 of the number of coordinates",
        "measure in smaller or larger units");
  }
  return KNormNoise(coordinates, numerator, denominator);
}

UInt128 KNormNoise::geometric(RandomBits& bits) const {
  // For s = p/q, u + p v is geometric with ratio exp(-1/p): u < p has weight exp(-u/p), v has
  // exp(-v). Its quotient by q has ratio exp(-q/p). P[more than 128 bits] <= exp(-65536).
  UInt128 u = 0;
  do {
    u = uniform_below(numerator_, bits);
  } while (!bernoulli_exp_minus(u, numerator_, bits));
  UInt128 x = u;
  while (bernoulli_exp_minus(1, 1, bits)) x += numerator_;
  return denominator_ == 1 ? x : x / denominator_;
}

std::vector<Int128> KNormNoise::draw(RandomBits& bits) const {
  std::optional<Face> face;
  while (!face) {
    UInt128 radius = 0;
    for (std::size_t j = 0; j < coordinates_; ++j) radius += geometric(bits);
    face = face_at(radius, coordinates_, bits);
  }
  std::vector<Int128> z(coordinates_, 0);
  if (face->radius == 0) return z;
  for (std::size_t j = 0; j < face->first; ++j) z[j] = uniform_within(face->radius - 1, bits);
  const auto size = static_cast<Int128>(face->radius);
  z[face->first] = uniform_below(std::uint64_t{2}, bits) == 0 ? size : -size;
  for (std::size_t j = face->first + 1; j < coordinates_; ++j) z[j] = uniform_within(face->radius, bits);
  return z;
}

}  // namespace tacet::exact
