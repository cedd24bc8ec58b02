#include "tacet/mechanisms/release_file.h"

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/release_fields.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr ReleaseFields kFields("give a file written by `tacet release` or `tacet import`");
constexpr double kMostPeople = 0x1p53;
constexpr double kTotalSlack = 1e-9;

Error bad_table(const std::string& name, const std::string& value, const std::string& rule) {
  return Error::invalid(name, value, rule, "for example: [[812, 90], [455, 120]]");
}

Status flatten_into(const json& value, std::size_t depth, const std::string& name, Flattened& out) {
  if (!value.is_array()) {
    if (!value.is_number()) return bad_table(name, fmt::format("an array with {}", words_for(value)), "must hold nothing but numbers");
    if (depth != out.shape.size()) return bad_table(name, "ragged", "must have rows of equal length");
    TACET_TRY(const double number, kFields.finite(value, name));
    if (out.values.size() == kMostReleasedCells)
      return bad_table(name, "too long", fmt::format("must have at most {} cells", kMostReleasedCells));
    out.values.push_back(number);
    return {};
  }
  if (value.empty()) return bad_table(name, "[]", "must have at least one cell");
  if (depth == kMostAxes) return bad_table(name, "too deep", fmt::format("must be nested at most {} deep", kMostAxes));
  const bool first_of_its_depth = depth == out.shape.size();
  if (first_of_its_depth && !out.values.empty()) return bad_table(name, "ragged", "must have rows of equal length");
  if (first_of_its_depth) out.shape.push_back(value.size());
  if (out.shape[depth] != value.size()) return bad_table(name, "ragged", "must have rows of equal length");
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

Result<NoiseDistribution> noise_from(const json& value) {
  if (!value.is_object()) return kFields.bad("noise", words_for(value), "must be an object with family, scale and structure");
  TACET_TRY(const std::string family, kFields.text(value, "family"));
  NoiseDistribution law{};
  if (family == "gaussian") {
    law.family = kernel::NoiseFamily::Gaussian;
  } else if (family == "laplace") {
    law.family = kernel::NoiseFamily::Laplace;
  } else {
    return kFields.bad("noise family", family, "must be gaussian or laplace");
  }
  TACET_TRY(const json* scale, kFields.member(value, "scale"));
  TACET_TRY(law.scale, kFields.positive(*scale, "noise scale"));
  TACET_TRY(const std::string structure, kFields.text(value, "structure"));
  if (structure == "sum-zero") {
    if (law.family != kernel::NoiseFamily::Gaussian)
      return kFields.bad("noise structure", structure, "must be independent for Laplace noise");
    law.structure = NoiseStructure::SumZero;
  } else if (structure != "independent") {
    return kFields.bad("noise structure", structure, "must be independent or sum-zero");
  }
  return law;
}

/// Noise that keeps the total leaves a table whose total is n, up to the rounding of its sum.
Status check_total(const Release& release) {
  if (!release.n) return kFields.bad("noise structure", "sum-zero", "keeps the total n, which must be there then");
  double sum = 0;
  double size = *release.n;
  for (const double value : release.values) {
    sum += value;
    size += std::abs(value);
  }
  if (std::abs(sum - *release.n) <= kTotalSlack * size) return {};
  return kFields.bad("values", fmt::format("a table of {}", sum),
                     fmt::format("must sum to n, {}, as noise of structure sum-zero keeps it", *release.n));
}

bool has_epsilon(LocalKind kind) { return kind == LocalKind::Exp || kind == LocalKind::Flip; }
std::string parameter_name(LocalKind kind) { return has_epsilon(kind) ? "epsilon" : "scale"; }

std::vector<double> standard_errors(const Release& release) {
  std::vector<double> errors;
  errors.reserve(release.values.size());
  for (std::size_t j = 0; j < release.values.size(); ++j)
    errors.push_back(std::sqrt(covariance(release.local->law, *release.n, release.values, j, j)));
  return errors;
}

json noise_json(const Release& release) {
  if (release.local) {
    const LocalRandomizer& law = release.local->law;
    return {{"family", name(law.kind)},
            {parameter_name(law.kind), law.parameter},
            {"structure", "local"},
            {"standard_errors", nested(standard_errors(release), release.shape)}};
  }
  const bool sum_zero = release.noise.structure == NoiseStructure::SumZero;
  return {{"family", name(release.noise.family)}, {"scale", release.noise.scale}, {"structure", sum_zero ? "sum-zero" : "independent"}};
}

/// The law and the reports of a local release, and that its values are what follows from them.
Status read_local(const json& value, Release& release) {
  if (!release.n) return kFields.bad("n", "null", "must be the number of reports in a local release");
  TACET_TRY(const json* noise, kFields.member(value, "noise"));
  if (!noise->is_object()) return kFields.bad("noise", words_for(*noise), "must be an object with family and its parameter");
  TACET_TRY(const std::string family, kFields.text(*noise, "family"));
  const auto kind = named<LocalKind>("noise family", family);
  if (!kind) return kFields.bad("noise family", family, "must be exp, flip, gaussian or laplace in a local release");
  TACET_TRY(const json* parameter, kFields.member(*noise, parameter_name(*kind)));
  LocalRandomizer law{*kind, 0};
  TACET_TRY(law.parameter, kFields.positive(*parameter, parameter_name(*kind)));
  TACET_CHECK(check_distribution(law));
  TACET_TRY(const json* reports, kFields.member(value, "reports"));
  TACET_TRY(Flattened table, flatten(*reports, "reports"));
  if (table.shape != release.shape) return kFields.bad("reports", "of another shape", "must have the shape of values");
  TACET_CHECK(check_reports(law, *release.n, table.values));
  const std::vector<double> expected = estimates(law, *release.n, table.values);
  for (std::size_t j = 0; j < expected.size(); ++j) {
    if (!(std::abs(expected[j] - release.values[j]) <= kTotalSlack * (std::abs(expected[j]) + *release.n))) {
      return kFields.bad("values", fmt::format("a table with {}", release.values[j]),
                         fmt::format("must be the estimates from the reports, here {}", expected[j]));
    }
  }
  release.local = LocalReports{law, std::move(table.values)};
  release.noise = {kernel::NoiseFamily::Gaussian, std::numeric_limits<double>::quiet_NaN()};
  return {};
}

/// The noise and the grid of counts.
Status read_counts(const json& value, Release& release) {
  TACET_TRY(const json* noise, kFields.member(value, "noise"));
  TACET_TRY(release.noise, noise_from(*noise));
  TACET_TRY(const json* grid, kFields.member(value, "grid"));
  if (!grid->is_null()) {
    TACET_TRY(release.grid, kFields.positive(*grid, "grid"));
    if (*release.grid > release.noise.scale)
      return kFields.bad("grid", fmt::format("{}", *release.grid), fmt::format("must be at most the noise scale, {}", release.noise.scale));
  }
  if (release.noise.structure == NoiseStructure::SumZero) TACET_CHECK(check_total(release));
  return {};
}

Result<std::vector<ReleaseAxis>> axes_from(const json& value, const std::vector<std::size_t>& shape) {
  std::vector<ReleaseAxis> axes;
  if (!value.is_array()) return kFields.bad("axes", words_for(value), "must be a list");
  for (const json& item : value) {
    if (!item.is_object()) return kFields.bad("axes", "a list with " + words_for(item), "must list objects with name and labels");
    ReleaseAxis axis;
    TACET_TRY(axis.name, kFields.text(item, "name"));
    TACET_TRY(const json* labels, kFields.member(item, "labels"));
    if (!labels->is_array()) return kFields.bad("labels", words_for(*labels), "must be a list of texts");
    std::set<std::string> seen;
    for (const json& label : *labels) {
      if (!label.is_string()) return kFields.bad("labels", "a list with " + words_for(label), "must be a list of texts");
      axis.labels.push_back(label.get<std::string>());
      if (!seen.insert(axis.labels.back()).second)
        return kFields.bad("labels", fmt::format("\"{}\" twice", axis.labels.back().substr(0, 40)), "must differ within an axis");
    }
    axes.push_back(std::move(axis));
  }
  if (axes.empty()) return axes;
  if (axes.size() != shape.size()) {
    return kFields.bad("axes", fmt::format("{}", axes.size()),
                       fmt::format("must be as many as the dimensions of values, {}", shape.size()));
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].labels.size() != shape[i]) {
      return kFields.bad("labels", fmt::format("{}", axes[i].labels.size()),
                         fmt::format("must be as many as the cells of that axis, {}", shape[i]));
    }
  }
  return axes;
}

}  // namespace

json nested(const std::vector<double>& values, const std::vector<std::size_t>& shape) {
  std::size_t at = 0;
  return nest_from(values, shape, 0, at);
}

Result<Flattened> flatten(const json& value, const std::string& name) {
  if (!value.is_array()) return bad_table(name, words_for(value), "must be an array of numbers, nested for a table");
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
  json file = {{"tacet_release", kReleaseVersion},
               {"kind", release.kind},
               {"statement", release.statement},
               {"n", release.n ? json(static_cast<std::int64_t>(*release.n)) : json(nullptr)},
               {"axes", axes},
               {"values", nested(release.values, release.shape)},
               {"grid", release.grid ? json(*release.grid) : json(nullptr)},
               {"noise", noise_json(release)},
               {"privacy", release.privacy},
               {"guarantee", release.guarantee},
               {"ledger", release.ledger},
               {"time", release.time}};
  if (release.local) file["reports"] = nested(release.local->reports, release.shape);
  return file;
}

Status check_counts(const Release& release) {
  if (release.kind == "counts") return {};
  return Error::invalid("kind", release.kind, "must be counts: a table with noise that was added to true counts",
                        "the estimates of a local release, and their standard errors, are in the file itself");
}

Result<Release> describe_local(LocalReports local, double n, std::vector<std::size_t> shape, json privacy) {
  TACET_CHECK(check_people(n));
  TACET_CHECK(check_distribution(local.law));
  TACET_CHECK(check_reports(local.law, n, local.reports));
  Release release{};
  release.kind = "local";
  release.statement = {{"import", "local"}};
  release.n = n;
  release.shape = std::move(shape);
  release.values = estimates(local.law, n, local.reports);
  release.noise = {kernel::NoiseFamily::Gaussian, std::numeric_limits<double>::quiet_NaN()};
  release.local = std::move(local);
  release.privacy = std::move(privacy);
  release.guarantee = "unknown";
  return release;
}

Status check_people(double n) {
  if (n >= 0 && n <= kMostPeople && n == std::floor(n)) return {};
  return Error::invalid("n", fmt::format("{}", n), "must be a whole number of people, at least 0 and at most 2^53");
}

Result<Release> release_from_json(const json& value) {
  TACET_CHECK(kFields.check_version(value));
  Release release{};
  TACET_TRY(release.kind, kFields.text(value, "kind"));
  if (release.kind != "counts" && release.kind != "local") return kFields.bad("kind", release.kind, "must be counts or local");
  TACET_TRY(const json* n, kFields.member(value, "n"));
  if (!n->is_null()) {
    TACET_TRY(release.n, kFields.finite(*n, "n"));
    TACET_CHECK(check_people(*release.n));
  }
  TACET_TRY(const json* values, kFields.member(value, "values"));
  TACET_TRY(Flattened table, flatten(*values, "values"));
  release.shape = std::move(table.shape);
  release.values = std::move(table.values);
  TACET_TRY(const json* axes, kFields.member(value, "axes"));
  TACET_TRY(release.axes, axes_from(*axes, release.shape));
  TACET_CHECK(release.kind == "local" ? read_local(value, release) : read_counts(value, release));
  TACET_CHECK(kFields.read_common(value, release));
  return release;
}

Result<Release> read_release(const std::string& path) {
  TACET_TRY(const json value, read_json_file(path, "release"));
  return release_from_json(value);
}

}  // namespace tacet::mechanisms
