#include "tacet/workflow/infer/told_categories.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "tacet/inference/counts/collapsed_table.h"

namespace tacet {
namespace {

constexpr double kTellableErrors = 3;
constexpr double kHalfAPerson = 0.5;

/// Where each category stands among those that stay.
struct Places {
  std::vector<std::optional<std::size_t>> of;
  std::size_t kept = 0;
  bool enough = true;  // false: fewer than two can be told from 0, so all stay
};

Places places_told(const CountRelease& release, const std::vector<std::size_t>& category_of_cell, std::size_t categories) {
  const inference::CollapsedTable totals(release, category_of_cell, categories);
  Places places{std::vector<std::optional<std::size_t>>(categories), 0};
  std::vector<double> weights(categories);
  for (std::size_t i = 0; i < categories; ++i) {
    weights[i] = 1;
    const double noise = std::sqrt(std::max(0.0, totals.noise_covariance(weights, weights)));
    weights[i] = 0;
    if (totals.values()[i] > std::max(kHalfAPerson, kTellableErrors * noise)) places.of[i] = places.kept++;
  }
  if (places.kept >= 2 || categories < 2) return places;
  for (std::size_t i = 0; i < categories; ++i) places.of[i] = i;
  places.kept = categories;
  places.enough = false;
  return places;
}

/// Moves the labels that are left out from the axis to `left_out`.
void take_out(mechanisms::ReleaseAxis& axis, const Places& places, std::vector<std::string>& left_out) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < axis.labels.size(); ++i) {
    if (places.of[i]) {
      kept.push_back(axis.labels[i]);
    } else {
      left_out.push_back(text_of({{{axis.name, {axis.labels[i]}}}}));
    }
  }
  axis.labels = std::move(kept);
}

/// "region=north and sex=f".
std::string stratum_name(const std::vector<mechanisms::ReleaseAxis>& axes, std::size_t columns_of_strata, std::size_t stratum) {
  TableEvent event;
  for (std::size_t a = columns_of_strata; a-- > 0;) {
    const std::size_t labels = axes[a].labels.size();
    event.all_of.insert(event.all_of.begin(), ColumnChoice{axes[a].name, {axes[a].labels[stratum % labels]}});
    stratum /= labels;
  }
  return text_of(event);
}

}  // namespace

std::vector<bool> told_categories(const CountRelease& release, const std::vector<std::size_t>& category_of_cell, std::size_t categories) {
  std::vector<bool> told;
  for (const auto& place : places_told(release, category_of_cell, categories).of) told.push_back(place.has_value());
  return told;
}

ToldTable told_table(const CountRelease& release, const ColumnClasses& all) {
  const std::size_t columns_of_strata = all.axes.size() - 2;
  ToldTable told{all.axes[columns_of_strata], all.axes[columns_of_strata + 1], 1, {}};
  const std::size_t c = told.columns.labels.size();
  const std::size_t r = told.rows.labels.size();
  const std::size_t strata = all.classes / (r * c);
  std::vector<std::size_t> stratum, row, column;
  for (const std::size_t in : all.class_of_cell) {
    column.push_back(in % c);
    row.push_back(in / c % r);
    stratum.push_back(in / (r * c));
  }
  const Places strata_told = strata > 1 ? places_told(release, stratum, strata) : Places{{0}, 1};
  const Places rows_told = places_told(release, row, r);
  const Places columns_told = places_told(release, column, c);
  if (!columns_told.enough) told.untold = told.columns.name;
  if (!rows_told.enough) told.untold = told.rows.name;
  take_out(told.rows, rows_told, told.left_out);
  take_out(told.columns, columns_told, told.left_out);
  for (std::size_t h = 0; h < strata; ++h) {
    if (!strata_told.of[h]) told.left_out.push_back(stratum_name(all.axes, columns_of_strata, h));
  }
  told.strata = strata_told.kept;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto& h = strata_told.of[stratum[i]];
    const auto& a = rows_told.of[row[i]];
    const auto& b = columns_told.of[column[i]];
    told.class_of_cell.push_back(h && a && b ? (*h * told.rows.labels.size() + *a) * told.columns.labels.size() + *b : told.classes());
  }
  return told;
}

}  // namespace tacet
