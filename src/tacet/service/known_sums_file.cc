#include "tacet/service/known_sums_file.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/json_kind.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/report/text_table.h"
#include "tacet/service/json.h"

namespace tacet::service {
namespace {

using inference::KnownSum;
using mechanisms::ReleasedTable;

constexpr const char* kKnownExample = R"(for example: [{"where": {"sex": "f"}, "sum": 902}])";
constexpr std::size_t kShownOfAName = 60;

Error bad_known(const std::string& value) {
  return Error::invalid("known", value, "must be a list of objects with where or weights, and a sum", kKnownExample);
}

/// The axis and the label that `where` names.
Result<std::pair<std::size_t, std::size_t>> place_of(const std::string& axis, const Json& label, const ReleasedTable& table) {
  const auto found = std::find_if(table.axes.begin(), table.axes.end(), [&axis](const auto& one) { return one.name == axis; });
  if (found == table.axes.end())
    return bad_known(fmt::format("a list with the column {}, which the release has not", report::printable(axis.substr(0, kShownOfAName))));
  if (!label.is_string()) return bad_known("a list with a label that is not a text");
  const auto text = label.get<std::string>();
  const auto at = std::find(found->labels.begin(), found->labels.end(), text);
  if (at == found->labels.end())
    return bad_known(fmt::format("a list with the label {}, which its column has not", report::printable(text.substr(0, kShownOfAName))));
  return std::pair(static_cast<std::size_t>(found - table.axes.begin()), static_cast<std::size_t>(at - found->labels.begin()));
}

/// 1 for each cell with the labels.
Result<std::vector<double>> weights_where(const Json& where, const ReleasedTable& table) {
  std::vector<double> weights(table.values.size(), 1);
  for (const auto& [axis, label] : where.items()) {
    TACET_TRY(const auto place, place_of(axis, label, table));
    std::size_t stride = 1;
    for (std::size_t later = place.first + 1; later < table.shape.size(); ++later) stride *= table.shape[later];
    for (std::size_t cell = 0; cell < weights.size(); ++cell) {
      if (cell / stride % table.shape[place.first] != place.second) weights[cell] = 0;
    }
  }
  return weights;
}

Result<std::vector<double>> weights_of(const Json& item, const ReleasedTable& table) {
  if (item.contains("where") == item.contains("weights"))
    return bad_known("a list with an item that has both of where and weights, or none");
  if (item.contains("where")) {
    if (!item.at("where").is_object()) return bad_known("a list with a where that is not an object");
    return weights_where(item.at("where"), table);
  }
  TACET_TRY(mechanisms::Flattened given, mechanisms::flatten(item.at("weights"), "known"));
  if (given.shape != table.shape) return bad_known("a list with weights that are not nested as the table is");
  return std::move(given.values);
}

}  // namespace

Result<std::vector<KnownSum>> read_known_sums(const std::string& path, const ReleasedTable& table) {
  TACET_TRY(const Json list, mechanisms::read_json_file(path, "known"));
  if (!list.is_array()) return bad_known(mechanisms::json_kind(list));
  if (list.empty()) return bad_known("an empty list");
  std::vector<KnownSum> known;
  for (const Json& item : list) {
    if (!item.is_object() || !item.contains("sum") || !item.at("sum").is_number()) return bad_known("a list with an item without a sum");
    TACET_TRY(const std::vector<double> weights, weights_of(item, table));
    KnownSum one{{}, {}, item.at("sum").get<double>()};
    for (std::size_t cell = 0; cell < weights.size(); ++cell) {
      if (weights[cell] == 0) continue;
      one.cells.push_back(cell);
      one.weights.push_back(weights[cell]);
    }
    known.push_back(std::move(one));
  }
  return known;
}

}  // namespace tacet::service
