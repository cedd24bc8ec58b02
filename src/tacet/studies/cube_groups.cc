#include "tacet/studies/cube_groups.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tacet/data/schema.h"
#include "tacet/workflow/plan/blank_release.h"

namespace tacet::studies {

Result<mechanisms::MomentRelease> blank_cube_groups(const CubeGroups& groups) {
  BlankReleaseRequest request;
  request.schema.relation = groups.relation;
  for (std::size_t j = 0; j < groups.columns; ++j) {
    request.columns.push_back(fmt::format("x{}", j));
    data::Bounds bounds{*Decimal::parse("-1"), *Decimal::parse("1"), *Decimal::parse(groups.resolution), *Decimal::parse("0")};
    request.schema.columns.push_back({request.columns.back(), std::nullopt, std::move(bounds), {}});
  }
  request.membership = groups.membership;
  request.loss = groups.loss;
  TACET_TRY(mechanisms::MomentRelease blank, blank_release(request));
  for (mechanisms::GroupMoments& group : blank.parts) group.people.value = static_cast<double>(groups.people);
  return blank;
}

}  // namespace tacet::studies
