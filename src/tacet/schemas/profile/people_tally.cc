#include "tacet/schemas/profile/people_tally.h"

#include <algorithm>

namespace tacet::schemas {

PeopleTally::PeopleTally(const data::Contributions& contributions, const std::vector<std::string>& missing)
    : kept_(contributions.rows * contributions.groups.value_or(1)),
      numbers_(
          std::make_shared<data::PersonRows>(data::PersonLimit{.column = contributions.person, .rows = contributions.rows}, 0, missing)) {}

void PeopleTally::add(std::optional<std::string_view> person, std::int64_t rows) {
  std::uint32_t number = data::PersonRows::kNobody;
  numbers_->note(person.value_or(""));
  numbers_->numbers(&number);
  if (number == data::PersonRows::kNobody) {
    nameless_ += rows;
    return;
  }
  if (number >= rows_.size()) rows_.resize(std::size_t{number} + 1);
  rows_[number] += rows;
}

PeopleProfile PeopleTally::profile() const {
  PeopleProfile out{.people = static_cast<std::int64_t>(rows_.size()), .nameless = nameless_};
  for (const std::int64_t rows : rows_) {
    out.most_rows = std::max(out.most_rows, rows);
    if (rows <= kept_) continue;
    ++out.over;
    out.dropped += rows - kept_;
  }
  return out;
}

}  // namespace tacet::schemas
