// error: 'tacet::kernel::Grant::Grant\(Paid\)' is private within this context
// Only a ledger that has written the charge down gives the permission.
#include "tacet/kernel/grant.h"
#include "tacet/kernel/ledger/ledger.h"

using namespace tacet;

Result<kernel::Grant> permit(kernel::Ledger& ledger, const kernel::ChargeRequest& request) {
#ifdef MISUSE
  return kernel::Grant({request.loss, request.relation, ledger.terms(request.dataset)->id(), kernel::Receipt{}, false});
#else
  return ledger.charge(request);
#endif
}
