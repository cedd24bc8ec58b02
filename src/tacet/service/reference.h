// tacet/service/reference.h: the reference page and the JSON Schemas of a verb, made from its
// tables.
//
//   reference_page(*find_verb("infer gof"));      // Markdown, docs/reference/verbs/infer_gof.md
//   verb_schema(*find_verb("infer gof"));         // {"request": {...}, "answer": {...}}
//
// `make reference` writes them all (apps/tacet-reference); a test compares them with the committed
// files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tacet/service/verb.h"

namespace tacet::service {

/// "infer_gof": the name of a verb in file names.
std::string file_name(const Verb& verb);

std::string reference_page(const Verb& verb);
/// All verbs, with links to their pages.
std::string reference_index();

/// JSON Schemas (draft 2020-12) of the request and of the answer.
Json verb_schema(const Verb& verb);

}  // namespace tacet::service
