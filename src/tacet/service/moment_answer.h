// tacet/service/moment_answer.h: the verbs release sum, mean, second-moment and covariance, which
// differ in their kind only.
//
//   Verb make() {
//     return moment_verb(MomentKind::Mean, "Publish means ...", "tacet release mean ...");
//   }
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/service/verb.h"
#include "tacet/workflow/release/release_moments.h"

namespace tacet::service {

Verb moment_verb(MomentKind kind, const std::string& summary, const std::string& example);

}  // namespace tacet::service
