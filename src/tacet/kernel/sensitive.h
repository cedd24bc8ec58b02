// tacet/kernel/sensitive.h: a value computed from people, which can be released but not read.
//
// Sensitive<T> has no accessor, no comparison and no way to print. It is made by kernel::Vault (kernel/vault.h, which
// only the data room includes) and ends in kernel::release, which adds noise for the sensitivity that the value carries.
// The sensitivity is public: it follows from the schema, not from the data. A table of counts carries two norms (Sensitivity), sums and
// moments a bound for each coordinate (BoxSensitivity), clipped vectors a Euclidean norm (NormSensitivity). It also carries the dataset
// that it was computed from: a grant that was charged to another dataset does not open it. When it dies its memory is wiped.
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

/// Bounds, over all neighbouring files, on the change of an integer vector. Both are exact integers.
struct Sensitivity {
  Relation relation;
  std::int64_t l1;          // sum of absolute changes
  std::int64_t l2_squared;  // sum of squared changes
};

/// |change of coordinate j| <= most[j] over all neighbouring files. The vector is `groups` stretches of equal length, and one person
/// changes coordinates in at most `touched` of them: 1 is what parallel composition over groups needs.
struct BoxSensitivity {
  Relation relation;
  std::vector<Int128> most;
  std::size_t groups = 1;
  std::size_t touched = 1;
  /// d: the last d(d+1)/2 figures of each stretch are sums over people of x_j x_k, j <= k, in the order (0,0), (0,1), ..., (1,1), ..., and
  /// the bound of (j,j) is also one of x_j^2. 0: nothing of the kind is claimed.
  std::size_t outer_products = 0;
};

/// sum of squared changes <= l2_squared over all neighbouring files, all coordinates taken together.
struct NormSensitivity {
  Relation relation;
  Int128 l2_squared;
};

/// Overwrites the memory of values that nobody needs any more, in a way that no compiler leaves out.
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
