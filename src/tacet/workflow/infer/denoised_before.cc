#include "tacet/workflow/infer/denoised_before.h"

#include <string>

namespace tacet {

Result<inference::DenoiseOptions> denoised_before(const mechanisms::DenoisedRelease& release, mechanisms::Shrinkage asked_shrink,
                                                  mechanisms::Projection asked_project) {
  const bool shrink = asked_shrink != mechanisms::Shrinkage::None;
  if (shrink || asked_project != mechanisms::Projection::None) {
    return Error::invalid(shrink ? "shrink" : "project", std::string(shrink ? name(asked_shrink) : name(asked_project)),
                          "must be left out: the table was denoised before it was published",
                          "leave it out; simulated tables are denoised in the same way");
  }
  return inference::DenoiseOptions{.shrink = release.shrink, .project = release.project, .done = true};
}

}  // namespace tacet
