#include "tacet/workflow/infer/disjoint_groups.h"

#include <algorithm>

#include <fmt/format.h>

#include "tacet/schemas/disjoint_conditions.h"

namespace tacet {
namespace {

using kernel::Receipt;
using mechanisms::ReleaseHeader;

bool same_dataset(const Receipt& a, const Receipt& b) { return a.ledger == b.ledger && a.dataset == b.dataset; }

Result<Disjoint> disjoint_pair(const ReleaseHeader& a, const ReleaseHeader& b, bool declared) {
  if (!a.receipt || !b.receipt) return declared ? Disjoint::Declared : Disjoint::Unknown;
  if (!same_dataset(*a.receipt, *b.receipt)) return Disjoint::Datasets;
  if (a.receipt->entry == b.receipt->entry) {
    return Error::invalid("releases", fmt::format("the same release twice (entry {} of the dataset)", a.receipt->entry),
                          "must be releases of different people: a group cannot be compared with itself");
  }
  // Conditions keep rows apart, and a person with several rows may have one in each release.
  const bool several_rows = a.contributions || b.contributions;
  if (!several_rows && a.where && b.where && schemas::are_disjoint(*a.where, *b.where)) return Disjoint::Conditions;
  if (declared) return Disjoint::Declared;
  return Error::invalid("releases", "two releases of one dataset that may count the same people",
                        "must be of groups in which nobody is twice, because a comparison takes groups as independent",
                        "release one table by groups, or with conditions that exclude each other; if you know that nobody is in both, say "
                        "so: disjoint = true");
}

}  // namespace

Result<Disjoint> check_disjoint(const std::vector<const ReleaseHeader*>& headers, bool declared) {
  Disjoint weakest = Disjoint::OneRelease;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    for (std::size_t j = i + 1; j < headers.size(); ++j) {
      TACET_TRY(const Disjoint why, disjoint_pair(*headers[i], *headers[j], declared));
      weakest = std::max(weakest, why);
    }
  }
  return weakest;
}

std::string disjoint_words(Disjoint why) {
  if (why == Disjoint::Declared) return "The request says that nobody is in two of the groups; this was not checked.\n";
  if (why == Disjoint::Unknown) {
    return "Whether somebody is in two of the groups is unknown, because a release does not say whose data it is; the test assumes "
           "nobody.\n";
  }
  return "";
}

}  // namespace tacet
