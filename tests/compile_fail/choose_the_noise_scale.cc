// error: invalid initialization of reference of type 'tacet::kernel::Grant&&' from expression of type 'const double'
// The scale follows from the sensitivity that the value carries and the loss that the grant paid for; nobody passes it.
#include <utility>

#include "tacet/kernel/release.h"

using namespace tacet::kernel;

void publish(Sensitive<std::vector<std::int64_t>> counts, Grant grant, tacet::exact::RandomBits& bits) {
#ifdef MISUSE
  const double scale = 0.001;
  (void)release(std::move(counts), NoiseFamily::Gaussian, scale, std::move(grant), bits);
#else
  (void)release(std::move(counts), NoiseFamily::Gaussian, std::move(grant), bits);
#endif
}
