// error: 'tacet::kernel::Terms::Terms\(tacet::kernel::DatasetId, tacet::kernel::Declaration, .*\)'
// is private within this context A declaration becomes terms by standing in a ledger, and in no
// other way.
#include "tacet/kernel/custody/custody.h"

using namespace tacet;

Result<kernel::Terms> declare(kernel::Custody& ledger, const kernel::Declaration& declared, const kernel::DatasetId& id) {
#ifdef MISUSE
  (void)ledger;
  return kernel::Terms(id, declared, {}, "");
#else
  (void)id;
  TACET_CHECK(ledger.create_budget("patients", declared, {}));
  return ledger.terms("patients");
#endif
}
