// tacet/numeric/insecure_stream.h: fast random numbers for simulation: repeatable on every machine, and no secret.
//
//   InsecureStream stream(/*seed=*/7, /*index=*/0);       // stream 0 of seed 7; every index is a stream of its own
//   stream.fill_normal(noise);                            // standard normal
//
// Releases never use this (exact/secure_bits.h serves them); simulation after a release is post-processing and needs no secrecy. A simulation
// that gives each block of its work the stream of the block's index has the same result for every number of threads.
// Theorem  Philox4x32-10 (Salmon, Moraes, Dror & Shaw, 2011): word j of a stream is a keyed bijection of (index, j), so that no two streams of
//          a seed overlap. Normal: Box & Muller (1958), the angle of 54 bits, the radius of 53. Laplace: a sign and the logarithm of 53 bits.
// Domain   2^64 seeds, 2^64 streams of 2^65 words each.
// Error    each value is the ideal function of its uniform bits to 4 ulp of its radius; tail probabilities are off by less than 2^-52, so that
//          normals end at 8.6 and Laplace values at 37. The bits are the same with AVX2, AVX-512 or neither, and on every machine with IEEE doubles.
// Cost     with AVX-512: a word 0.9 ns, a normal 2 ns, a Laplace value 2 ns; half as much again with AVX2 (bench/simulation_bench.cc). No allocation.
// Checked  tests/numeric/insecure_stream_test.cc: the authors' known answers, the laws with their tails, portable against AVX2 and AVX-512.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tacet::numeric {

/// Philox4x32-10 itself: four 32-bit words from a counter of four and a key of two.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// Which code computes the words; they agree on every bit. Avx2 is Portable where the processor has no AVX2.
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
/// Cost     2 ns; vectorised where it is used.  Checked  tests/numeric/insecure_stream_test.cc, against the C library.
double portable_log(double x);

}  // namespace tacet::numeric
