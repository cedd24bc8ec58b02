// tacet/workflow/infer/denoised_before.h: how a table was denoised before it was published, for
// tests that do the same to every simulated table.
//
//   mechanisms::DenoisedRelease published{};
//   published.project = mechanisms::Projection::Simplex;
//   inference::DenoiseOptions same = *denoised_before(published, mechanisms::Shrinkage::None,
//                                                     mechanisms::Projection::None);
//
// Errors   the request asks for shrinking or projecting once more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tacet/base/result.h"
#include "tacet/inference/estimates/denoise.h"
#include "tacet/mechanisms/denoised_release.h"

namespace tacet {

Result<inference::DenoiseOptions> denoised_before(const mechanisms::DenoisedRelease& release, mechanisms::Shrinkage asked_shrink,
                                                  mechanisms::Projection asked_project);

}  // namespace tacet
