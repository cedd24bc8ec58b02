// error: use of deleted function 'tacet::kernel::Sensitive<T, Bound>::Sensitive\(const
// tacet::kernel::Sensitive<T, Bound>&\) A copy could be released twice under two sensitivities that
// do not know of each other.
#include <cstdint>
#include <utility>
#include <vector>

#include "tacet/kernel/sensitive.h"

using Count = tacet::kernel::Sensitive<std::vector<std::int64_t>>;

Count take(Count& count) {
#ifdef MISUSE
  return count;
#else
  return std::move(count);
#endif
}
