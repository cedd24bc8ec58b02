// K-norm noise against the clock: microseconds and random words per draw, by dimension and scale.
//
//   k_norm_bench [seconds for each line]
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "tacet/exact/k_norm.h"
#include "tacet/exact/secure_bits.h"

#include "measure.h"

namespace {

volatile std::int64_t sink;  // NOLINT: results must not be optimised away

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::strtod(words[1], nullptr) : 0.3;
  auto opened = tacet::exact::SecureBits::open();
  if (!opened.ok()) return 1;
  const std::unique_ptr<tacet::exact::SecureBits> bits = *std::move(opened);
  fmt::print("{:>11}  {:>8}  {:>12}  {:>10}\n", "coordinates", "scale", "microseconds", "words");
  for (const std::size_t d : {1, 4, 16, 64, 256}) {
    for (const unsigned log2 : {4U, 10U, 20U, 30U, 60U, 80U}) {
      const auto noise = tacet::exact::KNormNoise::of(d, tacet::UInt128{1} << log2, 1);
      if (!noise.ok()) return 1;
      const double from = tacet::bench::processor_seconds();
      const std::uint64_t before = bits->words_used();
      std::uint64_t draws = 0;
      for (; draws < 10 || tacet::bench::processor_seconds() - from < seconds; ++draws)
        sink = static_cast<std::int64_t>(noise->draw(*bits).front());
      const double each = 1.0 / static_cast<double>(draws);
      fmt::print("{:>11}  {:>8}  {:>12.2f}  {:>10.1f}\n", d, fmt::format("2^{}", log2),
                 1e6 * (tacet::bench::processor_seconds() - from) * each, static_cast<double>(bits->words_used() - before) * each);
    }
  }
  return 0;
}
