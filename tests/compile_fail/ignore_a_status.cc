// error: ignoring returned value of type 'tacet::Status', declared with attribute 'nodiscard'
// A budget that could not be set is not set.
#include "tacet/kernel/custody/custody.h"

using namespace tacet::kernel;

tacet::Status create(Custody& ledger, const Declaration& terms) {
#ifdef MISUSE
  ledger.create_budget("patients", terms, {});
  return {};
#else
  return ledger.create_budget("patients", terms, {});
#endif
}
