// error: too many arguments to function
// 'tacet::Result<tacet::kernel::Released<tacet::kernel::Noisy<tacet::kernel::NoisePlan> > >
// tacet::kernel::release\( A plan of noise is checked against the sensitivity that the sealed
// value carries; nobody passes another.
#include <utility>

#include "tacet/kernel/release.h"

using namespace tacet::kernel;

void publish(Sensitive<std::vector<std::int64_t>> counts, const NoisePlan& plan, Grant grant, tacet::exact::RandomBits& bits) {
#ifdef MISUSE
  const Sensitivity smaller{Relation::ReplaceOne, 1, 1};
  (void)release(std::move(counts), plan, std::move(grant), bits, smaller);
#else
  (void)release(std::move(counts), plan, std::move(grant), bits);
#endif
}
