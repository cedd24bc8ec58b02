// tacet/kernel/vault.h: the one door into and out of Sensitive.
//
// Included by the data room, which seals what it has aggregated and answers for the sensitivity it claims, and by
// kernel/release_steps.h, which opens a value to add noise to it. The test arrows.vault refuses any other include.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "tacet/kernel/sensitive.h"

namespace tacet::kernel {

/// A value that was opened to add noise to it; wiped when that is done.
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
  /// The caller answers for `sensitivity`, which must bound the change of `value` between any two neighbouring files, and for
  /// `dataset`, whose people the value was computed from.
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
