// error: 'tacet::kernel::DatasetId::DatasetId\(std::string, std::string\)' is private within this
// context Whose people a value was computed from is known by the ledger alone: a name that anybody
// could write would be any purse.
#include "tacet/kernel/ledger/ledger.h"

using namespace tacet;

kernel::DatasetId patients(const kernel::Ledger& ledger) {
#ifdef MISUSE
  return kernel::DatasetId(ledger.name(), "patients");
#else
  return ledger.terms("patients")->id();
#endif
}
