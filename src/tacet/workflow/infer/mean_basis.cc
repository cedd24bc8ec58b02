#include "tacet/workflow/infer/mean_basis.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/workflow/infer/date_columns.h"
#include "tacet/workflow/infer/one_each.h"
#include "tacet/workflow/simulation.h"

namespace tacet {
namespace {

using inference::NoisyMean;

constexpr std::size_t kShownOfAGroup = 60;

/// The number of the chosen group; 0 if there are no groups.
Result<std::size_t> chosen_group(const std::optional<mechanisms::ReleasedGroups>& groups, const std::optional<std::string>& label) {
  if (!groups) {
    if (label) return Error::invalid("group", label->substr(0, kShownOfAGroup), "goes with a release that has groups", "leave group out");
    return std::size_t{0};
  }
  const std::vector<std::string>& labels = groups->labels;
  const auto found = std::find(labels.begin(), labels.end(), label.value_or(""));
  if (label && found != labels.end()) return static_cast<std::size_t>(found - labels.begin());
  constexpr std::size_t kMostLabels = 20;
  const std::vector<std::string> shown(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(std::min(kMostLabels, labels.size())));
  return Error::invalid(
      "group", label ? label->substr(0, kShownOfAGroup) : "missing",
      fmt::format("must be a group of the release: {}{}", fmt::join(shown, ", "), labels.size() > kMostLabels ? ", ..." : ""),
      fmt::format("for example: group = {}", labels.front()));
}

struct ChosenMean {
  NoisyMean mean;
  std::optional<std::string> group = {};
  std::vector<bool> dates = {};
};

Result<ChosenMean> chosen_mean(const MeanRelease& release, const std::optional<std::string>& label) {
  if (const auto* query = std::get_if<QueryRelease>(&release)) {
    TACET_TRY(const std::size_t number, chosen_group(query->groups, label));
    TACET_TRY(NoisyMean mean, inference::noisy_mean(*query, number));
    return ChosenMean{std::move(mean), label};
  }
  const auto& moments = std::get<MomentRelease>(release);
  TACET_TRY(const std::size_t number, chosen_group(moments.groups, label));
  TACET_TRY(NoisyMean mean, inference::noisy_mean(moments, number));
  ChosenMean chosen{std::move(mean), label};
  chosen.dates = date_columns(moments);
  return chosen;
}

/// The covariance of the means' coordinates: for a query of one combination of columns, that of
/// the combination.
Result<std::vector<double>> covariance_of_means(const Matrix& given, const NoisyMean& mean) {
  if (given.rows != given.columns)
    return Error::invalid("covariance", fmt::format("a matrix of {} x {}", given.rows, given.columns), "must be a square matrix");
  const std::size_t columns = mean.direction.size();
  if (columns == 0 || given.rows != columns) {
    TACET_CHECK(inference::check_covariance(given.values, mean.dimension()));
    return given.values;
  }
  TACET_CHECK(inference::check_covariance(given.values, columns));
  double variance = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t k = 0; k < columns; ++k) variance += mean.direction[j] * given.at(j, k) * mean.direction[k];
  }
  return std::vector<double>{variance};
}

}  // namespace

std::size_t group_count(const MeanRelease& release) {
  return std::visit([](const auto& one) { return one.parts.size(); }, release);
}

MeanBasis MeanQuestion::basis() const {
  using enum CovarianceSource;
  const bool population = distribution.target == MeanTarget::Population;
  return {.columns = mean.names,
          .dates = dates,
          .group = group,
          .target = distribution.target,
          .n = mean.people,
          .counted = mean.counted,
          .n_is_public = !mean.people_sd,
          .covariance = !population               ? None
                        : distribution.covariance ? Given
                        : mean.row_covariance     ? Query
                                                  : CovarianceSource::Released,
          .method = MeanMethod::Exact,
          .draws = {},
          .seed = {},
          .includes = {},
          .leaves_out = {}};
}

Result<MeanQuestion> mean_question(const MeanRelease& release, const MeanChoice& choice, const Context& context) {
  TACET_TRY(ChosenMean chosen, chosen_mean(release, choice.group));
  MeanQuestion question{
      .mean = std::move(chosen.mean), .distribution = {}, .group = std::move(chosen.group), .dates = std::move(chosen.dates)};
  question.distribution.target = choice.target.value_or(choice.covariance ? MeanTarget::Population : MeanTarget::Data);
  if (question.distribution.target == MeanTarget::Population)
    TACET_CHECK(std::visit([](const auto& one) { return check_one_each(one.header); }, release));
  if (choice.covariance) {
    TACET_TRY(question.distribution.covariance, covariance_of_means(*choice.covariance, question.mean));
  }
  question.distribution.draws = choice.draws;
  question.distribution.simulation = told({.seed = choice.seed}, context, "simulating");
  return question;
}

}  // namespace tacet
