// tacet/schemas/profile/people_tally.h: the rows of each person, against `contributions`.
//
//   PeopleTally tally(*schema.contributions);
//   tally.add("P-17", /*rows=*/2);
//   PeopleProfile people = tally.profile();
//
// People are told apart as in a release (data/person_rows.h). With a limit of groups, a release
// may drop more rows than are counted here: which groups there are depends on the table.
// Cost     about 70 bytes for a person.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacet/data/person_rows.h"
#include "tacet/data/schema.h"
#include "tacet/schemas/profile/profile.h"

namespace tacet::schemas {

class PeopleTally {
 public:
  /// `missing` texts name nobody.
  explicit PeopleTally(const data::Contributions& contributions, const std::vector<std::string>& missing = {});
  void add(std::optional<std::string_view> person, std::int64_t rows);
  PeopleProfile profile() const;

 private:
  std::int64_t kept_;  // rows of one person, at most
  std::shared_ptr<data::PersonRows> numbers_;
  std::vector<std::int64_t> rows_;  // of each person
  std::int64_t nameless_ = 0;
};

}  // namespace tacet::schemas
