// tacet/workflow/session/session_json.h: the JSON of a session: its file, and what statements of
// its questions say of it. Internal to this room.
//
//   const SessionTerms terms = *read_session("looking");
//   nlohmann::json file = session_json(terms);
//   file["id"] = session_id(terms);
//   nlohmann::json statement = {{"release", "query"}};
//   statement["session"] = statement_json(terms.promise());
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tacet/workflow/session/session_terms.h"

namespace tacet {

/// As session.json; `id` and `folder` are left out.
nlohmann::json session_json(const SessionTerms& terms);
/// The hash of that.
std::string session_id(const SessionTerms& terms);

nlohmann::json statement_json(const SessionPromise& promise);

}  // namespace tacet
