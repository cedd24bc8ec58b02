// error: invalid initialization of reference of type 'const tacet::privacy::Rho&' .* from
// expression of type 'const .*Epsilon Half a unit of epsilon is not half a unit of rho.
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

using namespace tacet::privacy;

Loss loss(const Epsilon& epsilon, const Rho& rho) {
#ifdef MISUSE
  (void)rho;
  return gaussian_loss_from_rho(epsilon);
#else
  (void)epsilon;
  return gaussian_loss_from_rho(rho);
#endif
}
