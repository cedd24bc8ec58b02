#include "tacet/service/table_file.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/kernel/sensitive.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/service/json.h"
#include "tacet/service/value_codec.h"

namespace tacet::service {
namespace {

constexpr std::size_t kShownOfNumbers = 40;

}  // namespace

Result<mechanisms::Flattened> read_table(const std::string& path, const std::string& name) {
  auto json = mechanisms::read_json_file(path, name);
  if (json.ok()) return mechanisms::flatten(*json, name);
  if (json.error().code() != Code::NotFound || !Codec<std::vector<double>>::read(path, name).ok()) return json.error();
  const std::string list = path.starts_with('[') ? path : fmt::format("[{}]", path);
  return Error::invalid(name, path.substr(0, kShownOfNumbers), "must be the name of a JSON file",
                        fmt::format("write {} into a file, and give its name: {} = {}.json",
                                    list.size() > kShownOfNumbers ? "the numbers" : list, name, name));
}

Result<mechanisms::Matrix> read_matrix(const std::string& path, const std::string& name) {
  TACET_TRY(mechanisms::Flattened table, read_table(path, name));
  if (table.shape.size() != 2) {
    return Error::invalid(name, fmt::format("a table of {}", fmt::join(table.shape, " x ")), "must have two dimensions",
                          "for example a file that holds [[0.3, 0.2], [0.2, 0.3]]");
  }
  return mechanisms::Matrix{table.shape[0], table.shape[1], std::move(table.values)};
}

Result<mechanisms::Matrix> read_square_matrix(const std::string& path, const std::string& name) {
  TACET_TRY(mechanisms::Flattened table, read_table(path, name));
  if (table.shape.size() != 2 || table.shape[0] != table.shape[1] || table.shape[0] > kernel::kMostColumns) {
    return Error::invalid(name, fmt::format("a table of {}", fmt::join(table.shape, " x ")),
                          fmt::format("must be a square matrix of at most {0} x {0}", kernel::kMostColumns),
                          "for example a file that holds [[4, 1], [1, 2]]");
  }
  return mechanisms::Matrix{table.shape[0], table.shape[1], std::move(table.values)};
}

}  // namespace tacet::service
