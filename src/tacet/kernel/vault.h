// tacet/kernel/vault.h: the one door into and out of Sensitive.
//
// Included by the data room, which seals what it has aggregated and answers for the sensitivity it claims, and by
// kernel/release*.cc, which open a value to add noise to it. The test arrows.vault refuses any other include.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "tacet/kernel/sensitive.h"

namespace tacet::kernel {

class Vault {
 public:
  /// The caller answers for `sensitivity`: it must bound the change of `value` between any two neighbouring files.
  template <class T, class Bound = Sensitivity>
  static Sensitive<T, Bound> trusted_seal(T value, Bound sensitivity) {
    return Sensitive<T, Bound>(std::move(value), std::move(sensitivity));
  }
  template <class T, class Bound>
  static T trusted_open(Sensitive<T, Bound>&& sealed) {
    return std::move(sealed.value_);
  }
};

}  // namespace tacet::kernel
