// error: use of deleted function 'tacet::kernel::Grant::Grant\(const tacet::kernel::Grant&\)'
// One charge pays for one release; the second needs a charge of its own.
#include <utility>

#include "tacet/kernel/ledger/ledger.h"
#include "tacet/kernel/release.h"

using namespace tacet::kernel;
using Counts = Sensitive<std::vector<std::int64_t>>;

void publish(Counts first, Counts second, Ledger& ledger, const ChargeRequest& request, const NoisePlan& plan, Grant grant,
             tacet::exact::RandomBits& bits) {
#ifdef MISUSE
  Grant copy = grant;
#else
  Grant copy = *ledger.charge(request);
#endif
  (void)release(std::move(first), plan, std::move(grant), bits);
  (void)release(std::move(second), plan, std::move(copy), bits);
  (void)ledger, (void)request;
}
