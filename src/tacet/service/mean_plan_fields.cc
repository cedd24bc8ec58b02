#include "tacet/service/mean_plan_fields.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/table_file.h"

namespace tacet::service {

RequestTable<MeanPlanFields> covariance_table() {
  return RequestTable<MeanPlanFields>().field("covariance", &MeanPlanFields::covariance, "FILE",
                                              "the public covariance of a row: a JSON matrix; not needed for the data with range");
}

RequestTable<MeanPlanFields> design_table() {
  return RequestTable<MeanPlanFields>()
      .include([](MeanPlanFields& f) -> auto& { return f.design.loss; }, privacy_table("privacy to be spent", PossibleNoise::Gaussian))
      .field(
          "query", [](MeanPlanFields& f) -> auto& { return f.design.query; }, "Q",
          "how the means are asked for; whitened: release query with a covariance; scaled: release query with sd; bounded, least-squares, "
          "isotropic, column: release mean; combination, normal-combination: release query for a test; if not given: combination for a "
          "test and whitened for a region, or column and bounded without a covariance")
      .field(
          "range", [](MeanPlanFields& f) -> auto& { return f.design.range; }, "r,s",
          "upper less lower of each column, to compare with bounded, least-squares, isotropic and column");
}

Result<MeanQueryDesign> read_design(const MeanPlanFields& fields) {
  MeanQueryDesign design = fields.design;
  if (fields.covariance) {
    TACET_TRY(design.covariance, read_square_matrix(*fields.covariance, "covariance"));
  }
  return design;
}

std::string query_words(MeanQuery query) {
  switch (query) {
    case MeanQuery::Whitened: return "release query --covariance";
    case MeanQuery::Scaled: return "release query --sd";
    case MeanQuery::Bounded: return "release mean --goal region";
    case MeanQuery::LeastSquares: return "release mean --goal least-squares";
    case MeanQuery::Isotropic: return "release mean --goal isotropic";
    case MeanQuery::Column: return "release mean --goal test:eta";
    case MeanQuery::Combination: return "release query --goal test";
    case MeanQuery::NormalCombination: break;
  }
  return "release query --goal normal-test";
}

std::string people_words(double n, bool n_was_found) {
  return fmt::format(fmt::runtime(n_was_found ? "{} people are needed: " : "With {} people "), report::readable(n));
}

std::string supposed_words(MeanQuery query, const std::optional<double>& clipped, bool population) {
  std::string out;
  if (clipped) {
    out = fmt::format("Assumes normal rows, of which a share of {:.3g} is clipped{}. ", *clipped,
                      population ? ", and a centre at the mean that is supposed" : "");
  } else if (population) {
    out = "Assumes normal rows within their ranges. ";
  }
  if (query == MeanQuery::NormalCombination) out += "So many clipped rows make the level depend on the shape of their distribution. ";
  return out + "Neighbours replace one person. No data was read, and nothing was spent.\n";
}

}  // namespace tacet::service
