// tacet/inference/means/released_group.h: a group of a release as its rows would make it, for
// simulation; not secret.
//
//   const RowAverages rows{.mean = {0.1}, .second = {0.34}};
//   numeric::InsecureStream stream(7, 0);
//   mechanisms::GroupMoments part = draw_group(release, /*group=*/0, rows, stream);
//
// The release is a blank one: it has the columns, the noise with all scales, and the number of
// people in each group. No other value of it is read.
// Domain   as moment_release.h, with products; not "ed".
// Error    double arithmetic.
// Cost     d^2.
// Checked  tests/inference/released_group_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "tacet/mechanisms/moment_release.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::inference {

/// Of the rows of a group, less the public centres: their mean, and the mean of their products, row
/// by row.
struct RowAverages {
  std::vector<double> mean, second;
};

mechanisms::GroupMoments draw_group(const mechanisms::MomentRelease& release, std::size_t group, const RowAverages& rows,
                                    numeric::InsecureStream& stream);

}  // namespace tacet::inference
