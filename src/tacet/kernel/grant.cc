#include "tacet/kernel/grant.h"

#include <fmt/format.h>

namespace tacet::kernel {

Status Grant::check_for(const Relation& neighbours, const DatasetId& dataset) const {
  if (spent()) return Error::of(Code::Internal, "this grant has been spent before");
  if (!(dataset == paid().dataset)) {
    return Error::of(Code::Internal,
                     fmt::format("the grant was charged to the dataset \"{}\" of one ledger, and the value was computed from "
                                 "\"{}\", or of another ledger",
                                 paid().dataset.dataset(), dataset.dataset()))
        .after_charge(spent_words());
  }
  if (neighbours == paid().relation) return {};
  return Error::of(Code::Internal, fmt::format("the grant was charged for neighbours by {}, and the value is sealed for {}",
                                               describe(paid().relation), describe(neighbours)))
      .after_charge(spent_words());
}

std::string Grant::spent_words() const {
  return fmt::format("{} was spent (entry {} of \"{}\")", receipt().charged, receipt().entry, receipt().dataset);
}

}  // namespace tacet::kernel
