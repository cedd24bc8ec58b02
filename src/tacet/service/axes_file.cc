#include "tacet/service/axes_file.h"

#include <utility>

#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/json_kind.h"
#include "tacet/service/json.h"

namespace tacet::service {
namespace {

Error bad_axes(const std::string& value) {
  return Error::invalid("axes", value, "must be a list with a name and the labels of each axis",
                        R"(for example: [{"name": "sex", "labels": ["f", "m"]}])");
}

}  // namespace

Result<std::vector<mechanisms::ReleaseAxis>> read_axes(const std::string& path) {
  TACET_TRY(const Json list, mechanisms::read_json_file(path, "axes"));
  if (!list.is_array()) return bad_axes(mechanisms::json_kind(list));
  std::vector<mechanisms::ReleaseAxis> axes;
  for (const Json& item : list) {
    const Json& name = item.is_object() ? item.value("name", Json()) : Json();
    const Json& labels = item.is_object() ? item.value("labels", Json()) : Json();
    if (!name.is_string() || !labels.is_array()) return bad_axes("a list with an axis without name or labels");
    mechanisms::ReleaseAxis axis{name.get<std::string>(), {}};
    for (const Json& label : labels) {
      if (!label.is_string()) return bad_axes("a list with a label that is not a text");
      axis.labels.push_back(label.get<std::string>());
    }
    for (const Json& edge : item.value("edges", Json::array())) {
      if (!edge.is_number()) return bad_axes("a list with an edge that is not a number");
      axis.edges.push_back(edge.get<double>());
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace tacet::service
