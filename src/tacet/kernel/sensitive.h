// tacet/kernel/sensitive.h: a value computed from people, which can be released but not read.
//
//   Sensitive<std::vector<std::int64_t>> table = std::move(counts);   // moved, never copied
// Sensitive<T> has no accessor, no comparison and no output. Vault makes it (vault.h, which only
// the data room includes), and release() adds noise for its sensitivity. The sensitivity is
// public: it follows from the schema. Counts have two norms (Sensitivity), sums and moments a
// bound per coordinate (BoxSensitivity), clipped vectors a Euclidean norm (NormSensitivity). A
// grant for another dataset does not open the value. The destructor wipes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not of C++

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tacet/base/wide.h"
#include "tacet/kernel/ledger/terms.h"
#include "tacet/kernel/relation.h"

namespace tacet::kernel {

/// Bounds on the change of an integer vector between any two neighbouring files. Exact integers.
struct Sensitivity {
  Relation relation;
  std::int64_t l1;          // sum of absolute changes
  std::int64_t l2_squared;  // sum of squared changes
};

inline constexpr std::size_t kMostColumns = 64;  // in one release of moments

/// |change of coordinate j| <= most[j] between neighbouring files. The vector has `groups` equal
/// stretches, and one person changes at most `touched` of them (1: parallel composition).
struct BoxSensitivity {
  Relation relation;
  std::vector<Int128> most;
  std::size_t groups = 1;
  std::size_t touched = 1;
  /// d: the last d(d+1)/2 values of each stretch are sums over people of x_j x_k for (0,0), (0,1),
  /// ..., (1,1), ..., and the bound of (j,j) is also one of x_j^2. 0: no such claim.
  std::size_t outer_products = 0;
  /// Not empty: the first value of each stretch is a count. If a person's row is replaced by
  /// another, it does not change; if one comes or goes, the others change by at most these.
  std::vector<Int128> alone{};
};

/// The sum of squared changes of all coordinates together is at most l2_squared.
struct NormSensitivity {
  Relation relation;
  Int128 l2_squared;
};

/// Overwrites values that are no longer needed; compilers cannot remove this.
template <class Number>
void wipe(std::vector<Number>& values) {
  if (!values.empty()) ::explicit_bzero(values.data(), values.size() * sizeof(Number));
  values.clear();
}

template <class T, class Bound = Sensitivity>
class Sensitive {
 public:
  Sensitive(Sensitive&&) noexcept = default;
  Sensitive& operator=(Sensitive&&) = delete;
  Sensitive(const Sensitive&) = delete;
  Sensitive& operator=(const Sensitive&) = delete;
  ~Sensitive() { wipe(value_); }

  const Bound& sensitivity() const { return sensitivity_; }
  const DatasetId& dataset() const { return dataset_; }

 private:
  friend class Vault;
  Sensitive(T value, Bound sensitivity, DatasetId dataset)
      : value_(std::move(value)), sensitivity_(std::move(sensitivity)), dataset_(std::move(dataset)) {}
  T value_;
  Bound sensitivity_;
  DatasetId dataset_;
};

}  // namespace tacet::kernel
