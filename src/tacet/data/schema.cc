#include "tacet/data/schema.h"

namespace tacet::data {

const Column* Schema::find(std::string_view name) const {
  for (const Column& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

std::vector<std::string> Schema::names() const {
  std::vector<std::string> out;
  out.reserve(columns.size());
  for (const Column& column : columns) out.push_back(column.name);
  return out;
}

}  // namespace tacet::data
