#include "tacet/numeric/insecure_stream.h"

#include <algorithm>
#include <cmath>

#include "tacet/numeric/vector_math.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tacet::numeric {
namespace {

constexpr std::uint64_t kFirst = 0xD2511F53;
constexpr std::uint64_t kSecond = 0xCD9E8D57;
constexpr std::uint32_t kFirstStep = 0x9E3779B9;
constexpr std::uint32_t kSecondStep = 0xBB67AE85;
constexpr int kRounds = 10;

/// Blocks per pass; their words are stored lower halves first.
constexpr std::size_t kBlocks = 8;
constexpr std::size_t kWords = 2 * kBlocks;
/// Words per pass of the kernels below.
constexpr std::size_t kPass = 256;

std::uint64_t join(std::uint32_t low, std::uint32_t high) { return low | (static_cast<std::uint64_t>(high) << 32); }

void portable_words(std::uint64_t seed, std::uint64_t index, std::uint64_t block, std::size_t passes, std::uint64_t* out) {
  for (std::size_t pass = 0; pass < passes; ++pass, block += kBlocks, out += kWords) {
    for (std::size_t i = 0; i < kBlocks; ++i) {
      const std::uint64_t at = block + i;
      const auto four = philox({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at >> 32), static_cast<std::uint32_t>(index),
                                static_cast<std::uint32_t>(index >> 32)},
                               {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
      out[i] = join(four[0], four[1]);
      out[kBlocks + i] = join(four[2], four[3]);
    }
  }
}

#if defined(__x86_64__)
/// Four blocks. Each 32-bit word is in the lower half of 64 bits.
struct Group {
  __m256i a, b, c, d;
};

/// Two groups side by side hide the latency.
__attribute__((target("avx2"))) void avx2_words(std::uint64_t seed, std::uint64_t index, std::uint64_t block, std::size_t passes,
                                                std::uint64_t* out) {
  const __m256i mask = _mm256_set1_epi64x(0xFFFFFFFF);
  const __m256i first = _mm256_set1_epi64x(static_cast<long long>(kFirst));
  const __m256i second = _mm256_set1_epi64x(static_cast<long long>(kSecond));
  for (std::size_t pass = 0; pass < passes; ++pass, block += kBlocks, out += kWords) {
    std::array<Group, 2> groups;
    for (std::size_t group = 0; group < 2; ++group) {
      const std::uint64_t from = block + 4 * group;
      const __m256i at = _mm256_add_epi64(_mm256_set1_epi64x(static_cast<long long>(from)), _mm256_set_epi64x(3, 2, 1, 0));
      groups[group] = {_mm256_and_si256(at, mask), _mm256_srli_epi64(at, 32),
                       _mm256_set1_epi64x(static_cast<long long>(index & 0xFFFFFFFF)),
                       _mm256_set1_epi64x(static_cast<long long>(index >> 32))};
    }
    auto key0 = static_cast<std::uint32_t>(seed);
    auto key1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < kRounds; ++round) {
      const __m256i k0 = _mm256_set1_epi64x(key0);
      const __m256i k1 = _mm256_set1_epi64x(key1);
      for (Group& x : groups) {
        const __m256i p0 = _mm256_mul_epu32(x.a, first);
        const __m256i p1 = _mm256_mul_epu32(x.c, second);
        // Only lower halves are multiplied, so the upper halves need not be cleared.
        x = {_mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), x.b), k0), p1,
             _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), x.d), k1), p0};
      }
      key0 += kFirstStep;
      key1 += kSecondStep;
    }
    for (std::size_t group = 0; group < 2; ++group) {
      const Group& x = groups[group];
      const __m256i low = _mm256_or_si256(_mm256_and_si256(x.a, mask), _mm256_slli_epi64(x.b, 32));
      const __m256i high = _mm256_or_si256(_mm256_and_si256(x.c, mask), _mm256_slli_epi64(x.d, 32));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 4 * group), low);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + kBlocks + 4 * group), high);
    }
  }
}

/// Eight blocks at a time; successive passes hide the latency.
__attribute__((target("avx512f"))) void avx512_words(std::uint64_t seed, std::uint64_t index, std::uint64_t block, std::size_t passes,
                                                     std::uint64_t* out) {
  constexpr int kXorOfThree = 0x96;
  constexpr __mmask8 kAll = 0xFF;  // g++ 12 warns about the header of the forms without a mask
  const __m512i mask = _mm512_set1_epi64(0xFFFFFFFF);
  const __m512i first = _mm512_set1_epi64(static_cast<long long>(kFirst));
  const __m512i second = _mm512_set1_epi64(static_cast<long long>(kSecond));
  for (std::size_t pass = 0; pass < passes; ++pass, block += kBlocks, out += kWords) {
    const __m512i at = _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(block)), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    __m512i a = _mm512_maskz_and_epi64(kAll, at, mask);
    __m512i b = _mm512_maskz_srli_epi64(kAll, at, 32);
    __m512i c = _mm512_set1_epi64(static_cast<long long>(index & 0xFFFFFFFF));
    __m512i d = _mm512_set1_epi64(static_cast<long long>(index >> 32));
    auto key0 = static_cast<std::uint32_t>(seed);
    auto key1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < kRounds; ++round) {
      const __m512i p0 = _mm512_maskz_mul_epu32(kAll, a, first);
      const __m512i p1 = _mm512_maskz_mul_epu32(kAll, c, second);
      a = _mm512_ternarylogic_epi64(_mm512_maskz_srli_epi64(kAll, p1, 32), b, _mm512_set1_epi64(key0), kXorOfThree);
      c = _mm512_ternarylogic_epi64(_mm512_maskz_srli_epi64(kAll, p0, 32), d, _mm512_set1_epi64(key1), kXorOfThree);
      b = p1;
      d = p0;
      key0 += kFirstStep;
      key1 += kSecondStep;
    }
    _mm512_storeu_si512(out, _mm512_or_si512(_mm512_maskz_and_epi64(kAll, a, mask), _mm512_maskz_slli_epi64(kAll, b, 32)));
    _mm512_storeu_si512(out + kBlocks, _mm512_or_si512(_mm512_maskz_and_epi64(kAll, c, mask), _mm512_maskz_slli_epi64(kAll, d, 32)));
  }
}
#endif

using Words = void (*)(std::uint64_t seed, std::uint64_t index, std::uint64_t block, std::size_t passes, std::uint64_t* out);

Words fastest_words() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") != 0) return avx512_words;
  if (__builtin_cpu_supports("avx2") != 0) return avx2_words;
#endif
  return portable_words;
}

Words words_by(StreamCode code) {
  static const Words fastest = fastest_words();
  switch (code) {
    case StreamCode::Fastest: return fastest;
#if defined(__x86_64__)
    case StreamCode::Avx2: return __builtin_cpu_supports("avx2") != 0 ? avx2_words : portable_words;
#else
    case StreamCode::Avx2:
#endif
    case StreamCode::Portable: break;
  }
  return portable_words;
}

TACET_VECTORISED void to_uniform(const std::uint64_t* words, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = unit_interval(words[i]);
}

TACET_VECTORISED void to_laplace(const std::uint64_t* words, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const double size = -branchless_log(unit_interval(words[i]));
    out[i] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) ^ (words[i] << 63));
  }
}

/// Pairs of words: radii from the first half, angles from the second.
TACET_VECTORISED void to_normal(const std::uint64_t* words, std::size_t pairs, double* out) {
  for (std::size_t i = 0; i < pairs; ++i) {
    const Point point = normal_pair(words[i], words[pairs + i]);
    out[i] = point.x;
    out[pairs + i] = point.y;
  }
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t p0 = kFirst * counter[0];
    const std::uint64_t p1 = kSecond * counter[2];
    counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += kFirstStep;
    key[1] += kSecondStep;
  }
  return counter;
}

InsecureStream::InsecureStream(std::uint64_t seed, std::uint64_t index, StreamCode code)
    : seed_(seed), index_(index), code_(words_by(code)), buffer_{} {}

void InsecureStream::refill() {
  fill_words(buffer_);
  used_ = 0;
}

double InsecureStream::uniform() { return unit_interval(word()); }

void InsecureStream::fill_words(std::span<std::uint64_t> words) {
  const std::size_t passes = words.size() / kWords;
  code_(seed_, index_, block_, passes, words.data());
  block_ += passes * kBlocks;
  const std::span<std::uint64_t> rest = words.subspan(passes * kWords);
  if (rest.empty()) return;
  std::array<std::uint64_t, kWords> last;
  code_(seed_, index_, block_, 1, last.data());
  block_ += kBlocks;
  std::copy_n(last.begin(), rest.size(), rest.begin());
}

void InsecureStream::fill_uniform(std::span<double> values) {
  std::array<std::uint64_t, kPass> words;
  for (std::size_t from = 0; from < values.size(); from += kPass) {
    const std::size_t count = std::min(kPass, values.size() - from);
    fill_words({words.data(), count});
    to_uniform(words.data(), count, values.data() + from);
  }
}

void InsecureStream::fill_laplace(std::span<double> values) {
  std::array<std::uint64_t, kPass> words;
  for (std::size_t from = 0; from < values.size(); from += kPass) {
    const std::size_t count = std::min(kPass, values.size() - from);
    fill_words({words.data(), count});
    to_laplace(words.data(), count, values.data() + from);
  }
}

void InsecureStream::fill_normal(std::span<double> values) {
  std::array<std::uint64_t, kPass> words;
  std::array<double, kPass> odd;
  for (std::size_t from = 0; from < values.size(); from += kPass) {
    const std::size_t count = std::min(kPass, values.size() - from);
    const std::size_t pairs = (count + 1) / 2;
    fill_words({words.data(), 2 * pairs});
    if (2 * pairs == count) {
      to_normal(words.data(), pairs, values.data() + from);
    } else {
      to_normal(words.data(), pairs, odd.data());
      std::copy_n(odd.begin(), count, values.data() + from);
    }
  }
}

double portable_log(double x) { return branchless_log(x); }

}  // namespace tacet::numeric
