// tacet/workflow/context.h: the services of the outside world that typed calls may use.
//
//   Context context{.analyst = "team-3"};
//   context.progress = [](std::string_view doing, double fraction) { show(doing, fraction); };
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tacet/base/result.h"
#include "tacet/exact/random_bits.h"

namespace tacet {

/// Who asks, and whom to tell about progress.
struct Context {
  /// Who asks. Releases are charged to this name; budgets that it creates have it as custodian.
  std::string analyst = "unnamed";
  /// Receives the current step ("reading") and the fraction of it that is done, from 0 to 1 in
  /// whole percents: a finer one would tell the number of rows. A negative fraction is unknown.
  std::function<void(std::string_view doing, double fraction)> progress = {};
  /// The source of random bits; empty: exact::SecureBits. Only tests have another source.
  std::function<Result<std::unique_ptr<exact::RandomBits>>()> random_bits = {};

  Result<std::unique_ptr<exact::RandomBits>> open_bits() const;
  void tell(std::string_view doing, double fraction = -1) const {
    if (progress) progress(doing, fraction < 0 ? fraction : std::floor(fraction * 100) / 100);
  }
};

}  // namespace tacet
