// tacet/kernel/relation.h: which two files are neighbours: what one person can change.
//
//   Relation any = Relation::ReplaceOne;          // one person is replaced: n is public
//   Relation there = Relation::AddOrRemoveOne;    // one person is there or not: n is private
//   Relation arm = *Relation::within({"arm"});    // replaced within an arm: its size is public too
//
// The relation is part of the promise: losses under two relations do not add up. The terms of a
// dataset fix it (kernel/ledger/terms.h); no request can change it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/base/enum_names.h"

namespace tacet::kernel {

class Relation {
 public:
  enum Kind : std::uint8_t { ReplaceOne, AddOrRemoveOne };

  Relation(Kind kind) : kind_(kind) {}  // NOLINT(google-explicit-constructor)
  /// Replace one, where both persons agree in each of these columns: membership is public. Domain:
  /// each name once, none of them empty.
  static Result<Relation> within(std::vector<std::string> columns);

  Kind kind() const { return kind_; }
  /// Is the number of people public?
  bool people_are_public() const { return kind_ == ReplaceOne; }
  /// Is it public who has which value of this column?
  bool is_public(std::string_view column) const;
  /// In the order of their bytes.
  const std::vector<std::string>& public_columns() const { return public_columns_; }

  friend bool operator==(const Relation&, const Relation&) = default;
  /// Deleted, as it would ignore the public columns: use people_are_public() or kind().
  friend bool operator==(const Relation&, Kind) = delete;

 private:
  Kind kind_;
  std::vector<std::string> public_columns_;
};

constexpr auto names_of(Relation::Kind) {
  return std::to_array<Named<Relation::Kind>>({{Relation::ReplaceOne, "replace-one"}, {Relation::AddOrRemoveOne, "add-or-remove-one"}});
}
/// Public only if the relation says so: then neighbours have the same groups, and each group may
/// have the whole loss (parallel composition). Public membership may be treated as private, with
/// more noise.
enum class Membership : std::uint8_t { Private, Public };
constexpr auto names_of(Membership) {
  return std::to_array<Named<Membership>>({{Membership::Public, "public"}, {Membership::Private, "private"}});
}
/// For people: "replace-one", "replace-one (arm, site public)".
std::string describe(const Relation& relation);

}  // namespace tacet::kernel
