// error: use of deleted function 'tacet::kernel::FirstAbove::FirstAbove\(const
// One payment is for one level: a copy would go on after an answer that ended it.
#include <utility>

#include "tacet/kernel/first_above.h"

using tacet::kernel::FirstAbove;

FirstAbove keep(FirstAbove& level) {
#ifdef MISUSE
  return level;
#else
  return std::move(level);
#endif
}
