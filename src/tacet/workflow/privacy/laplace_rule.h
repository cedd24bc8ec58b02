// tacet/workflow/privacy/laplace_rule.h: which theorem ties Laplace noise to a mu, and which
// statistics it is for.
//
//   const LaplaceStatistic counts{.l1 = 2, .neighbours = Relation::ReplaceOne};
//   TACET_CHECK(check_rule(LaplaceMuRule::Table, counts));
//   holds_for(LaplaceMuRule::Table);      // "a table of counts in which one cell loses ..."
//
// A rule that is used for another statistic than its own promises privacy that is not kept, so a
// rule that does not fit what is known of the statistic is refused: the rule of tables needs the
// neighbours, and those of one and two numbers need the dimension.
// Error    InvalidArgument with the rule that fits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/kernel/relation.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet {

using kernel::Relation;

/// The theorem for Laplace noise that keeps mu (accounting/laplace_gdp.h).
enum class LaplaceMuRule : std::uint8_t {
  Universal,       // any statistic
  OneDimensional,  // one number
  TwoDimensional,  // two numbers
  Table,           // a table of counts under replace-one
  Conjecture12,    // for comparison: not proven, and no release uses it
};
constexpr auto names_of(LaplaceMuRule) {
  return std::to_array<Named<LaplaceMuRule>>({{LaplaceMuRule::Universal, "universal"},
                                              {LaplaceMuRule::OneDimensional, "one-dimensional"},
                                              {LaplaceMuRule::TwoDimensional, "two-dimensional"},
                                              {LaplaceMuRule::Table, "table"},
                                              {LaplaceMuRule::Conjecture12, "conjecture-12"}});
}
/// The statistics that a rule is proven for, in words, and its theorem.
std::string_view holds_for(LaplaceMuRule rule);
std::string_view theorem_of(LaplaceMuRule rule);

/// What is known of the statistic that gets the noise.
struct LaplaceStatistic {
  Digits l1;                                      // the L1 sensitivity
  std::optional<Relation::Kind> neighbours = {};  // who neighbours are
  std::optional<std::size_t> dimension = {};      // how many of its numbers a person can change
};
Status check_rule(LaplaceMuRule rule, const LaplaceStatistic& statistic);

}  // namespace tacet
