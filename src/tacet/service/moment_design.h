// tacet/service/moment_design.h: which noise a release of sums and second moments has: decided here for the verbs that release, and for those that plan.
//
//   TACET_TRY(const MomentMechanism mechanism, mechanism_field(request, MomentKind::Covariance, loss, goal));
//   TACET_TRY(const std::vector<double> weights, weights_for(design, mechanism, goal));
//   TACET_TRY(const MomentPlan plan, plan_moments(mechanism, design.sensitivity, weights, loss));                   // reads no data
//
// The plan that is foretold is the plan that is released: the kernel proves it once more and draws.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/moments.h"
#include "tacet/data/schema.h"
#include "tacet/eigen/release_eigen.h"
#include "tacet/kernel/release_cube_products.h"
#include "tacet/kernel/release_k_norm.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/mechanisms/moment_mechanism.h"
#include "tacet/mechanisms/moment_noise.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/privacy/currency.h"
#include "tacet/service/verb.h"

namespace tacet::service {

using mechanisms::MomentMechanism;

/// --mechanism, or what suits the goal and the loss; refuses one that the kind or the loss does not go with.
Result<MomentMechanism> mechanism_field(const Json& request, mechanisms::MomentKind kind, const privacy::Loss& asked,
                                        mechanisms::MomentGoal goal);

/// --membership, or `usual` if not given.
Result<data::Membership> membership_field(const Json& request, data::Membership usual);

/// As the mechanism takes them: one for each figure of a group, but for CubeProducts one for all before the products.
Result<std::vector<double>> weights_for(const data::MomentDesign& design, MomentMechanism mechanism, mechanisms::MomentGoal goal);

/// Of the figures before the products, and of all products together.
std::vector<double> eigen_weights(const std::vector<double>& weights, std::size_t products);

/// What such noise is charged as to a budget of that currency: Laplace noise by its own price, all other noise as the request asks for it.
Result<privacy::Loss> charged_loss(const Json& request, MomentMechanism mechanism, const kernel::BoxSensitivity& box,
                                   const std::vector<double>& weights, privacy::Currency budget);

/// The noise of every figure; an Error where the loss cannot buy it. Proven as the release will prove it.
using MomentPlan = std::variant<kernel::NumbersPlan, kernel::CubePlan, kernel::CubeProductsPlan, eigen::EigenPlan>;
Result<MomentPlan> plan_moments(MomentMechanism mechanism, const kernel::BoxSensitivity& box, const std::vector<double>& weights,
                                const privacy::Loss& loss);

/// Of such a plan, the scale of every figure, in steps.
Result<std::vector<double>> planned_scales(MomentMechanism mechanism, const kernel::BoxSensitivity& box, const std::vector<double>& weights,
                                           const privacy::Loss& loss);

/// What a release file says of its columns.
std::vector<mechanisms::ReleasedColumn> released_columns(const data::Schema& schema, const std::vector<data::MomentColumn>& columns);

/// The figures of one group in the columns' own units, from those of all groups in steps. `people` is left at 0 where it is not a figure.
mechanisms::GroupMoments group_figures(const std::vector<data::MomentColumn>& columns, const data::MomentLayout& layout, std::size_t group,
                                       const std::vector<double>& values, const std::vector<double>& scales);

}  // namespace tacet::service
