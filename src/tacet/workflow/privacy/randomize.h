// tacet/workflow/privacy/randomize.h: makes reports that are private before anybody sees them.
//
//   LocalReports reports = *randomize_values({.kind = LocalKind::Exp,
//                                             .categories = {"never", "former", "current"},
//                                             .values = {"former"},
//                                             .loss = Epsilon(1)});
//   std::string report = lines_of(reports)[0];      // "current", perhaps
//
// A person runs this. The guarantee is local: it holds against everybody who sees a report. Every
// further report of the same person costs as much again, and what a person's reports give away
// adds up (Rogers, Definition 8.1.2). A person who answers more than once keeps a budget: a ledger
// of their own, made without a schema, which a report charges before its coins are drawn.
//
//   CreatedBudget own = *create_budget(
//       {.ledger = "mine.ledger", .dataset = "me", .total = Epsilon(2)});
//   LocalReports mine = *randomize_values({.kind = LocalKind::Flip,
//                                          .categories = {"yes", "no"},
//                                          .values = {"no"},
//                                          .loss = Epsilon(0.5),
//                                          .budget = DatasetPlace{.ledger = "mine.ledger"}});
//   words(mine.left->remaining);                    // "epsilon 1.5"
//
// A value is private: no error repeats it, or tells which of several values it was.
// Domain   as mechanisms/randomizers.h. A value that is not a category is refused, unless `other`
//          names the category for such values. With a budget: one value, of the one person whose
//          budget it is, and neighbours that replace one person by another.
// Error    none: the coins and the noise are exact. BudgetExhausted: nothing was spent.
// Cost     as mechanisms/randomizers.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/kernel/grant.h"
#include "tacet/workflow/context.h"
#include "tacet/workflow/dataset.h"
#include "tacet/workflow/privacy/local_terms.h"

namespace tacet {

/// The values to randomise, one person each.
struct RandomizeRequest {
  LocalKind kind;
  std::vector<std::string> categories;      // all of them, in the order that the collector uses
  std::vector<std::string> values;          // one person each; private
  PrivacyAmount loss;                       // of each report
  std::optional<std::string> other = {};    // the category of values that are not listed
  std::optional<DatasetPlace> budget = {};  // the person's own; nothing: nobody counts the reports
  std::optional<std::string> out = {};      // the file to write, one report to a line
};

using CategoryReports = std::vector<std::size_t>;           // exp
using BitReports = std::vector<std::vector<std::uint8_t>>;  // flip: a bit for each category
using NumberReports = std::vector<std::vector<double>>;     // gaussian, laplace: a number each

/// The randomised reports, and how they were made.
struct LocalReports {
  LocalTerms terms;
  std::vector<std::string> categories;
  std::variant<CategoryReports, BitReports, NumberReports> reports;  // in the order of the values
  std::optional<kernel::Receipt> receipt = {};                       // of the charge, with a budget
  std::optional<BudgetSummary> left = {};                            // the budget afterwards

  std::size_t people() const;
};

/// Randomises every value by itself.
Result<LocalReports> randomize_values(const RandomizeRequest& request, const Context& context = {});

/// One report to a line: a category, or a JSON list of numbers. import_local reads such a file.
std::vector<std::string> lines_of(const LocalReports& reports);

}  // namespace tacet
