#include "tacet/service/laplace_fields.h"

#include <utility>

namespace tacet::service {
namespace {

constexpr std::uint64_t kMostNumbers = 1'000'000'000;

}  // namespace

LaplaceStatistic LaplaceFields::statistic(Digits l1) const { return {std::move(l1), neighbours, dimension}; }

RequestTable<LaplaceFields> laplace_table(const std::string& what) {
  return RequestTable<LaplaceFields>()
      .field("rule", &LaplaceFields::rule, "RULE",
             what +
                 ", by the statistic that it is for: any (universal, the default), one number, two numbers, a table of counts under "
                 "replace-one; the conjecture is only shown")
      .field("neighbours", &LaplaceFields::neighbours, "RELATION", "who neighbours are; needed for rule table, which holds for replace-one")
      .whole("dimension", &LaplaceFields::dimension, 1, kMostNumbers, "P",
             "how many numbers of the statistic a person can change; needed for the rules of one and two numbers");
}

}  // namespace tacet::service
