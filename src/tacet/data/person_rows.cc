#include "tacet/data/person_rows.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <sodium.h>

#include "tacet/data/stored_column.h"

namespace tacet::data {
namespace {

constexpr std::size_t kAhead = 128;  // look-ups whose places fit into the fastest cache together

}  // namespace

PersonRows::PersonRows(const PersonLimit& limit, std::size_t width, const std::vector<std::string>& missing)
    : limit_(limit), width_(width), missing_(missing), table_(4 * kAhead, kNobody) {}

PersonRows::~PersonRows() {
  kernel::wipe(noted_);
  kernel::wipe(people_);
  kernel::wipe(groups_);
  kernel::wipe(kept_);
  kernel::wipe(values_);
}

void PersonRows::note(std::string_view text) {
  text = trimmed(text);
  Name& name = noted_.emplace_back(kNoName);
  if (text.empty() || text == kNoText || std::find(missing_.begin(), missing_.end(), text) != missing_.end()) return;
  ::crypto_shorthash_siphashx24(reinterpret_cast<unsigned char*>(name.data()), reinterpret_cast<const unsigned char*>(text.data()),
                                text.size(), limit_.key.data());
}

// The first two passes only fetch what the third looks at, so that it does not wait for memory.
void PersonRows::numbers(std::uint32_t* out) {
  if (const std::size_t most = people_.size() + noted_.size(); 4 * most > table_.size()) {
    table_.assign(4 * std::bit_ceil(most), kNobody);
    for (std::uint32_t number = 0; number < people_.size(); ++number) slot_of(people_[number].name) = number;
  }
  for (std::size_t begin = 0, end = 0; begin < noted_.size(); begin = end) {
    end = std::min(begin + kAhead, noted_.size());
    for (std::size_t i = begin; i < end; ++i) __builtin_prefetch(&table_[place_of(noted_[i])]);
    for (std::size_t i = begin; i < end; ++i) {
      if (const std::uint32_t person = table_[place_of(noted_[i])]; person != kNobody) __builtin_prefetch(&people_[person]);
    }
    for (std::size_t i = begin; i < end; ++i) {
      out[i] = kNobody;
      if (noted_[i] == kNoName) continue;
      std::uint32_t& slot = slot_of(noted_[i]);
      if (slot == kNobody) {
        slot = static_cast<std::uint32_t>(people_.size());
        people_.push_back({noted_[i]});
      }
      out[i] = slot;
    }
  }
  noted_.clear();
}

/// Where the number of this person is, or will be.
std::uint32_t& PersonRows::slot_of(const Name& name) {
  for (std::size_t at = place_of(name);; at = (at + 1) & (table_.size() - 1)) {
    if (table_[at] == kNobody) return table_[at];
    if (const Name& other = people_[table_[at]].name; other[0] == name[0] && other[1] == name[1]) return table_[at];
  }
}

void PersonRows::see(const std::uint32_t* persons, std::size_t rows) {
  rows_ += static_cast<std::int64_t>(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    if (persons[i] == kNobody || people_[persons[i]].present) continue;
    people_[persons[i]].present = true;
    ++present_;
  }
}

// The finalizer of splitmix64, of a sequence that starts where the keyed hash of the name says.
std::uint64_t PersonRows::hash_of(const Name& name, std::uint64_t number) {
  std::uint64_t bits = name[0] + number * 0x9E3779B97F4A7C15U;
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31U);
}

/// The group with this number, which may take the place of another; null if others are before it.
PersonRows::Group* PersonRows::group_of(Person& person, std::uint32_t number) {
  const auto is_after = [](const Group& a, const Group& b) { return std::pair(a.hash, a.number) > std::pair(b.hash, b.number); };
  Group* last = nullptr;
  std::int64_t groups = 0;
  for (std::uint32_t at = person.first; at != kNobody; at = groups_[at].next) {
    if (groups_[at].number == number) return &groups_[at];
    if (last == nullptr || is_after(groups_[at], *last)) last = &groups_[at];
    ++groups;
  }
  // Hashed apart from the numbers of rows, which stay below 2^63.
  const Group wanted{hash_of(person.name, (std::uint64_t{1} << 63) | number), number, person.first, kNobody};
  if (groups < limit_.groups.value_or(1)) {
    person.first = static_cast<std::uint32_t>(groups_.size());
    return &groups_.emplace_back(wanted);
  }
  if (is_after(wanted, *last)) return nullptr;
  while (last->first != kNobody) {
    const std::uint32_t dropped = std::exchange(last->first, kept_[last->first].next);
    kept_[dropped].next = std::exchange(free_, dropped);
  }
  last->hash = wanted.hash;
  last->number = number;
  return last;
}

/// No row whose hash exceeds what is returned will be kept.
std::uint64_t PersonRows::offer(Group& group, const Kept& row, const Columns& columns, std::size_t from) {
  std::uint32_t at = kNobody;  // of the last row, which may make room
  std::int64_t rows = 0;
  for (std::uint32_t other = group.first; other != kNobody; other = kept_[other].next, ++rows) {
    if (at == kNobody || kept_[other].hash > kept_[at].hash) at = other;
  }
  const std::uint64_t largest = rows >= limit_.rows ? kept_[at].hash : kMostHash;
  if (row.hash > largest) return largest;
  if (rows < limit_.rows) {
    at = free_;
    if (at == kNobody) {
      at = static_cast<std::uint32_t>(kept_.size());
      kept_.emplace_back();
      values_.resize(values_.size() + width_);
    } else {
      free_ = kept_[at].next;
    }
    kept_[at].next = std::exchange(group.first, at);
  }
  kept_[at] = {row.hash, row.group, kept_[at].next};
  for (std::size_t j = 0; j < width_; ++j) values_[at * width_ + j] = columns[j][from];
  return largest;
}

void PersonRows::offer(std::uint32_t person, std::uint32_t group, const Columns& columns, std::size_t at) {
  Person& own = people_[person];
  const Kept row{hash_of(own.name, own.seen++), group, kNobody};
  if (row.hash >> 32U > own.largest) return;
  Group* const own_group = group_of(own, limit_.groups ? group : 0);
  const std::uint64_t largest = own_group != nullptr ? offer(*own_group, row, columns, at) : kMostHash;
  if (!limit_.groups) own.largest = static_cast<std::uint32_t>(largest >> 32U);
}

void PersonRows::add_to(MomentSums& sums) const {
  Columns columns(width_);
  for (const Group& group : groups_) {
    for (std::uint32_t at = group.first; at != kNobody; at = kept_[at].next) {
      for (std::size_t j = 0; j < width_; ++j) columns[j] = values_.data() + at * width_ + j;
      sums.add_stretch(columns.data(), kept_[at].group, 1);
    }
  }
  sums.see_people(people());
}

}  // namespace tacet::data
