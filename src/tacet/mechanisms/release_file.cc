#include "tacet/mechanisms/release_file.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kMostAxes = 32;

Error bad(const std::string& field, const std::string& value, const std::string& rule) {
  return Error::invalid(field, value, rule, "give a file written by `tacet release` or `tacet import`");
}

Result<const json*> member(const json& object, const std::string& field) {
  if (!object.is_object() || !object.contains(field)) return bad(field, "missing", "must be there in a release file");
  return &object.at(field);
}

Result<double> finite(const json& value, const std::string& field) {
  if (!value.is_number()) return bad(field, "not a number", "must be a number");
  const double number = value.get<double>();
  if (!std::isfinite(number)) return bad(field, fmt::format("{}", number), "must be finite");
  return number;
}

Result<std::string> text(const json& object, const std::string& field) {
  TACET_TRY(const json* value, member(object, field));
  if (!value->is_string()) return bad(field, "not a text", "must be a text");
  return value->get<std::string>();
}

Status flatten_into(const json& value, std::size_t depth, const std::string& name, Flattened& out) {
  if (!value.is_array()) {
    if (depth != out.shape.size()) return bad(name, "ragged", "must be a rectangular array of numbers");
    TACET_TRY(const double number, finite(value, name));
    if (out.values.size() == kMostReleasedCells) return bad(name, "too long", fmt::format("must have at most {} cells", kMostReleasedCells));
    out.values.push_back(number);
    return {};
  }
  if (value.empty()) return bad(name, "[]", "must have at least one cell");
  if (depth == kMostAxes) return bad(name, "too deep", fmt::format("must be nested at most {} deep", kMostAxes));
  const bool first_of_its_depth = depth == out.shape.size();
  if (first_of_its_depth && !out.values.empty()) return bad(name, "ragged", "must be a rectangular array of numbers");
  if (first_of_its_depth) out.shape.push_back(value.size());
  if (out.shape[depth] != value.size()) return bad(name, "ragged", "must be a rectangular array of numbers");
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

Result<NoiseLaw> noise_from(const json& value) {
  TACET_TRY(const std::string family, text(value, "family"));
  NoiseLaw law{};
  if (family == "gaussian") {
    law.family = kernel::NoiseFamily::Gaussian;
  } else if (family == "laplace") {
    law.family = kernel::NoiseFamily::Laplace;
  } else {
    return bad("noise family", family.substr(0, 40), "must be gaussian or laplace");
  }
  TACET_TRY(const json* scale, member(value, "scale"));
  TACET_TRY(law.scale, finite(*scale, "noise scale"));
  if (!(law.scale > 0)) return bad("noise scale", fmt::format("{}", law.scale), "must be greater than 0");
  TACET_TRY(const std::string structure, text(value, "structure"));
  if (structure == "sum-zero") {
    if (law.family != kernel::NoiseFamily::Gaussian) return bad("noise structure", structure, "must be independent for Laplace noise");
    law.structure = NoiseStructure::SumZero;
  } else if (structure != "independent") {
    return bad("noise structure", structure.substr(0, 40), "must be independent or sum-zero");
  }
  return law;
}

Result<std::vector<ReleaseAxis>> axes_from(const json& value, const std::vector<std::size_t>& shape) {
  std::vector<ReleaseAxis> axes;
  if (!value.is_array()) return bad("axes", "not a list", "must be a list");
  for (const json& item : value) {
    ReleaseAxis axis;
    TACET_TRY(axis.name, text(item, "name"));
    TACET_TRY(const json* labels, member(item, "labels"));
    if (!labels->is_array()) return bad("labels", "not a list", "must be a list of texts");
    for (const json& label : *labels) {
      if (!label.is_string()) return bad("labels", "not a text", "must be a list of texts");
      axis.labels.push_back(label.get<std::string>());
    }
    axes.push_back(std::move(axis));
  }
  if (axes.empty()) return axes;
  if (axes.size() != shape.size()) return bad("axes", fmt::format("{}", axes.size()), fmt::format("must be as many as the dimensions of values, {}", shape.size()));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].labels.size() != shape[i]) return bad("labels", fmt::format("{}", axes[i].labels.size()), fmt::format("must be as many as the cells of that axis, {}", shape[i]));
  }
  return axes;
}

}  // namespace

json nested(const std::vector<double>& values, const std::vector<std::size_t>& shape) {
  std::size_t at = 0;
  return nest_from(values, shape, 0, at);
}

Result<Flattened> flatten(const json& value, const std::string& name) {
  if (!value.is_array()) return bad(name, "not a list", "must be an array of numbers, nested for a table");
  Flattened out;
  TACET_CHECK(flatten_into(value, 0, name, out));
  return out;
}

std::string Release::cell_name(std::size_t cell) const {
  if (axes.empty()) return fmt::format("cell {}", cell + 1);
  std::string name;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const std::size_t label = cell % shape[i];
    cell /= shape[i];
    name = axes[i].name + "=" + axes[i].labels[label] + (name.empty() ? "" : ", " + name);
  }
  return name;
}

json to_json(const Release& release) {
  json axes = json::array();
  for (const ReleaseAxis& axis : release.axes) axes.push_back({{"name", axis.name}, {"labels", axis.labels}});
  const bool sum_zero = release.noise.structure == NoiseStructure::SumZero;
  return {{"tacet_release", kVersion},
          {"kind", release.kind},
          {"statement", release.statement},
          {"n", release.n ? json(*release.n) : json(nullptr)},
          {"axes", axes},
          {"values", nested(release.values, release.shape)},
          {"grid", release.grid ? json(*release.grid) : json(nullptr)},
          {"noise", {{"family", kernel::name(release.noise.family)}, {"scale", release.noise.scale}, {"structure", sum_zero ? "sum-zero" : "independent"}}},
          {"privacy", release.privacy},
          {"guarantee", release.guarantee},
          {"ledger", release.ledger},
          {"time", release.time}};
}

Result<Release> release_from_json(const json& value) {
  TACET_TRY(const json* version, member(value, "tacet_release"));
  if (*version != kVersion) return bad("tacet_release", version->dump().substr(0, 40), fmt::format("must be {}, the version this program reads", kVersion));
  Release release{};
  TACET_TRY(release.kind, text(value, "kind"));
  if (release.kind != "counts") return bad("kind", release.kind.substr(0, 40), "must be counts");
  TACET_TRY(const json* statement, member(value, "statement"));
  release.statement = *statement;
  TACET_TRY(const json* n, member(value, "n"));
  if (!n->is_null()) {
    TACET_TRY(release.n, finite(*n, "n"));
    if (*release.n < 0) return bad("n", fmt::format("{}", *release.n), "must be at least 0");
  }
  TACET_TRY(const json* values, member(value, "values"));
  TACET_TRY(Flattened table, flatten(*values, "values"));
  release.shape = std::move(table.shape);
  release.values = std::move(table.values);
  TACET_TRY(const json* axes, member(value, "axes"));
  TACET_TRY(release.axes, axes_from(*axes, release.shape));
  TACET_TRY(const json* grid, member(value, "grid"));
  if (!grid->is_null()) {
    TACET_TRY(release.grid, finite(*grid, "grid"));
    if (!(*release.grid > 0)) return bad("grid", fmt::format("{}", *release.grid), "must be greater than 0");
  }
  TACET_TRY(const json* noise, member(value, "noise"));
  TACET_TRY(release.noise, noise_from(*noise));
  TACET_TRY(const json* privacy, member(value, "privacy"));
  release.privacy = *privacy;
  TACET_TRY(release.guarantee, text(value, "guarantee"));
  TACET_TRY(const json* ledger, member(value, "ledger"));
  release.ledger = *ledger;
  TACET_TRY(release.time, text(value, "time"));
  return release;
}

Result<Release> read_release(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error::of(Code::NotFound, fmt::format("the release file \"{}\" cannot be opened", path), "check the name, or make one with `tacet release`");
  std::ostringstream contents;
  contents << in.rdbuf();
  const json value = json::parse(contents.str(), nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) return bad("release file", fmt::format("\"{}\"", path), "must be JSON");
  return release_from_json(value);
}

}  // namespace tacet::mechanisms
