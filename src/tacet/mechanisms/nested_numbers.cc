#include "tacet/mechanisms/nested_numbers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/release_fields.h"
#include "tacet/mechanisms/released_table.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr ReleaseFields kTableFields("for example: [[812, 90], [455, 120]]");

Status flatten_into(const json& value, std::size_t depth, const std::string& name, Flattened& out) {
  if (!value.is_array()) {
    if (!value.is_number())
      return kTableFields.bad(name, fmt::format("an array with {}", words_for(value)), "must hold nothing but numbers");
    if (depth != out.shape.size()) return kTableFields.bad(name, "ragged", "must have rows of equal length");
    TACET_TRY(const double number, kTableFields.finite(value, name));
    if (out.values.size() == kMostReleasedCells)
      return kTableFields.bad(name, "too long", fmt::format("must have at most {} cells", kMostReleasedCells));
    out.values.push_back(number);
    return {};
  }
  if (value.empty()) return kTableFields.bad(name, "[]", "must have at least one cell");
  if (depth == kMostAxes) return kTableFields.bad(name, "too deep", fmt::format("must be nested at most {} deep", kMostAxes));
  const bool first_of_its_depth = depth == out.shape.size();
  if (first_of_its_depth && !out.values.empty()) return kTableFields.bad(name, "ragged", "must have rows of equal length");
  if (first_of_its_depth) out.shape.push_back(value.size());
  if (out.shape[depth] != value.size()) return kTableFields.bad(name, "ragged", "must have rows of equal length");
  for (const json& item : value) TACET_CHECK(flatten_into(item, depth + 1, name, out));
  return {};
}

json nest_from(const std::vector<double>& values, const std::vector<std::size_t>& shape, std::size_t depth, std::size_t& at) {
  json array = json::array();
  for (std::size_t i = 0; i < shape[depth]; ++i) {
    if (depth + 1 == shape.size()) {
      array.push_back(values[at++]);
    } else {
      array.push_back(nest_from(values, shape, depth + 1, at));
    }
  }
  return array;
}

}  // namespace

json nested(const std::vector<double>& values, const std::vector<std::size_t>& shape) {
  std::size_t at = 0;
  return nest_from(values, shape, 0, at);
}

json nested(const Matrix& matrix) { return nested(matrix.values, {matrix.rows, matrix.columns}); }

Result<Flattened> flatten(const json& value, const std::string& name) {
  if (!value.is_array()) return kTableFields.bad(name, words_for(value), "must be an array of numbers, nested for a table");
  Flattened out;
  TACET_CHECK(flatten_into(value, 0, name, out));
  return out;
}

}  // namespace tacet::mechanisms
