// error: no match for 'operator<<' \(operand types are 'std::ostream' .* and 'const Count'
// What a value depends on may be printed, the value may not.
#include <cstdint>
#include <ostream>
#include <vector>

#include "tacet/kernel/sensitive.h"

using Count = tacet::kernel::Sensitive<std::vector<std::int64_t>>;

void print(std::ostream& out, const Count& count) {
#ifdef MISUSE
  out << count;
#else
  out << describe(count.sensitivity().relation);
#endif
}
