#include "support/two_cell_audit.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace tacet::test {

TwoCellAudit::TwoCellAudit(const Setting& setting)
    : a_(static_cast<Int128>(setting.a) << setting.grid_log2),
      b_(static_cast<Int128>(setting.b) << setting.grid_log2),
      one_(Int128{1} << setting.grid_log2),
      width_(std::max<Int128>(1, static_cast<Int128>(std::ldexp(setting.scale, setting.grid_log2 - 2)))) {}

/// 0 below the first threshold, j + 1 from threshold j on; threshold j is (j - kHalf) widths.
std::size_t TwoCellAudit::bin(Int128 value) const {
  const Int128 shifted = value + kHalf * width_;
  if (shifted < 0) return 0;
  return static_cast<std::size_t>(std::min<Int128>(shifted / width_ + 1, 2 * kHalf + 1));
}

void TwoCellAudit::count(Neighbour neighbour, Int128 y1, Int128 y2) {
  const auto index = static_cast<std::size_t>(neighbour);
  Side& side = sides_[index];
  ++sizes_[index];
  const Int128 first = y1 - a_, second = y2 - b_;
  ++side.difference[bin(first - second)];
  ++side.first[bin(first)];
  ++side.second[bin(second)];
  if (first >= one_ && second <= 0) ++side.quadrant[0];
  if (first <= 0 && second >= one_) ++side.quadrant[1];
  ++side.low_first[static_cast<std::size_t>(y1 & 255)];
  ++side.low_second[static_cast<std::size_t>(y2 & 255)];
  side.odd_sum += static_cast<std::uint64_t>((y1 + y2) & 1);
}

ProvenEvents TwoCellAudit::shape(double false_alarm) const {
  if (sizes_[0] != sizes_[1]) std::abort();  // the auditor compares samples of one size
  const std::uint64_t n = sizes_[0];
  std::vector<EventPair> pairs;
  const auto add = [&](const std::string& what, std::uint64_t first, std::uint64_t second) {
    pairs.push_back({what, first, second});
    pairs.push_back({"not " + what, n - first, n - second});
  };
  const auto thresholds = [&](const char* what, Bins Side::* bins) {
    std::uint64_t first = 0, second = 0;
    for (std::size_t j = 2 * kHalf + 1; j >= 1; --j) {
      first += (sides_[0].*bins)[j];
      second += (sides_[1].*bins)[j];
      add(fmt::format("{} >= {:+} scales", what, (static_cast<double>(j) - 1 - kHalf) / 4), first, second);
    }
  };
  thresholds("y1 - y2 - (a - b)", &Side::difference);
  thresholds("y1 - a", &Side::first);
  thresholds("y2 - b", &Side::second);
  add("y1 >= a + 1 and y2 <= b", sides_[0].quadrant[0], sides_[1].quadrant[0]);
  add("y1 <= a and y2 >= b + 1", sides_[0].quadrant[1], sides_[1].quadrant[1]);
  return {pairs, n, false_alarm};
}

ProvenEvents TwoCellAudit::low_bits(double false_alarm) const {
  if (sizes_[0] != sizes_[1]) std::abort();
  std::vector<EventPair> pairs;
  for (const std::uint64_t modulus : {2U, 4U, 256U}) {
    for (std::uint64_t residue = 0; residue < modulus; ++residue) {
      EventPair first{fmt::format("y1 = {} modulo {}", residue, modulus), 0, 0},
          second{fmt::format("y2 = {} modulo {}", residue, modulus), 0, 0};
      for (std::size_t value = residue; value < 256; value += modulus) {
        first.first += sides_[0].low_first[value];
        first.second += sides_[1].low_first[value];
        second.first += sides_[0].low_second[value];
        second.second += sides_[1].low_second[value];
      }
      pairs.push_back(first);
      pairs.push_back(second);
    }
  }
  pairs.push_back({"y1 + y2 odd", sides_[0].odd_sum, sides_[1].odd_sum});
  return {pairs, sizes_[0], false_alarm};
}

}  // namespace tacet::test
