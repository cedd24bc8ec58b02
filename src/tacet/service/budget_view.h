// tacet/service/budget_view.h: which ledger and dataset a request means, and a budget as JSON and in words.
//
//   TACET_TRY(const LedgerPlace place, ledger_place(request));
//   TACET_TRY(const Custody ledger, Custody::open(place.ledger));
//   TACET_TRY(const kernel::BudgetState state, ledger.show(place.dataset));
//   return budget_json(state, place.ledger, context.analyst);        // budget_words() of it is what people read
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/data/schema.h"
#include "tacet/kernel/custody/custody.h"
#include "tacet/privacy/currency.h"
#include "tacet/service/verb.h"

namespace tacet::service {

struct LedgerPlace {
  std::string ledger, dataset;
  std::optional<data::Schema> schema;  // as it came with the request, read once
};

/// From --schema, or from --ledger and --dataset, which override what the schema says. With `any_dataset` the dataset may be left out, and is
/// then empty.
Result<LedgerPlace> ledger_place(const Json& request, bool any_dataset = false);
std::vector<Field> ledger_place_fields();

/// Terms, what was spent and what remains, in all and for `asker`, and the questions left: how many more releases like the last one
/// fit ("releases_left_like_last"; null before the first), also into the share of the one who made it or what is left to others, and the
/// largest that does.
Json budget_json(const kernel::BudgetState& state, const std::string& ledger, const std::string& asker);
std::string budget_words(const Json& budget);
/// The largest release like `like` that fits both into all and into what `analyst` may spend, in words; nothing if none does.
std::optional<std::string> largest_release_words(const kernel::BudgetState& state, const std::string& analyst, const privacy::Loss& like);
/// Of the "asker" of a budget, where it is less than all of it: "rho 0.4 for ada"; empty where everybody may spend all.
std::string asker_words(const Json& budget);

/// Every dataset of a ledger, of their budgets in JSON, as a table.
std::string budget_list_words(const Json& budgets);

}  // namespace tacet::service
