// error: ignoring returned value of type 'tacet::Result<.*>', declared with attribute 'nodiscard'
// A refusal that nobody reads is a release that nobody got.
#include "tacet/kernel/ledger/ledger.h"

using namespace tacet::kernel;

bool charge(Ledger& ledger, const ChargeRequest& request) {
#ifdef MISUSE
  ledger.charge(request);
  return true;
#else
  return ledger.charge(request).ok();
#endif
}
