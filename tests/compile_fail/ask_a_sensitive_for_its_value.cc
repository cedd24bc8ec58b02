// error: 'const Counts' .*has no member named 'value'
// Released has value(); Sensitive has not.
#include <cstdint>
#include <vector>

#include "tacet/kernel/release.h"

using Counts = tacet::kernel::Sensitive<std::vector<std::int64_t>>;
using Published = tacet::kernel::Released<tacet::kernel::NoisyVector>;

std::size_t cells(const Counts& counts, const Published& published) {
#ifdef MISUSE
  return counts.value().size();
#else
  (void)counts;
  return published.value().ticks.size();
#endif
}
