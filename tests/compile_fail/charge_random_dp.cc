// error: no match for 'operator=' \(operand types are 'tacet::privacy::Loss' .* and 'const
// tacet::accounting::RandomDp'\) Random DP protects a random person, not every one: it is no loss,
// and no ledger takes it.
#include "tacet/accounting/random_dp.h"
#include "tacet/kernel/ledger/ledger.h"

using namespace tacet;

Result<kernel::Grant> charge(kernel::Ledger& ledger, const accounting::RandomDp& promise, const privacy::Loss& loss) {
  kernel::ChargeRequest request{
      .dataset = "patients", .analyst = "ada", .statement = "mean", .relation = kernel::Relation::ReplaceOne, .loss = loss};
#ifdef MISUSE
  request.loss = promise;
#else
  (void)promise;
#endif
  return ledger.charge(request);
}
