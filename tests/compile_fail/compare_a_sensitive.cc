// error: no match for 'operator==' \(operand types are 'const Count'
// Whether two private values agree is itself private.
#include <cstdint>

#include "tacet/kernel/sensitive.h"

using Count = tacet::kernel::Sensitive<std::int64_t>;

bool same(const Count& a, const Count& b) {
#ifdef MISUSE
  return a == b;
#else
  return a.sensitivity().l1 == b.sensitivity().l1;
#endif
}
