// tacet/kernel/relation.h: which two files are neighbours, that is, what "one person" can change.
//
//   Relation::ReplaceOne            one person is replaced by another: the number of people is public
//   Relation::AddOrRemoveOne        one person is there or not: the number of people is private
//   *Relation::within({"arm"})      one person is replaced by another of the same arm: the size of each arm is public too
//
// The relation is part of the promise: a loss under one relation says nothing about another, and losses under two relations do
// not add up. It is fixed in the terms of a dataset (kernel/ledger/terms.h); nothing that comes with a request can change it.
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

  Relation(Kind kind) : kind_(kind) {}  // NOLINT(google-explicit-constructor): `Relation::ReplaceOne` is a relation
  /// Replace one, where both persons have the same value of each of these columns: who is in which group is public.
  /// Domain   each name once, none of them empty.
  static Result<Relation> within(std::vector<std::string> columns);

  Kind kind() const { return kind_; }
  /// Is the number of people public?
  bool people_are_public() const { return kind_ == ReplaceOne; }
  /// Is it public who has which value of this column?
  bool is_public(std::string_view column) const;
  /// In the order of their bytes.
  const std::vector<std::string>& public_columns() const { return public_columns_; }

  friend bool operator==(const Relation&, const Relation&) = default;
  /// Ask for people_are_public() or kind(): equality with a kind would forget the public columns.
  friend bool operator==(const Relation&, Kind) = delete;

 private:
  Kind kind_;
  std::vector<std::string> public_columns_;
};

constexpr auto names_of(Relation::Kind) {
  return std::to_array<Named<Relation::Kind>>({{Relation::ReplaceOne, "replace-one"}, {Relation::AddOrRemoveOne, "add-or-remove-one"}});
}
/// Is it public who is in which group? Only where the relation says so: then neighbours agree on it, and each group may have the whole of a
/// loss (parallel composition). A column whose membership is public may be treated as private too, with more noise.
enum class Membership : std::uint8_t { Private, Public };
constexpr auto names_of(Membership) {
  return std::to_array<Named<Membership>>({{Membership::Public, "public"}, {Membership::Private, "private"}});
}
/// For people: "replace-one", "replace-one (arm, site public)".
std::string describe(const Relation& relation);

}  // namespace tacet::kernel
