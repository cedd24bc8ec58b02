// tacet/eigen/bingham.h: random directions with density proportional to exp(-u'Au) on the sphere.
//
//   BinghamDirection bingham = *BinghamDirection::of({0, 1, 4});   // the eigenvalues of A
//   std::vector<double> u = bingham.draw(bits);   // |u| = 1, in the eigenbasis of A
//
// u and -u are equally likely. A Gaussian vector with covariance Omega^-1, Omega = I + 2A/b,
// proposes a direction in q dimensions. It is accepted with probability
//
//   exp(-u'Au) (u'Omega u)^(q/2) / M
//
// where b solves sum_i 1/(b + 2 a_i) = 1, log M = -(q - b)/2 + (q/2) log(q/b), and the least
// eigenvalue a_i is 0 (A + tI gives the same distribution as A).
// Theorem  Kent, Ganeiber & Mardia (2018), section 3: (u'Omega u)^(-q/2) is the density of the
//          proposal, and M is the maximum of the ratio. Dunsche, Kutta & Dette (2022), Algorithm 4
//          divides by the power where it must multiply. That is another distribution, which the
//          tests plant, and it accepts once in 10^25 at q = 30.
// Domain   1 to 4096 finite eigenvalues. Otherwise InvalidArgument, without their values: they may
//          come from people.
// Error    b and log M: a relative 10^-14. Draws use double precision and Gaussian deviates that
//          are exact to 2^-50. So the distribution is that of real arithmetic up to rounding;
//          nothing is proven about the last bits of u.
// Cost     q deviates per proposal (35 ns each); acceptance .97 to .16 for q = 2 to 30 and
//          a_i <= 1000.
// Timing   varies with the draw; see docs/explanation/threats.md.
// Checked  tests/eigen/bingham_test.cc: published values, the distribution of each coordinate by
//          quadrature, the misprint as a planted fault.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/exact/random_bits.h"
#include "tacet/exact/rounded_noise.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::eigen {

class BinghamDirection {
 public:
  /// In any order; the least eigenvalue is subtracted from all.
  static Result<BinghamDirection> of(std::vector<double> eigenvalues);

  std::size_t dimension() const { return a_.size(); }
  double b() const { return b_; }
  double log_bound() const { return log_bound_; }  // log M

  /// The two steps of a draw. `direction` has length 1.
  std::vector<double> propose(exact::RandomBits& bits) const;
  double log_acceptance(std::span<const double> direction) const;

  /// Throws EntropyFailure if `bits` does.
  std::vector<double> draw(exact::RandomBits& bits) const;
  /// A draw for simulation: not secret, with the normals of the stream.
  std::vector<double> simulate(numeric::InsecureStream& stream) const;

 private:
  BinghamDirection(std::vector<double> a, double b, exact::RoundedNoise gaussian);
  /// Makes a proposal of standard normal deviates; false if all of them are 0.
  bool turn_to_direction(std::vector<double>& deviates) const;

  std::vector<double> a_;  // least 0
  double b_;
  double log_bound_;
  exact::RoundedNoise gaussian_;
};

}  // namespace tacet::eigen
