// error: no matching function for call to
// 'tacet::privacy::Positive<tacet::privacy::RhoTag>::Positive\(\)' There is no default loss.
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

using namespace tacet::privacy;

tacet::Result<Budget> budget() {
#ifdef MISUSE
  Rho rho;
#else
  TACET_TRY(const Rho rho, Rho::parse("1"));
#endif
  return budget_of(rho);
}
