// tacet/eigen/release_eigen.h: releases second moments by eigenvalues and eigenvectors (ED).
//
// For values whose last d(d+1)/2 in each stretch are sums of x_j x_k over people
// (BoxSensitivity::outer_products), under a pure epsilon:
//
//   EigenPlan plan = *plan_eigen(box, weights, loss);
//   Idealised<NoisyEigen> out = *release_eigen(std::move(moments), plan, std::move(grant), bits);
//   mechanisms::value_of(out.value().numbers, 7);                // in its own unit
//
// This is the only release that is not exact, because it uses floating point. It is a separate
// room: the kernel neither links it nor rests on it. Without it (cmake -DTACET_EIGEN=OFF) both
// functions return an error that says so.
//
// Each of d equal parts of epsilon pays for one step: Laplace noise on all eigenvalues, and a
// random direction for each eigenvector except the last (eigen/bingham.h). Counts and sums before
// the products of a stretch get exact Laplace noise.
// Theorem  Mirsky (1960) for the eigenvalues; the exponential mechanism for the directions;
//          adaptive composition, Dwork et al. (2006). It holds only for moments about a public
//          centre: about the mean of the data, as in Dunsche, Kutta & Dette (2022), Algorithm 5,
//          one person changes the eigenvalues by up to 4 (d = 1) and more, where 2 is allowed.
// Domain   1 to 64 columns; a pure loss, or mu or rho by the epsilon that implies them; epsilon
//          for the products at least d^2 2^-30.
// Error    idealised: proven in real arithmetic. The noise of the eigenvalues is exact, and their
//          rounding is paid for. Eigenvalues and directions are computed and drawn in double
//          precision (errors of about n d 10^-16 and 10^-16, in units of the change by one
//          person), and products are then rounded to a public grid. The release file contains
//          kWhyIdealised.
// Cost     per stretch d symmetric eigenproblems, of sizes d, d, d-1, ..., 2, and as many products
//          of d x d matrices: 2 us for 2 columns, 50 us for 10, 10 ms for 64, which is 7 to 30
//          times one eigenproblem of size d (bench/eigen_bench.cc).
// Timing   varies with the draws and, through rejected proposals, with the data; see
//          docs/explanation/threats.md.
// Checked  tests/eigen/release_eigen_test.cc, tests/eigen/eigen_audit_test.cc
// Derivation  docs/explanation/eigen_mechanism.md
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
  // The scale of a product is that of the eigenvalues, in units of the product.
  kernel::NumbersPlan numbers;
  std::size_t columns;             // d
  std::size_t stretch;             // values of a stretch: before the products, and the products
  double epsilon;                  // for the products of one stretch; each step gets 1/d of it
  double eigenvalue_scale;         // of C_1 in the derivation
  double concentration;            // e/c: the density of a direction is exp(concentration u'Cu)
  std::vector<double> half_width;  // m_j, stretch by stretch
};

/// `weights` > 0: one per value before the products, and one for all products. Each gets that part
/// of epsilon.
Result<EigenPlan> plan_eigen(const kernel::BoxSensitivity& box, const std::vector<double>& weights, const privacy::Loss& loss);

struct NoisyEigen {
  kernel::NoisyNumbers numbers;  // all values, in the order of the box
  EigenPlan plan;
  // Noisy eigenvalues of C_1, stretch by stretch, in the order of their directions.
  std::vector<double> eigenvalues;
};

/// A published value whose guarantee is proven in real arithmetic only. Only release_eigen makes
/// one.
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

/// Fails before drawing if the grant is spent or does not pay for this noise, decided in exact
/// rationals as if the rest were real arithmetic; EntropyUnavailable if `bits` fails. It never
/// fails because of the moments.
Result<Idealised<NoisyEigen>> release_eigen(kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity>&& statistic,
                                            const EigenPlan& plan, kernel::Grant&& grant, exact::RandomBits& bits);

}  // namespace tacet::eigen
