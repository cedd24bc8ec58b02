// error: invalid initialization of reference of type 'const tacet::accounting::LaplaceScale&' from
// expression of type A scale that nobody has proven to be private must not become a loss.
#include "tacet/accounting/laplace_gdp.h"

using namespace tacet::accounting;

tacet::privacy::Loss loss(const LaplaceScale& proven, const ConjecturedLaplaceScale& conjectured) {
#ifdef MISUSE
  (void)proven;
  return loss_of(conjectured);
#else
  (void)conjectured;
  return loss_of(proven);
#endif
}
