// tacet/mechanisms/release_header.h: the facts that every release has besides its values: its
// statement, its privacy and its charge.
//
//   ReleaseHeader header = charged_header(loss, Relation::ReplaceOne, receipt, "the statement");
//   header.privacy->rho;                  // 0.125
//   header.receipt->entry;                // 3: its number in the history of the dataset
//
// An unknown fact is absent: an imported table has neither privacy nor a receipt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/kernel/grant.h"
#include "tacet/kernel/relation.h"
#include "tacet/privacy/currency.h"

namespace tacet::mechanisms {

/// Exact: proven for the bits in the file. Idealised: proven in real arithmetic. Unknown: not
/// stated.
enum class Guarantee : std::uint8_t { Exact, Idealised, Unknown };
constexpr auto names_of(Guarantee) {
  using enum Guarantee;
  return std::to_array<Named<Guarantee>>({{Exact, "exact"}, {Idealised, "idealised"}, {Unknown, "unknown"}});
}

/// The form in which a loss is stated.
enum class LossForm : std::uint8_t { Gaussian, Epsilon, EpsilonDelta };
constexpr auto names_of(LossForm) {
  using enum LossForm;
  return std::to_array<Named<LossForm>>({{Gaussian, "gaussian"}, {Epsilon, "epsilon"}, {EpsilonDelta, "epsilon-delta"}});
}

/// The promise protects neighbours: two data files (kernel/relation.h), or two values of one
/// person who randomises alone.
enum class Neighbours : std::uint8_t { ReplaceOne, AddOrRemoveOne, Local };
constexpr auto names_of(Neighbours) {
  using enum Neighbours;
  return std::to_array<Named<Neighbours>>(
      {{ReplaceOne, name(kernel::Relation::ReplaceOne)}, {AddOrRemoveOne, name(kernel::Relation::AddOrRemoveOne)}, {Local, "local"}});
}

struct ReleasedPrivacy {
  LossForm currency;
  /// Gaussian: mu and rho. Epsilon: epsilon and a delta of 0; for Laplace noise also its cost in
  /// rho, and in mu if asked. EpsilonDelta: epsilon and delta.
  std::optional<double> epsilon = {}, delta = {}, rho = {}, mu = {};
  std::optional<Neighbours> neighbours = {};
  std::vector<std::string> public_columns = {};  // neighbours have equal values in these
  std::optional<std::string> charged = {};       // for people: "rho 0.125"

  friend bool operator==(const ReleasedPrivacy&, const ReleasedPrivacy&) = default;
};

/// What the numbers of a release count: people, each once in a cell, or rows.
enum class Counted : std::uint8_t { People, Rows };
constexpr auto names_of(Counted) { return std::to_array<Named<Counted>>({{Counted::People, "people"}, {Counted::Rows, "rows"}}); }

/// Of a release where a person may count several times: people or rows, at most `rows` of each
/// person, or so many in each of at most `groups` groups.
struct ReleasedContributions {
  Counted counted = Counted::People;
  std::int64_t rows = 1;
  std::optional<std::int64_t> groups = {};

  std::int64_t most() const { return rows * groups.value_or(1); }
};

struct ReleaseHeader {
  std::string statement = "null";               // the request as JSON; the ledger has its hash
  std::optional<std::string> where = {};        // the condition on rows in the statement, if any
  std::optional<ReleasedPrivacy> privacy = {};  // of a local release: as the collector declared
  Guarantee guarantee = Guarantee::Unknown;
  std::optional<kernel::Receipt> receipt = {};              // of the charge
  std::optional<std::string> time = {};                     // when it was charged: RFC 3339, UTC
  std::optional<ReleasedContributions> contributions = {};  // nothing: a row is a person

  /// Rows only where a person may have several of them that count.
  Counted counted() const { return contributions && contributions->most() > 1 ? contributions->counted : Counted::People; }
};

/// The loss in numbers, without neighbours.
ReleasedPrivacy stated(const privacy::Loss& loss);

/// The header of a release that was charged.
ReleaseHeader charged_header(const privacy::Loss& loss, const kernel::Relation& relation, const kernel::Receipt& receipt,
                             std::string statement, Guarantee guarantee = Guarantee::Exact);

/// A number of people is a whole number that a double represents exactly.
Status check_people(double n);

}  // namespace tacet::mechanisms
