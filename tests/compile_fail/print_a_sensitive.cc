// error: no match for 'operator<<' \(operand types are 'std::ostream' .* and 'const Count'
// What a value depends on may be printed, the value may not.
#include <cstdint>
#include <ostream>

#include "tacet/kernel/sensitive.h"

using Count = tacet::kernel::Sensitive<std::int64_t>;

void print(std::ostream& out, const Count& count) {
#ifdef MISUSE
  out << count;
#else
  out << name(count.sensitivity().relation);
#endif
}
