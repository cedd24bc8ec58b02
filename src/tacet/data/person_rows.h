// tacet/data/person_rows.h: at most so many rows of each person, in one pass. Private to data.
//
//   PersonRows kept(limit, /*width=*/1);                      // of 3 rows, say
//   const std::int32_t q[] = {7};
//   std::uint32_t person; kept.note("P-17"); kept.numbers(&person);
//   kept.offer(person, /*group=*/0, {q}, 0);
//   kept.add_to(sums);                                        // the rows that were kept
//
// The rows with the smallest hashes of (person, number of the person's row) stay; with a limit of
// groups, first the groups with the smallest hashes of (person, group). So which rows stay depends
// on the person's own rows alone, in their order, and every row has the same chance.
// Theorem  Two files that differ in one person have the same kept rows of all others. The kept rows
//          of one person are at most `rows`, or `rows` in each of at most `groups` groups.
// Domain   at most 2^31 people; 1 <= rows, groups <= 1000.
// Error    Two people count as one if the 128 bits of their hash (SipHash-2-4, keyed) agree: below
//          2^-67 for any two of 2^31 people.
// Cost     about 80 bytes for a person, 24 for each further group and 16 + 4 width for a kept row;
//          the hash of a text for a row (bench/contributions_bench.cc).
// Checked  tests/data/person_rows_test.cc
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/data/moment_sums.h"

namespace tacet::data {

/// The limit on what one person contributes, for one request.
struct PersonLimit {
  std::string column{};                  // names the person
  std::int64_t rows = 1;                 // in all, or in each group
  std::optional<std::int64_t> groups{};  // in all
  std::array<std::uint8_t, 16> key{};    // of the hashes
};

class PersonRows {
 public:
  using Columns = std::vector<const std::int32_t*>;
  /// For a row that names nobody.
  static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

  /// `missing` texts name nobody.
  PersonRows(const PersonLimit& limit, std::size_t width, const std::vector<std::string>& missing = {});
  PersonRows(const PersonRows&) = delete;
  PersonRows& operator=(const PersonRows&) = delete;
  ~PersonRows();

  /// Notes who a row is of. Outer spaces and tabs do not count. A text that cannot be read names
  /// nobody: else all of them would be one person.
  void note(std::string_view text);
  /// The numbers of those noted since the last call, in their order; a new text is a new person.
  void numbers(std::uint32_t* out);
  /// People of rows, whether they are offered or not. A number alone is nobody: engines ask for the
  /// numbers of whole dictionaries.
  void see(const std::uint32_t* persons, std::size_t rows);
  /// columns[j][at] for each of the `width` columns.
  void offer(std::uint32_t person, std::uint32_t group, const Columns& columns, std::size_t at);
  void add_to(MomentSums& sums) const;
  std::int64_t people() const { return present_; }
  std::int64_t rows() const { return rows_; }

 private:
  using Name = std::array<std::uint64_t, 2>;  // the hash of a person's text
  static constexpr Name kNoName{};            // a text with this hash, if there is one, names nobody
  static constexpr std::uint64_t kMostHash = std::numeric_limits<std::uint64_t>::max();
  struct alignas(32) Person {  // so that it is in one cache line
    Name name;
    std::uint64_t seen : 63 = 0;               // rows so far
    bool present : 1 = false;                  // has a row
    std::uint32_t largest = kMostHash >> 32U;  // without a limit of groups: hashes that begin beyond it are not kept
    std::uint32_t first = kNobody;             // a chain of groups
  };
  struct Group {  // of a person; without a limit of groups, all of them are one
    std::uint64_t hash;
    std::uint32_t number, next, first;  // a chain of kept rows
  };
  struct Kept {
    std::uint64_t hash;
    std::uint32_t group, next;
  };
  static std::uint64_t hash_of(const Name& name, std::uint64_t number);
  std::size_t place_of(const Name& name) const { return name[0] & (table_.size() - 1); }
  std::uint32_t& slot_of(const Name& name);
  Group* group_of(Person& person, std::uint32_t number);
  std::uint64_t offer(Group& group, const Kept& row, const Columns& columns, std::size_t from);

  PersonLimit limit_;
  std::size_t width_;
  std::vector<std::string> missing_;
  std::int64_t present_ = 0, rows_ = 0;
  std::vector<Person> people_;
  std::vector<Name> noted_;           // kNoName for nobody
  std::vector<std::uint32_t> table_;  // open addressing: numbers of people by their names
  std::vector<Group> groups_;
  std::vector<Kept> kept_;
  std::vector<std::int32_t> values_;  // of kept rows, width_ each
  std::uint32_t free_ = kNobody;      // a chain of dropped rows, to be used again
};

}  // namespace tacet::data
