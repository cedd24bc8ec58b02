// error: no match for 'operator\+' \(operand types are .*RhoTag.* and .*EpsilonTag
// Losses add up within one currency, as what they cost a budget kept in it.
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

using namespace tacet::privacy;

tacet::Result<Amount> both(const Rho& rho, const Epsilon& epsilon) {
#ifdef MISUSE
  return amount_in(Currency::Zcdp, gaussian_loss_from_rho(rho + epsilon));
#else
  (void)epsilon;
  TACET_TRY(const Amount amount, amount_in(Currency::Zcdp, gaussian_loss_from_rho(rho)));
  return amount + amount;
#endif
}
