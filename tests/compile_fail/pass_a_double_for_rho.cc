// error: invalid initialization of reference of type 'const tacet::privacy::Rho&' .* from
// expression of type 'double' A number becomes a loss through one door, which asks whether it is
// one.
#include "tacet/privacy/currency.h"
#include "tacet/privacy/parameters.h"

using namespace tacet::privacy;

tacet::Result<Loss> eighth() {
#ifdef MISUSE
  return gaussian_loss_from_rho(0.125);
#else
  TACET_TRY(const Rho rho, Rho::parse("0.125"));
  return gaussian_loss_from_rho(rho);
#endif
}
