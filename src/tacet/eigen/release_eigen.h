// tacet/eigen/release_eigen.h: second moments meet randomness by their eigenvalues and eigenvectors (the mechanism ED), in floating point.
//
// For figures whose last d(d+1)/2 in each stretch are sums of x_j x_k over people (BoxSensitivity::outer_products), under a pure epsilon:
//
//   EigenPlan plan = *plan_eigen(box, weights, loss);                                        // before charging: can it be done at all?
//   Idealised<NoisyEigen> out = *release_eigen(std::move(moments), plan, std::move(grant), bits);
//   out.value().figures.value(7);                                                            // in its own unit, as all figures
//
// The only release that is not exact, and a room of its own: the kernel neither links it nor rests on it. Built without it
// (cmake -DTACET_EIGEN=OFF), both functions say so.
//
// Let m_j^2 be the bound of x_j^2, so that z_j = x_j/(m_j sqrt d) is a vector of length at most 1, and C_1 the sum of zz'. Each of d equal
// parts e of epsilon pays for one step: one for all eigenvalues of C_1, with Laplace noise of scale c/e; and one for each of the directions
// v_1, ..., v_(d-1), the i-th drawn with density exp((e/c) u'C_i u) among those orthogonal to the ones before it, with C_i = P_i C_1 P_i'
// (eigen/bingham.h). The last direction is then fixed, and free. Published: sum_i lambda_i v_i v_i', times d m_j m_k. c is 2 where a
// person is replaced, and 1 where one comes or goes, or d = 1. What stands before the products in a stretch (a count, sums) gets exact Laplace noise.
// Theorem  a neighbour's C_1 differs by zz' - yy', or by zz'. By Mirsky (1960) the eigenvalues move by at most its nuclear norm, c, in sum. In
//          any subspace u'C_i u moves by a number from an interval of length c, whatever u is: by f(u)/f'(u) = exp(s g(u))/E' exp(s g), a
//          density exp(s u'Cu) moves by a factor of at most exp(s c) (so s = e/2 is enough where the print has e/4). Steps are composed
//          adaptively: Dwork et al. (2006). All holds for moments about a public centre alone: about the mean of the data, as printed in
//          Dunsche, Kutta & Dette (2022), Algorithm 5, one person moves the eigenvalues by up to 4 (d = 1) and more, where 2 is allowed.
// Domain   1 to 64 columns; a pure loss, or mu or rho by the epsilon that implies them; epsilon for the products at least d^2 2^-30.
// Error    idealised: proven in real arithmetic. The noise of the eigenvalues is exact, and their rounding is paid for; the eigenvalues
//          themselves, and the directions, are computed and drawn in double precision (off by about n d 10^-16 and 10^-16 in units of what
//          one person may change), and the products are rounded to a public grid afterwards. kWhyIdealised says so in the release file.
// Cost     d symmetric eigenproblems for each stretch, of sizes d, d, d-1, ..., 2, and as many products of d x d matrices: 7 to 30 times
//          the time of one of size d, for 1 to 64 columns; 2 us for 2, 50 us for 10, 10 ms for 64 (bench/eigen_bench.cc).
// Timing   varies with the draws and, through rejected proposals, with the data; see docs/explanation/threats.md.
// Checked  tests/eigen/release_eigen_test.cc, tests/eigen/eigen_audit_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/base/wide.h"
#include "tacet/exact/random_bits.h"
#include "tacet/kernel/grant.h"
#include "tacet/kernel/release.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::eigen {

inline constexpr const char* kWhyIdealised =
    "the eigenvalues are computed, and the directions of the eigenvectors computed and drawn, in double precision; the guarantee is proven "
    "for real arithmetic";

struct EigenPlan {
  kernel::NumbersPlan figures;     // of a product: its scale is the eigenvalues' own, in units of the product
  std::size_t columns;             // d
  std::size_t stretch;             // figures in a stretch: before the products, and the products
  double epsilon;                  // for the products of one stretch; a d-th of it for each step
  double eigenvalue_scale;         // of C_1
  double concentration;            // e/c: a direction has density exp(concentration u'Cu)
  std::vector<double> half_width;  // m_j, stretch by stretch
};

/// `weights`: one for each figure before the products, and one for all products; greater than 0. Each gets that part of epsilon.
Result<EigenPlan> plan_eigen(const kernel::BoxSensitivity& box, const std::vector<double>& weights, const privacy::Loss& loss);

struct NoisyEigen {
  kernel::NoisyNumbers figures;  // all figures, in the order of the box
  EigenPlan plan;
  std::vector<double> eigenvalues;  // noisy, of C_1, stretch by stretch, in the order of their directions
};

/// A value that has left, with a guarantee that is proven in real arithmetic alone. Made by release_eigen only.
template <class T>
class Idealised {
 public:
  const T& value() const { return value_; }

 private:
  friend Result<Idealised<NoisyEigen>> release_eigen(kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity>&&, const EigenPlan&,
                                                     kernel::Grant&&, exact::RandomBits&);
  explicit Idealised(T value) : value_(std::move(value)) {}
  T value_;
};

/// Fails before drawing if the grant is spent or does not pay for this noise (decided in exact rationals, as if all that follows were real
/// arithmetic), and with EntropyUnavailable if `bits` fails; never because of what the moments are.
Result<Idealised<NoisyEigen>> release_eigen(kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity>&& statistic,
                                            const EigenPlan& plan, kernel::Grant&& grant, exact::RandomBits& bits);

}  // namespace tacet::eigen
