// tacet/numeric/insecure_stream.h: fast, repeatable random numbers for simulation; not secret.
//
//   InsecureStream stream(/*seed=*/7, /*index=*/0);       // each index is an independent stream
//   std::vector<double> noise(256);
//   stream.fill_normal(noise);                            // standard normal
//
// Releases never use this; they use exact/secure_bits.h. Simulation after a release is
// post-processing and needs no secrecy. A simulation that gives each block of work the stream of
// its index has the same result for every number of threads.
// Source   Philox4x32-10: Salmon, Moraes, Dror & Shaw (2011). Normal: Box & Muller (1958), with 54
//          bits for the angle and 53 for the radius. Laplace: a sign and the logarithm of 53 bits.
// Theorem  Word j of a stream is a keyed bijection of (index, j), so streams of one seed do not
//          overlap.
// Domain   2^64 seeds, 2^64 streams of 2^65 words each.
// Error    each value is the ideal function of its uniform bits, to 4 ulp of its radius. Tail
//          probabilities are off by less than 2^-52: normals end at 8.6 and Laplace values at 37.
//          The bits are the same with AVX2, AVX-512 or neither, and on every machine with IEEE
//          doubles.
// Cost     with AVX-512: a word 0.9 ns, a normal 2 ns, a Laplace value 2 ns; with AVX2 half as
//          much again (bench/simulation_bench.cc). No allocation.
// Checked  tests/numeric/insecure_stream_test.cc: the authors' known answers, the distributions
//          with their tails, portable code against AVX2 and AVX-512.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tacet::numeric {

/// Philox4x32-10 itself: four 32-bit words from a counter of four and a key of two.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// The code that computes the words; all agree on every bit. Without AVX2, Avx2 means Portable.
enum class StreamCode : std::uint8_t { Fastest, Avx2, Portable };

class InsecureStream {
 public:
  InsecureStream(std::uint64_t seed, std::uint64_t index, StreamCode code = StreamCode::Fastest);

  /// 64 random bits.
  std::uint64_t word() {
    if (used_ == kBuffered) refill();
    return buffer_[used_++];
  }
  /// Uniform on the odd multiples of 2^-53 in (0, 1).
  double uniform();

  void fill_words(std::span<std::uint64_t> words);
  void fill_uniform(std::span<double> values);
  /// Standard normal.
  void fill_normal(std::span<double> values);
  /// Density exp(-|x|)/2.
  void fill_laplace(std::span<double> values);

 private:
  static constexpr std::size_t kBuffered = 64;
  void refill();

  std::uint64_t seed_, index_, block_ = 0;
  void (*code_)(std::uint64_t seed, std::uint64_t index, std::uint64_t block, std::size_t passes, std::uint64_t* out);
  std::size_t used_ = kBuffered;
  std::array<std::uint64_t, kBuffered> buffer_;
};

/// The natural logarithm of a positive normal double.
/// Theorem  Tang's reduction with the polynomial of fdlibm (Sun Microsystems, 1993).
/// Domain   2^-1022 to the largest double.      Error  1 ulp.
/// Cost     2 ns; callers vectorise it.
/// Checked  tests/numeric/insecure_stream_test.cc, against the C library.
double portable_log(double x);

}  // namespace tacet::numeric
