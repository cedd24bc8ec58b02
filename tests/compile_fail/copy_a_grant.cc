// error: use of deleted function 'tacet::kernel::Grant::Grant\(const tacet::kernel::Grant&\)'
// A permission is worth one release.
#include <utility>

#include "tacet/kernel/grant.h"

using tacet::kernel::Grant;

Grant keep(Grant& grant) {
#ifdef MISUSE
  return grant;
#else
  return std::move(grant);
#endif
}
