#include "tacet/schemas/words.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"
#include "tacet/data/stored_column.h"

namespace tacet::schemas {
namespace {

constexpr std::size_t kMostListed = 20;

// Levenshtein's distance in bytes.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, substituted}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kMostListed; ++i) out += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  if (names.size() > kMostListed) out += fmt::format(" and {} more", names.size() - kMostListed);
  return out;
}

std::string did_you_mean(std::string_view written, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  std::size_t least = std::max<std::size_t>(1, written.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t longer = std::max(written.size(), candidate.size());
    // The distance is at least the difference of the lengths.
    if (longer - std::min(written.size(), candidate.size()) >= least) continue;
    const std::size_t d = distance(written, candidate);
    if (d < least) {
      least = d;
      nearest = &candidate;
    }
  }
  return nearest == nullptr ? std::string() : "did you mean " + in_quotes(*nearest) + "?";
}

std::optional<Decimal> day_of(std::string_view date) {
  constexpr std::size_t kLetters = 10;
  const double day = date.size() == kLetters ? data::read_number(date, {.date = true}) : std::nan("");
  return std::isnan(day) ? std::nullopt : std::optional(Decimal(static_cast<long>(day)));
}

std::string toml_key(std::string_view name) {
  const auto is_bare = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_bare) ? std::string(name) : in_quotes(name);
}

std::string contribution_words(const std::optional<data::Contributions>& contributions) {
  if (!contributions) return "one row";
  const auto& [person, rows, groups] = *contributions;
  const auto at_most = [](std::int64_t most, const char* what) { return fmt::format("at most {} {}{}", most, what, most == 1 ? "" : "s"); };
  const std::string limit = groups ? fmt::format("{} with {} each", at_most(*groups, "group"), at_most(rows, "row")) : at_most(rows, "row");
  return fmt::format("{}, named by {}", limit, toml_key(person));
}

std::string neighbour_words(const kernel::Relation& relation, const std::optional<data::Contributions>& contributions) {
  return kernel::describe(relation) + (contributions ? " (one person, with all their rows)" : "");
}

}  // namespace tacet::schemas
