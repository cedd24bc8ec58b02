#include "tacet/service/mean_fields.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/release_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/table_file.h"
#include "tacet/workflow/simulation.h"

namespace tacet::service {

RequestTable<MeanFields> mean_release_table() {
  return RequestTable<MeanFields>()
      .required("release", &MeanFields::release, "FILE", "a release of a mean, sum, second-moment, covariance or query")
      .field(
          "group", [](MeanFields& f) -> auto& { return f.choice.group; }, "LABEL", "which group, where the release has groups")
      .field(
          "for", [](MeanFields& f) -> auto& { return f.choice.target; }, "WHOM",
          "the people in the file, or the population they were drawn from, which a covariance is for")
      .field("covariance", &MeanFields::covariance, "FILE",
             "a public covariance of a row, as a JSON matrix; without it the population needs a release of a covariance, or a whitened "
             "query");
}

RequestTable<MeanFields> mean_simulation_table() {
  return RequestTable<MeanFields>()
      .whole(
          "draws", [](MeanFields& f) -> auto& { return f.choice.draws; }, 1, kMostDraws, "B", "draws where the distribution is simulated")
      .whole("seed", [](MeanFields& f) -> auto& { return f.choice.seed; }, 0, kMostSeed, "S", "where the simulation starts");
}

Result<MeanInput> read_means(const MeanFields& fields, const Context& context) {
  context.tell("reading the release");
  TACET_TRY(MeanRelease release, (mechanisms::read_release_as<MomentRelease, QueryRelease>(fields.release)));
  MeanInput input{std::move(release), fields.choice};
  if (fields.covariance) {
    TACET_TRY(input.choice.covariance, read_square_matrix(*fields.covariance, "covariance"));
  }
  return input;
}

AnswerTable<MeanBasis> mean_basis_table() {
  return AnswerTable<MeanBasis>()
      .value("columns", &MeanBasis::columns, "what the means are of")
      .value("group", &MeanBasis::group, "the group; null: everybody")
      .value("for", &MeanBasis::target, "the people in the file, or the population they were drawn from")
      .value("n", &MeanBasis::n, "the number of people, or of rows, noisy where it is private")
      .value("counted", &MeanBasis::counted, "what n counts: rows where a person may have several")
      .value("n_is_public", &MeanBasis::n_is_public, "whether n is public")
      .value("covariance", &MeanBasis::covariance, "where the covariance of a row comes from")
      .value("method", &MeanBasis::method, "how the distribution of the error is known")
      .value("draws", &MeanBasis::draws, "how many draws there were; null: none")
      .value("seed", &MeanBasis::seed, "where the simulation started; null: nothing was drawn")
      .value("includes", &MeanBasis::includes, "what the answer takes into account")
      .value("does_not_include", &MeanBasis::leaves_out, "what it does not take into account");
}

std::string included_words(const MeanBasis& basis) {
  return fmt::format("Includes: {}.\nDoes not include: {}.\n", fmt::join(basis.includes, "; "), fmt::join(basis.leaves_out, "; "));
}

std::string whom_words(const MeanBasis& basis) {
  const std::string people =
      fmt::format("{}{} {}", basis.n_is_public ? "" : "about ", report::readable(std::round(basis.n)), name(basis.counted));
  const std::string group = basis.group ? fmt::format(" of group {}", report::printable(*basis.group)) : "";
  return basis.target == MeanTarget::Data ? fmt::format("the {} in the file{}", people, group)
                                          : fmt::format("the population{} behind {}", group, people);
}

}  // namespace tacet::service
