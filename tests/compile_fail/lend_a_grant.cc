// error: cannot bind rvalue reference of type 'tacet::kernel::Grant&&' to lvalue of type
// 'tacet::kernel::Grant' A release consumes its permission: whoever gives it away must say so.
#include <utility>

#include "tacet/kernel/release.h"

using namespace tacet::kernel;

void publish(Sensitive<std::vector<std::int64_t>> counts, const NoisePlan& plan, Grant grant, tacet::exact::RandomBits& bits) {
#ifdef MISUSE
  (void)release(std::move(counts), plan, grant, bits);
#else
  (void)release(std::move(counts), plan, std::move(grant), bits);
#endif
}
