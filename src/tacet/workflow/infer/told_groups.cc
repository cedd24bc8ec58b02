#include "tacet/workflow/infer/told_groups.h"

#include <algorithm>

#include "tacet/mechanisms/moment_result.h"

namespace tacet {

std::vector<bool> told_groups(const MomentRelease& release) {
  // Of a sum there is always an answer, but not of the mean in it.
  MomentRelease as_mean = release;
  as_mean.kind = mechanisms::MomentKind::Mean;
  std::vector<bool> told;
  for (std::size_t group = 0; group < release.parts.size(); ++group) told.push_back(!mechanisms::why_no_answer(as_mean, group));
  if (std::count(told.begin(), told.end(), true) < 2) told.assign(told.size(), true);
  return told;
}

}  // namespace tacet
