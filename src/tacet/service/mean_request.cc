#include "tacet/service/mean_request.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/release_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/request.h"
#include "tacet/service/table_file.h"

namespace tacet::service {
namespace {

using inference::MeanTarget;
using inference::NoisyMean;

/// The number of the group that is asked for; the only one where everybody is.
Result<std::size_t> group_field(const Json& request, const mechanisms::MomentRelease& release) {
  const auto label = text_field(request, "group");
  if (!release.groups) {
    if (!label) return std::size_t{0};
    return Error::invalid("group", label->substr(0, 60), "goes with a release that was made --group-by", "leave --group out");
  }
  const std::vector<std::string>& labels = release.groups->labels;
  const auto found = std::find(labels.begin(), labels.end(), label.value_or(""));
  if (label && found != labels.end()) return static_cast<std::size_t>(found - labels.begin());
  constexpr std::size_t kShown = 20;
  const std::vector<std::string> shown(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, labels.size())));
  return Error::invalid("group", label ? label->substr(0, 60) : "missing",
                        fmt::format("must be a group of the release: {}{}", fmt::join(shown, ", "), labels.size() > kShown ? ", ..." : ""),
                        fmt::format("for example: --group {}", report::shell_word(labels.front())));
}

Result<NoisyMean> mean_field(const Json& request, std::string& group) {
  using mechanisms::MomentRelease;
  using mechanisms::QueryRelease;
  TACET_TRY(const auto read, mechanisms::read_release_as<MomentRelease, QueryRelease>(*text_field(request, "release")));
  if (const auto* query = std::get_if<QueryRelease>(&read)) {
    if (const auto label = text_field(request, "group"))
      return Error::invalid("group", label->substr(0, 60), "goes with a release that was made --group-by", "leave --group out");
    return inference::noisy_mean(*query);
  }
  const auto& release = std::get<MomentRelease>(read);
  TACET_TRY(const std::size_t number, group_field(request, release));
  if (release.groups) group = release.groups->labels[number];
  return inference::noisy_mean(release, number);
}

/// Of the means' coordinates: for a query of one combination of columns, that of the combination.
Result<std::vector<double>> covariance_of_means(const mechanisms::Flattened& given, const NoisyMean& mean) {
  const std::size_t columns = mean.direction.size();
  if (columns == 0 || given.shape[0] != columns) {
    TACET_CHECK(inference::check_covariance(given.values, mean.dimension()));
    return given.values;
  }
  TACET_CHECK(inference::check_covariance(given.values, columns));
  double variance = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t k = 0; k < columns; ++k) variance += mean.direction[j] * given.values[j * columns + k] * mean.direction[k];
  }
  return std::vector<double>{variance};
}

Result<MeanTarget> target_field(const Json& request) {
  const auto text = text_field(request, "for");
  if (!text) return request.contains("covariance") ? MeanTarget::Population : MeanTarget::Data;
  return named<MeanTarget>("for", *text, "data are the people in the file, and the population those they were drawn from");
}

}  // namespace

Json rows_json(const std::vector<double>& matrix, std::size_t dimension) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < dimension; ++i) {
    const auto from = matrix.begin() + static_cast<std::ptrdiff_t>(i * dimension);
    rows.push_back(std::vector<double>(from, from + static_cast<std::ptrdiff_t>(dimension)));
  }
  return rows;
}

Result<MeanRequest> mean_request(const Json& request, const Context& context) {
  context.tell("reading the release");
  MeanRequest asked{};
  TACET_TRY(asked.law.target, target_field(request));
  TACET_TRY(asked.mean, mean_field(request, asked.group));
  if (request.contains("covariance")) {
    TACET_TRY(const mechanisms::Flattened given, square_matrix_field(request, "covariance"));
    TACET_TRY(asked.law.covariance, covariance_of_means(given, asked.mean));
  }
  if (const auto seed = number_field(request, "seed")) {
    TACET_TRY(asked.law.simulation.seed, whole_number("seed", *seed, 0, std::uint64_t{1} << 53));
  }
  if (const auto draws = number_field(request, "draws")) {
    TACET_TRY(asked.law.draws, whole_number("draws", *draws, 1, inference::kMostDraws));
  }
  asked.law.simulation.progress = [&context](double fraction) { context.tell("simulating", fraction); };
  return asked;
}

std::vector<Field> mean_fields(std::vector<Field> own) {
  std::vector<Field> fields = {
      {"release", "FILE", "a release of a mean, sum, second-moment, covariance or query", FieldKind::Text, true},
      {"group", "LABEL", "which group, where the release was made --group-by"},
      {"for", "WHOM", "data (the people in the file) or population (those they were drawn from; the default with --covariance)"},
      {"covariance", "FILE",
       "a public covariance of a row, as a JSON matrix; without it the population needs a release of a covariance, or a whitened query"}};
  for (Field& field : own) fields.push_back(std::move(field));
  fields.push_back({"draws", "B", "draws where the law is simulated", FieldKind::Number});
  fields.push_back({"seed", "S", "where the simulation starts; 1 if not given", FieldKind::Number});
  return fields;
}

Json mean_json(const MeanRequest& asked, inference::MeanMethod method, std::size_t draws, const std::vector<std::string>& includes,
               const std::vector<std::string>& leaves_out) {
  const bool population = asked.law.target == MeanTarget::Population;
  const char* covariance = !population                 ? "none"
                           : asked.law.covariance      ? "public, as given"
                           : asked.mean.row_covariance ? "public, of the query"
                                                       : "private, of the release";
  return Json{{"columns", asked.mean.names},
              {"group", asked.group.empty() ? Json(nullptr) : Json(asked.group)},
              {"for", name(asked.law.target)},
              {"n", asked.mean.people},
              {"n_is_public", asked.mean.people_sd == 0},
              {"covariance", covariance},
              {"method", name(method)},
              {"draws", draws},
              {"seed", draws > 0 ? Json(asked.law.simulation.seed) : Json(nullptr)},
              {"includes", includes},
              {"does_not_include", leaves_out}};
}

std::string included_words(const Json& result) {
  const auto list = [&result](const char* field) {
    std::string out;
    for (const Json& item : result.at(field)) out += (out.empty() ? "" : "; ") + item.get<std::string>();
    return out;
  };
  return fmt::format("Includes: {}.\nDoes not include: {}.\n", list("includes"), list("does_not_include"));
}

std::string whom_words(const Json& result) {
  const std::string people = fmt::format("{}{} people", result.at("n_is_public").get<bool>() ? "" : "about ",
                                         report::readable(std::round(result.at("n").get<double>())));
  const std::string group =
      result.at("group").is_null() ? "" : fmt::format(" of group {}", report::printable(result.at("group").get<std::string>()));
  return result.at("for") == "data" ? fmt::format("the {} in the file{}", people, group)
                                    : fmt::format("the population{} behind {}", group, people);
}

}  // namespace tacet::service
