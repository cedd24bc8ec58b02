// tacet/workflow/infer/disjoint_groups.h: refuses to compare releases that may be about the same
// people.
//
//   CountRelease north = *read_release_as<CountRelease>("north.json");
//   CountRelease south = *read_release_as<CountRelease>("south.json");
//   TACET_TRY(const Disjoint why,
//             check_disjoint({&north.header, &south.header}, /*declared=*/false));
//   name(why);                       // "different datasets"
//
// Comparisons take groups as independent: nobody may be in two of them. Two releases of one
// dataset are disjoint if their conditions exclude each other (`arm = new`, `arm = old`) and no
// person has several rows, or if whoever asks says so. A release compared with itself is always
// refused. Imported releases do not say whose data they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/mechanisms/release_header.h"

namespace tacet {

/// How it is known that nobody is in two groups. Weaker reasons come later.
enum class Disjoint : std::uint8_t { OneRelease, Datasets, Conditions, Declared, Unknown };
constexpr auto names_of(Disjoint) {
  using enum Disjoint;
  return std::to_array<Named<Disjoint>>({{OneRelease, "groups of one release"},
                                         {Datasets, "different datasets"},
                                         {Conditions, "conditions that exclude each other"},
                                         {Declared, "declared by the request"},
                                         {Unknown, "unknown: a release does not say whose data it is"}});
}

/// The weakest reason over all pairs. InvalidArgument, naming "releases", if two releases may be
/// about the same people. `declared`: the request says that nobody is in two groups.
Result<Disjoint> check_disjoint(const std::vector<const mechanisms::ReleaseHeader*>& headers, bool declared);

/// A sentence for the reasons that nobody has checked; empty for the others.
std::string disjoint_words(Disjoint why);

}  // namespace tacet
