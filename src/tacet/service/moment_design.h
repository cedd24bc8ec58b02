// tacet/service/moment_design.h: which noise a release of sums and second moments has: decided here for the verbs that release, and for those that plan.
//
//   TACET_TRY(const MomentMechanism mechanism, mechanism_field(request, "covariance", loss, goal));
//   TACET_TRY(const std::vector<double> weights, weights_for(design, mechanism, goal));
//   TACET_TRY(const std::vector<double> scales, planned_scales(mechanism, design.sensitivity, weights, loss));      // reads no data
//
// The scales are those of kernel's own plans, which the release makes again when it is paid for: what is foretold is what is drawn.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/moments.h"
#include "tacet/data/schema.h"
#include "tacet/mechanisms/moment_noise.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/privacy/currency.h"
#include "tacet/service/verb.h"

namespace tacet::service {

/// How the figures get their noise.
enum class MomentMechanism : std::uint8_t { Gaussian, Laplace, KNorm, CubeProducts, Eigen };
std::string_view name(MomentMechanism mechanism);  // "gaussian", "laplace", "k-norm", "k-norm+laplace", "ed"
kernel::NoiseFamily family_of(MomentMechanism mechanism);

/// "second-moment" and "covariance".
bool has_products(const std::string& kind);

/// --mechanism, or what suits the goal and the loss; refuses one that the kind or the loss does not go with.
Result<MomentMechanism> mechanism_field(const Json& request, const std::string& kind, const privacy::Loss& asked,
                                        mechanisms::MomentGoal goal);

/// --membership, or `usual` if not given.
Result<data::Membership> membership_field(const Json& request, data::Membership usual);
std::string_view name(data::Membership membership);  // "public", "private"

/// As the mechanism takes them: one for each figure of a group, but for CubeProducts one for all before the products.
Result<std::vector<double>> weights_for(const data::MomentDesign& design, MomentMechanism mechanism, mechanisms::MomentGoal goal);

/// Of the figures before the products, and of all products together.
std::vector<double> eigen_weights(const std::vector<double>& weights, std::size_t products);

/// The scale of the noise of every figure, in steps; an Error where the loss cannot buy it.
Result<std::vector<double>> planned_scales(MomentMechanism mechanism, const kernel::BoxSensitivity& box, const std::vector<double>& weights,
                                           const privacy::Loss& loss);

/// What a release file says of its columns.
std::vector<mechanisms::ReleasedColumn> released_columns(const data::Schema& schema, const std::vector<data::MomentColumn>& columns);

/// The figures of one group in the columns' own units, from those of all groups in steps. `people` is left at 0 where it is not a figure.
mechanisms::GroupMoments group_figures(const std::vector<data::MomentColumn>& columns, const data::MomentLayout& layout, std::size_t group,
                                       const std::vector<double>& values, const std::vector<double>& scales);

}  // namespace tacet::service
