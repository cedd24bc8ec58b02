#include "tacet/kernel/grant.h"

#include <fmt/format.h>

namespace tacet::kernel {

Status Grant::check_for(const Relation& neighbours, const DatasetId& dataset) const {
  if (spent()) return Error::of(Code::Internal, "this grant has been spent before");
  const bool of_it = dataset == paid().dataset;
  if (of_it && neighbours == paid().relation) return {};
  const std::string why = of_it ? fmt::format("the grant was charged for neighbours by {}, and the value is sealed for {}",
                                              describe(paid().relation), describe(neighbours))
                                : fmt::format(
                                      "the grant was charged to the dataset \"{}\" of one ledger, and the value was computed "
                                      "from \"{}\", or of another ledger",
                                      paid().dataset.dataset(), dataset.dataset());
  return Error::of(Code::Internal, why).after_charge(spent_words());
}

std::string Grant::spent_words() const {
  return fmt::format("{} was spent (entry {} of \"{}\")", receipt().charged, receipt().entry, receipt().dataset);
}

}  // namespace tacet::kernel
