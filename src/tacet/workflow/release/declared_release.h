// tacet/workflow/release/declared_release.h: the steps that all imports share.
//
//   CountRelease release{};
//   release.values = {812, 90, 455, 120};
//   TACET_TRY(release.shape, imported_shape(release.values.size(), {2, 2}));
//   return imported(std::move(release), /*out=*/"imported.json");
//
// Error    none.
// Cost     linear.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/workflow/release/release_file.h"

namespace tacet {

/// InvalidArgument, naming the field, if read_release() would refuse the text.
Status check_release(const Release& release);

/// The shape of an imported table; without one it is a list. InvalidArgument, naming "shape", if
/// it has another number of cells.
Result<std::vector<std::size_t>> imported_shape(std::size_t cells, const std::vector<std::size_t>& shape);

/// A declared release: checked, and written if a file is asked for.
template <class Kind>
Result<Kind> imported(Kind declared, const std::optional<std::string>& out) {
  Release release = std::move(declared);
  TACET_CHECK(check_release(release));
  if (out) TACET_CHECK(write_release(release, *out));
  return std::get<Kind>(std::move(release));
}

}  // namespace tacet
