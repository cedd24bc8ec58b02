// error: invalid initialization of reference of type 'tacet::kernel::Grant&&' from expression of
// type 'tacet::exact::RandomBits' Nothing leaves unpaid.
#include <utility>

#include "tacet/kernel/release.h"

using namespace tacet::kernel;

void publish(Sensitive<std::vector<std::int64_t>> counts, const NoisePlan& plan, Grant grant, tacet::exact::RandomBits& bits) {
#ifdef MISUSE
  (void)release(std::move(counts), plan, bits);
  (void)grant;
#else
  (void)release(std::move(counts), plan, std::move(grant), bits);
#endif
}
