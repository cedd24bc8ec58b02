#include "tacet/workflow/plan/blank_release.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/data/moments.h"
#include "tacet/privacy/parameters.h"
#include "tacet/schemas/column_request.h"
#include "tacet/workflow/release/moment_design.h"

namespace tacet {
namespace {

constexpr const char* kGroups = "(the groups)";  // not a column of any file

/// The schema with a column for the groups.
Result<data::Schema> with_groups(data::Schema schema, std::size_t groups, Membership membership) {
  std::vector<std::string> labels;
  for (std::size_t group = 0; group < groups; ++group) labels.push_back(fmt::format("{}", group + 1));
  schema.columns.push_back({kGroups, data::Categories{std::move(labels), groups, 0, 0}, std::nullopt, {}});
  if (membership == Membership::Private) return schema;
  if (!schema.relation.people_are_public()) {
    return Error::invalid("membership", "public",
                          "must be private under add-or-remove-one, where the number of people in a group is private",
                          "leave it out, or plan under replace-one");
  }
  TACET_TRY(schema.relation, kernel::Relation::within({kGroups}));
  return schema;
}

}  // namespace

Result<mechanisms::MomentRelease> blank_release(const BlankReleaseRequest& request) {
  TACET_TRY(const PrivacyAmount amount, required_privacy(request.loss));
  TACET_TRY(const privacy::Loss asked, loss_of(amount));
  TACET_TRY(const MomentMechanism mechanism, choose_mechanism(request.mechanism, /*products=*/true, asked, MomentGoal::TwoSample));
  data::MomentRequest wanted;
  wanted.columns = request.columns;
  wanted.counts = true;  // if the number of people is private
  // Checked without the column of the groups, so that no message mentions it.
  TACET_CHECK(schemas::check_summed(request.schema, wanted.columns));
  TACET_CHECK(data::design_moments(request.schema, wanted));
  TACET_TRY(const data::Schema schema, with_groups(request.schema, request.groups, request.membership));
  wanted.groups = {kGroups, request.membership};
  TACET_TRY(const data::MomentDesign design, data::design_moments(schema, wanted));
  TACET_TRY(const std::vector<double> weights, noise_weights(design, mechanism, MomentGoal::TwoSample));
  TACET_TRY(const privacy::Budget promise, budget_of(amount));
  TACET_TRY(const privacy::Loss loss, charged_loss(amount, mechanism, design.sensitivity, weights, promise.currency));
  TACET_TRY(const MomentPlan noise, plan_moments(mechanism, design.sensitivity, weights, loss));
  mechanisms::MomentRelease blank{};
  blank.kind = mechanisms::MomentKind::Covariance;
  blank.columns = released_columns(schema, design.columns);
  blank.mechanism = mechanism;
  const std::vector<double> scales = planned_scales(noise);
  const std::vector<double> values(scales.size());
  for (std::size_t group = 0; group < request.groups; ++group)
    blank.parts.push_back(group_moments(design.columns, design.layout, group, values, scales));
  return blank;
}

}  // namespace tacet
