#include "tacet/service/mean_plan_fields.h"

#include <utility>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/service/table_file.h"

namespace tacet::service {

RequestTable<MeanPlanFields> covariance_table() {
  return RequestTable<MeanPlanFields>().required("covariance", &MeanPlanFields::covariance, "FILE",
                                                 "the public covariance of a row: a JSON matrix");
}

RequestTable<MeanPlanFields> design_table() {
  return RequestTable<MeanPlanFields>()
      .include([](MeanPlanFields& f) -> auto& { return f.design.loss; }, privacy_table("privacy to be spent", PossibleNoise::Gaussian))
      .field(
          "query", [](MeanPlanFields& f) -> auto& { return f.design.query; }, "Q",
          "how the means are asked for; whitened: release query with a covariance; scaled: release query with sd; bounded: release mean")
      .field(
          "range", [](MeanPlanFields& f) -> auto& { return f.design.range; }, "r,s",
          "upper less lower of each column, to compare with bounded");
}

Result<MeanQueryDesign> read_design(const MeanPlanFields& fields) {
  MeanQueryDesign design = fields.design;
  TACET_TRY(design.covariance, read_square_matrix(fields.covariance, "covariance"));
  return design;
}

std::string query_words(MeanQuery query) {
  switch (query) {
    case MeanQuery::Whitened: return "release query --covariance";
    case MeanQuery::Scaled: return "release query --sd";
    case MeanQuery::Bounded: break;
  }
  return "release mean --goal region";
}

std::string people_words(double n, bool n_was_found) {
  return fmt::format(fmt::runtime(n_was_found ? "{} people are needed: " : "With {} people "), report::readable(n));
}

std::string supposed_words() {
  return "Assumes normal rows, clipped at the length that one row in n exceeds. Neighbours replace one person. No data was read, and "
         "nothing was spent.\n";
}

}  // namespace tacet::service
