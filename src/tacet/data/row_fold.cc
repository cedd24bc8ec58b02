#include "tacet/data/row_fold.h"

#include <algorithm>
#include <cmath>

namespace tacet::data {

RowFold::RowFold(const RowPlan& plan)
    : plan_(plan),
      sums_(plan.shape),
      numbers_(plan.numbers.size() * kStretch),
      integers_(plan.shape.columns * kStretch),
      inputs_(plan.numbers.size()),
      classes_(kStretch),
      groups_(kStretch),
      persons_(kStretch),
      masks_(kStretch * std::max<std::size_t>(1, plan.filter.depth().value_or(0))) {
  if (const auto* clip = std::get_if<NormClip>(&plan.map)) scratch_.resize(clip->scratch_size());
  for (std::size_t i = 0; i < plan.shape.columns; ++i) {
    outputs_.push_back(integers_.data() + i * kStretch);
    addends_.push_back(outputs_.back());
  }
}

bool RowFold::add(const std::vector<StoredColumn>& columns, const std::vector<const std::uint32_t*>& codes, std::size_t rows,
                  std::size_t first) {
  for (std::size_t begin = 0; begin < rows; begin += kStretch) {
    std::size_t count = std::min(kStretch, rows - begin);
    for (std::size_t j = 0; j < inputs_.size(); ++j) {
      const NumberInput& number = plan_.numbers[j];
      inputs_[j] = read_numbers(columns[j], first + begin, count, number.missing, numbers_.data() + j * kStretch, number.text);
    }
    if (!sort_rows(codes, begin, count)) return false;
    if (const auto* clip = std::get_if<NormClip>(&plan_.map)) {
      clip->apply(inputs_.data(), count, outputs_.data(), scratch_.data());
    } else {
      const auto& grids = *std::get_if<std::vector<Grid>>(&plan_.map);
      for (std::size_t j = 0; j < grids.size(); ++j) grids[j].steps(inputs_[j], count, outputs_[j]);
    }
    if (plan_.shape.units > 0) {
      if (!plan_.people) sums_.see(groups_.data(), count);
      leave_out(count);
      count = compact(count);
    }
    if (!plan_.people) sums_.add(addends_, groups_.data(), count);
    for (std::size_t i = 0; plan_.people && i < count; ++i) plan_.people->offer(persons_[i], groups_[i], addends_, i);
  }
  return true;
}

/// groups_, and whether each row is accepted: masks_.
bool RowFold::sort_rows(const std::vector<const std::uint32_t*>& codes, std::size_t first, std::size_t count) {
  std::fill_n(groups_.begin(), count, 0U);
  for (const RowClasses& axis : plan_.by) {
    if (!classify(axis, codes, first, count)) return false;
    for (std::size_t i = 0; i < count; ++i) groups_[i] = groups_[i] * axis.size + classes_[i];
  }
  std::fill_n(masks_.begin(), count, std::uint8_t{1});
  if (!plan_.filter.steps.empty() && !accept(codes, first, count)) return false;
  if (!plan_.people) return true;
  std::copy_n(codes[plan_.person] + first, count, persons_.begin());
  plan_.people->see(persons_.data(), count);
  for (std::size_t i = 0; i < count; ++i) masks_[i] = persons_[i] == PersonRows::kNobody ? std::uint8_t{0} : masks_[i];
  return true;
}

bool RowFold::classify(const RowClasses& classes, const std::vector<const std::uint32_t*>& codes, std::size_t first, std::size_t count) {
  if (!classes.number) {
    std::copy_n(codes[classes.input] + first, count, classes_.begin());
    return std::all_of(classes_.begin(), classes_.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](std::uint32_t c) { return c < classes.size; });
  }
  const auto& [column, missing, text, lower, upper] = plan_.numbers[classes.input];
  const std::vector<double>& cuts = classes.cuts;
  // The number of cuts that are at most `value`: of many, guessed as if they were equidistant.
  const double size = static_cast<double>(cuts.size()), per_step = cuts.size() < 2 ? 0 : 1 / (cuts[1] - cuts[0]);
  const auto reached_by = [&](double value) {
    if (cuts.size() <= 8) return std::count_if(cuts.begin(), cuts.end(), [value](double cut) { return cut <= value; });
    const double at = (value - cuts[0]) * per_step + 1;
    const std::size_t i = at > 0 && at < size + 1 ? static_cast<std::size_t>(at) : 0;
    if ((i == 0 || cuts[i - 1] <= value) && (i == cuts.size() || value < cuts[i])) return static_cast<std::ptrdiff_t>(i);
    return std::upper_bound(cuts.begin(), cuts.end(), value) - cuts.begin();
  };
  for (std::size_t i = 0; i < count; ++i) {
    const double value = std::min(std::max(inputs_[classes.input][i], lower), upper);
    const auto exceeded = classes.apart ? std::lower_bound(cuts.begin(), cuts.end(), value) - cuts.begin() : 0;
    classes_[i] = std::isnan(inputs_[classes.input][i]) ? classes.size - 1 : static_cast<std::uint32_t>(reached_by(value) + exceeded);
  }
  return true;
}

bool RowFold::accept(const std::vector<const std::uint32_t*>& codes, std::size_t first, std::size_t count) {
  std::size_t waiting = 0;
  for (const std::int32_t step : plan_.filter.steps) {
    std::uint8_t* const top = masks_.data() + waiting * kStretch;
    if (step >= 0) {
      const auto test = static_cast<std::size_t>(step);
      if (!classify(plan_.tested[test], codes, first, count)) return false;
      for (std::size_t i = 0; i < count; ++i) top[i] = plan_.filter.tests[test].accepts[classes_[i]];
      ++waiting;
      continue;
    }
    const std::uint8_t* const last = top - kStretch;
    std::uint8_t* const into = top - 2 * kStretch;
    for (std::size_t i = 0; i < count; ++i) into[i] = step == RowFilter::kAnd ? into[i] & last[i] : into[i] | last[i];
    --waiting;
  }
  return true;
}

/// A row without one of the numbers that are left out is not accepted.
void RowFold::leave_out(std::size_t count) {
  for (std::size_t j = 0; j < std::min(plan_.numbers.size(), kernel::kMostColumns); ++j) {  // others only sort rows
    if (((plan_.left_out >> j) & 1U) == 0) continue;
    for (std::size_t i = 0; i < count; ++i) masks_[i] = std::isnan(inputs_[j][i]) ? std::uint8_t{0} : masks_[i];
  }
}

/// Moves the accepted rows to the front and returns their number.
std::size_t RowFold::compact(std::size_t count) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (masks_[i] == 0) continue;
    groups_[kept] = groups_[i];
    persons_[kept] = persons_[i];
    for (std::int32_t* const column : outputs_) column[kept] = column[i];
    ++kept;
  }
  return kept;
}

}  // namespace tacet::data
