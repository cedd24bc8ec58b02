#include "tacet/exact/uniform.h"

#include <cstdint>
#include <vector>

namespace tacet::exact {
namespace {

constexpr std::size_t kWordBits = 64;
constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

}  // namespace

UInt128 uniform_below(UInt128 n, RandomBits& bits) {
  const auto high = static_cast<std::uint64_t>((n - 1) >> kWordBits);
  if (high == 0 && n <= kAllBits) return uniform_below(static_cast<std::uint64_t>(n), bits);
  if (high == 0) return bits.word();  // n = 2^64
  const std::uint64_t mask = kAllBits >> static_cast<unsigned>(__builtin_clzll(high));
  for (;;) {
    const UInt128 top = bits.word() & mask;
    const UInt128 candidate = (top << kWordBits) | bits.word();
    if (candidate < n) return candidate;
  }
}

mpz_class uniform_below(const mpz_class& n, RandomBits& bits) {
  const mpz_class most = n - 1;
  if (most == 0) return 0;
  const std::size_t width = mpz_sizeinbase(most.get_mpz_t(), 2);
  std::vector<std::uint64_t> words((width + kWordBits - 1) / kWordBits);
  const std::uint64_t mask = kAllBits >> (words.size() * kWordBits - width);
  mpz_class candidate;
  do {
    for (std::uint64_t& word : words) word = bits.word();
    words.back() &= mask;
    mpz_import(candidate.get_mpz_t(), words.size(), /*order=*/-1, sizeof(std::uint64_t), /*endian=*/0, /*nails=*/0, words.data());
  } while (candidate > most);
  return candidate;
}

mpz_class to_big(UInt128 value) {
  mpz_class big(static_cast<unsigned long>(value >> kWordBits));
  big <<= kWordBits;
  big += static_cast<unsigned long>(value);
  return big;
}

UInt128 from_big(const mpz_class& value) {
  const mpz_class high = value >> kWordBits;
  return (UInt128{high.get_ui()} << kWordBits) | value.get_ui();  // get_ui: the lowest 64 bits
}

}  // namespace tacet::exact
