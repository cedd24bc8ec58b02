// error: 'std::vector<long int> tacet::kernel::Sensitive<.*>::value_' is private within this
// context A private value has a sensitivity that anybody may read, and no way to read the value.
#include <cstdint>
#include <vector>

#include "tacet/kernel/sensitive.h"

using Counts = tacet::kernel::Sensitive<std::vector<std::int64_t>>;

std::int64_t peek(const Counts& counts) {
#ifdef MISUSE
  return counts.value_[0];
#else
  return counts.sensitivity().l1;
#endif
}
