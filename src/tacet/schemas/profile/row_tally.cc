#include "tacet/schemas/profile/row_tally.h"

#include <algorithm>

namespace tacet::schemas {

RowTally::RowTally(const data::Schema& schema, const std::vector<SourceField>& fields, bool learn) : slots_(fields.size()) {
  for (std::size_t at = 0; at < fields.size(); ++at) {
    const SourceField& field = fields[at];
    Slot& slot = slots_[at];
    slot.readable = field.readable;
    const auto same = [&](const SourceField& other) { return other.name == field.name; };
    const data::Column* const column = std::count_if(fields.begin(), fields.end(), same) == 1 ? schema.find(field.name) : nullptr;
    if (learn) {
      slot.learnt = learnt_.size();
      learnt_.emplace_back(field.name, field.type);
    } else if (column != nullptr) {
      if (column->categories || column->bounds) {
        slot.declared = declared_.size();
        declared_.emplace_back(*column, field.stored);
      }
      slot.person = schema.contributions && schema.contributions->person == field.name;
      if (slot.person) people_.emplace(*schema.contributions, column->missing_values);
    }
    if (slot.readable && (slot.learnt || slot.declared || slot.person)) wanted_.push_back(at);
  }
}

void RowTally::add(std::size_t at, std::optional<std::string_view> text, std::int64_t rows) {
  const Slot& slot = slots_[at];
  if (slot.declared) declared_[*slot.declared].add(text, rows);
  if (slot.learnt) learnt_[*slot.learnt].add(text, rows);
  if (slot.person) people_->add(text, rows);
}

void RowTally::finish(FileProfile& profile) const {
  for (const Slot& slot : slots_) {
    if (slot.declared) profile.columns.push_back(declared_[*slot.declared].profile());
    if (slot.learnt) profile.learnt.push_back(learnt_[*slot.learnt].learnt());
    if (slot.declared) profile.columns.back().readable = slot.readable;
    if (slot.learnt) profile.learnt.back().readable = slot.readable;
    if (slot.person && slot.readable) profile.people = people_->profile();
  }
}

}  // namespace tacet::schemas
