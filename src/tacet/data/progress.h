// tacet/data/progress.h: who is told how far a scan is, and how many threads it may have.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>

namespace tacet::data {

/// Always told from the thread that asked for the scan.
struct Progress {
  std::function<void(double)> tell{};    // the fraction done, from 0 to 1; none: nobody is told
  std::chrono::milliseconds after{500};  // a scan that is over by then is never spoken of
  std::chrono::milliseconds every{100};
};

struct CountOptions {
  Progress progress{};
  unsigned threads = 0;  // 0: as many as the machine has; the result does not depend on it
};

}  // namespace tacet::data
