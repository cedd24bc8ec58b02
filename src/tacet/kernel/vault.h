// tacet/kernel/vault.h: the only way into and out of Sensitive.
//
//   auto sealed = Vault::trusted_seal(std::vector<std::int64_t>{3, 5}, sensitivity, terms.id());
// The data room includes it to seal aggregates, and answers for their sensitivity; release.cc
// includes it to open a value. The test arrows.vault refuses any other include, except in tests
// and in eigen/release_eigen.cc, whose guarantee is idealised.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "tacet/kernel/sensitive.h"

namespace tacet::kernel {

/// A value that was opened to add noise; wiped on destruction.
template <class T>
class Opened {
 public:
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() { wipe(value_); }
  const T& operator*() const { return value_; }

 private:
  friend class Vault;
  explicit Opened(T value) : value_(std::move(value)) {}
  T value_;
};

class Vault {
 public:
  /// The caller answers for `sensitivity`, a bound on the change of `value` between any two
  /// neighbouring files, and for `dataset`, the source of the value.
  template <class T, class Bound = Sensitivity>
  static Sensitive<T, Bound> trusted_seal(T value, Bound sensitivity, const DatasetId& dataset) {
    return Sensitive<T, Bound>(std::move(value), std::move(sensitivity), dataset);
  }
  template <class T, class Bound>
  static Opened<T> trusted_open(Sensitive<T, Bound>&& sealed) {
    return Opened<T>(std::move(sealed.value_));
  }
};

}  // namespace tacet::kernel
