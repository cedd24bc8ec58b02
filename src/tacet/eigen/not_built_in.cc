// Replaces the other sources of this room if it is not built (cmake -DTACET_EIGEN=OFF).
#include "tacet/eigen/release_eigen.h"

namespace tacet::eigen {
namespace {

Error not_built_in() {
  return Error::of(Code::Unsupported, "the mechanism ed was not built into this program",
                   "build it with cmake -DTACET_EIGEN=ON, or use mechanism = laplace");
}

}  // namespace

Result<EigenPlan> plan_eigen(const kernel::BoxSensitivity& /*box*/, const std::vector<double>& /*weights*/, const privacy::Loss& /*loss*/) {
  return not_built_in();
}

Result<Idealised<NoisyEigen>> release_eigen(kernel::Sensitive<std::vector<Int128>, kernel::BoxSensitivity>&& /*statistic*/,
                                            const EigenPlan& /*plan*/, kernel::Grant&& grant, exact::RandomBits& /*bits*/) {
  return not_built_in().after_charge(grant.spent_words());
}

}  // namespace tacet::eigen
