// tacet/workflow/infer/one_each.h: what may be said where a person may count several times.
//
//   CountRelease visits = *read_release_as<CountRelease>("visits.json");
//   TACET_CHECK(check_one_each(visits.header));             // of a test about a population
//   const AboutWhom about = about_whom(visits.header);      // of intervals
//   about.no_population;                                    // why there is none for a population
//
// Tests and intervals for a population take people as drawn independently, each once. The rows of
// one person are alike, so a test of rows finds differences that are not there. What a release says
// about its own file needs no such thing: noise is the only error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tacet/base/result.h"
#include "tacet/mechanisms/release_header.h"

namespace tacet {

using mechanisms::Counted;

/// What the numbers of an answer count, and why nothing follows for a population, if that is so.
struct AboutWhom {
  Counted counted = Counted::People;
  std::optional<std::string> no_population = {};

  /// The interval, or none where nothing follows for a population.
  template <class Interval>
  std::optional<Interval> population(const Interval& interval) const {
    return no_population ? std::nullopt : std::optional(interval);
  }
};
AboutWhom about_whom(const mechanisms::ReleaseHeader& header);

/// Unsupported if a person may count more than once in the release.
Status check_one_each(const mechanisms::ReleaseHeader& header);

}  // namespace tacet
