#include "tacet/data/moment_sums.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#define TACET_HAS_AVX2 1
#endif

namespace tacet::data {
namespace {

// Products of one column with up to four others are added up in one go: the first is then loaded once.
constexpr std::size_t kTogether = 4;
using Four = std::array<std::int64_t, kTogether>;

std::int64_t portable_sum(const std::int32_t* a, std::size_t rows) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < rows; ++i) sum += a[i];
  return sum;
}

std::int64_t portable_dot(const std::int32_t* a, const std::int32_t* b, std::size_t rows) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < rows; ++i) sum += std::int64_t{a[i]} * b[i];
  return sum;
}

#ifdef TACET_HAS_AVX2
__attribute__((target("avx2"))) std::int64_t horizontal(__m256i lanes) {
  alignas(32) std::array<std::int64_t, 4> parts;  // NOLINT(cppcoreguidelines-pro-type-member-init): stored next
  _mm256_store_si256(reinterpret_cast<__m256i*>(parts.data()), lanes);
  return parts[0] + parts[1] + parts[2] + parts[3];
}

__attribute__((target("avx2"))) std::int64_t avx2_sum(const std::int32_t* a, std::size_t rows) {
  __m256i sum = _mm256_setzero_si256();
  std::size_t i = 0;
  for (; i + 4 <= rows; i += 4)
    sum = _mm256_add_epi64(sum, _mm256_cvtepi32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a + i))));
  return horizontal(sum) + portable_sum(a + i, rows - i);
}

// vpmuldq multiplies the lower 32 bits of each 64-bit lane: first the even values, then, moved down, the odd ones.
template <std::size_t N>
__attribute__((target("avx2"))) void avx2_dots(const std::int32_t* a, const std::int32_t* const* b, std::size_t rows, Four& out) {
  __m256i even[N];  // std::array would drop the vectors' alignment from the type, with a warning
  __m256i odd[N];
  for (std::size_t n = 0; n < N; ++n) even[n] = odd[n] = _mm256_setzero_si256();
  std::size_t i = 0;
  for (; i + 8 <= rows; i += 8) {
    const __m256i a_even = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i));
    const __m256i a_odd = _mm256_srli_epi64(a_even, 32);
    for (std::size_t n = 0; n < N; ++n) {
      const __m256i b_even = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b[n] + i));
      even[n] = _mm256_add_epi64(even[n], _mm256_mul_epi32(a_even, b_even));
      odd[n] = _mm256_add_epi64(odd[n], _mm256_mul_epi32(a_odd, _mm256_srli_epi64(b_even, 32)));
    }
  }
  for (std::size_t n = 0; n < N; ++n) out[n] = horizontal(_mm256_add_epi64(even[n], odd[n])) + portable_dot(a + i, b[n] + i, rows - i);
}
#endif

std::int64_t sum_of(const std::int32_t* a, std::size_t rows, Instructions instructions) {
#ifdef TACET_HAS_AVX2
  if (instructions == Instructions::Avx2) return avx2_sum(a, rows);
#else
  static_cast<void>(instructions);
#endif
  return portable_sum(a, rows);
}

void dots_of(const std::int32_t* a, const std::int32_t* const* b, std::size_t many, std::size_t rows, Instructions instructions,
             Four& out) {
#ifdef TACET_HAS_AVX2
  if (instructions == Instructions::Avx2) {
    switch (many) {
      case 1: avx2_dots<1>(a, b, rows, out); return;
      case 2: avx2_dots<2>(a, b, rows, out); return;
      case 3: avx2_dots<3>(a, b, rows, out); return;
      default: avx2_dots<4>(a, b, rows, out); return;
    }
  }
#else
  static_cast<void>(instructions);
#endif
  for (std::size_t n = 0; n < many; ++n) out[n] = portable_dot(a, b[n], rows);
}

}  // namespace

MomentSums::MomentSums(const MomentShape& shape, Instructions instructions)
    : shape_(shape),
      instructions_(instructions),
      totals_{std::vector<std::int64_t>(shape.groups, 0), std::vector<Int128>(shape.groups * shape.width(), 0)} {
  if (shape.groups > 1 && shape.columns > 0) {
    ends_.resize(shape.groups);
    order_.resize(kStretch);
    ordered_.resize(shape.columns * kStretch);
    parts_.resize(shape.columns);
  }
}

void MomentSums::add_stretch(const std::int32_t* const* columns, std::size_t group, std::size_t rows) {
  totals_.rows[group] += static_cast<std::int64_t>(rows);
  Int128* const totals = totals_.figures.data() + group * shape_.width();
  for (std::size_t j = 0; j < shape_.columns; ++j) totals[j] += sum_of(columns[j], rows, instructions_);
  if (!shape_.products) return;
  Four dots{};
  for (std::size_t j = 0; j < shape_.columns; ++j) {
    for (std::size_t k = j; k < shape_.columns; k += kTogether) {
      const std::size_t many = std::min(kTogether, shape_.columns - k);
      dots_of(columns[j], columns + k, many, rows, instructions_, dots);
      for (std::size_t n = 0; n < many; ++n) totals[shape_.product(j, k + n)] += dots[n];
    }
  }
}

void MomentSums::add(const std::vector<const std::int32_t*>& columns, const std::uint32_t* codes, std::size_t rows) {
  if (codes == nullptr || shape_.groups == 1) {
    add_stretch(columns.data(), 0, rows);
    return;
  }
  if (shape_.columns == 0) {
    for (std::size_t i = 0; i < rows; ++i) ++totals_.rows[codes[i]];
    return;
  }
  // A counting sort by group, after which each group's rows are a stretch of their own.
  std::fill(ends_.begin(), ends_.end(), 0U);
  for (std::size_t i = 0; i < rows; ++i) ++ends_[codes[i]];
  std::uint32_t begin = 0;
  for (std::uint32_t& end : ends_) begin += std::exchange(end, begin);
  for (std::size_t i = 0; i < rows; ++i) order_[ends_[codes[i]]++] = static_cast<std::uint32_t>(i);
  for (std::size_t j = 0; j < shape_.columns; ++j) {
    std::int32_t* const to = ordered_.data() + j * kStretch;
    for (std::size_t i = 0; i < rows; ++i) to[i] = columns[j][order_[i]];
  }
  begin = 0;
  for (std::size_t group = 0; group < shape_.groups; ++group) {
    const std::uint32_t end = ends_[group];
    if (end == begin) continue;
    for (std::size_t j = 0; j < shape_.columns; ++j) parts_[j] = ordered_.data() + j * kStretch + begin;
    add_stretch(parts_.data(), group, end - begin);
    begin = end;
  }
}

void MomentSums::merge(const MomentSums& other) {
  const auto add_to = [](auto& mine, const auto& theirs) {
    std::transform(mine.begin(), mine.end(), theirs.begin(), mine.begin(), std::plus<>());
  };
  add_to(totals_.rows, other.totals_.rows);
  add_to(totals_.figures, other.totals_.figures);
}

}  // namespace tacet::data
