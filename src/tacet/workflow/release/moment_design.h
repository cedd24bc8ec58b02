// tacet/workflow/release/moment_design.h: the noise of a release of sums and second moments.
//
//   data::MomentDesign design = *data::design_moments(schema, {.columns = {"ldl", "hdl"}});
//   MomentMechanism mechanism =
//       *choose_mechanism({}, /*products=*/true, loss, MomentGoal::Region);
//   std::vector<double> weights = *noise_weights(design, mechanism, MomentGoal::Region);
//   MomentPlan plan = *plan_moments(mechanism, design.sensitivity, weights, loss);
//
// Releases and plans both use these functions, so a plan has the noise of the later release. The
// kernel proves every plan again before it draws.
// Domain   as data/moments.h.
// Error    none: scales are proven in exact arithmetic.
// Cost     linear in the values of a group, except CubeProducts and Eigen: see their plans.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/moments.h"
#include "tacet/data/schema.h"
#include "tacet/eigen/release_eigen.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/mechanisms/moment_mechanism.h"
#include "tacet/mechanisms/moment_noise.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/privacy/currency.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

using mechanisms::MomentGoal;
using mechanisms::MomentMechanism;

/// The mechanism that was asked for. If none was: Laplace noise for a pure epsilon (CubeProducts
/// if the products are for a test of two groups), Gaussian noise for any other loss. Refuses a
/// mechanism that does not fit the loss, or that needs products if there are none.
Result<MomentMechanism> choose_mechanism(const std::optional<MomentMechanism>& asked, bool products, const privacy::Loss& loss,
                                         MomentGoal goal);

/// How the values of a group share the loss: one weight for each value; for CubeProducts one for
/// everything before the products, then one for each product.
Result<std::vector<double>> noise_weights(const data::MomentDesign& design, MomentMechanism mechanism, MomentGoal goal);

/// The loss that this noise costs in a budget of that currency. Laplace noise has its own cost;
/// other noise costs the amount that was asked for.
Result<privacy::Loss> charged_loss(const PrivacyAmount& amount, MomentMechanism mechanism, const kernel::BoxSensitivity& sensitivity,
                                   const std::vector<double>& weights, privacy::Currency budget);

/// The proposed noise of every value, by any mechanism.
using MomentPlan = std::variant<kernel::NumbersPlan, kernel::CubePlan, kernel::CubeProductsPlan, eigen::EigenPlan>;
/// The noise of every value, proven as the release will prove it. Fails if the loss cannot buy it.
Result<MomentPlan> plan_moments(MomentMechanism mechanism, const kernel::BoxSensitivity& sensitivity, const std::vector<double>& weights,
                                const privacy::Loss& loss);
/// The scale of every value, in steps.
std::vector<double> planned_scales(const MomentPlan& plan);

/// The columns of a release file.
std::vector<mechanisms::ReleasedColumn> released_columns(const data::Schema& schema, const std::vector<data::MomentColumn>& columns);

/// The values of one group in the units of the columns, from those of all groups in steps.
/// `people` stays 0 if it is not released.
mechanisms::GroupMoments group_moments(const std::vector<data::MomentColumn>& columns, const data::MomentLayout& layout, std::size_t group,
                                       const std::vector<double>& values, const std::vector<double>& scales);

}  // namespace tacet
