#include "tacet/service/all_verbs.h"
#include "tacet/service/randomize_verb.h"

namespace tacet::service::randomize_laplace_verb {

Verb make() {
  return verb<RandomizeFields, RandomizeReply>(
      {.name = "randomize laplace",
       .summary = "Randomise a person's value: report it as numbers with Laplace noise",
       .example = "tacet randomize laplace --value former --categories never,former,current --epsilon 1",
       .library = LibraryFunction{"randomize_values", "tacet/workflow/privacy/randomize.h"},
       .request = randomize_request(privacy_of_a_report()),
       .answer = randomize_answer(),
       .run = [](const RandomizeFields& fields, const Context& context) { return randomize(LocalKind::Laplace, fields, context); },
       .words = randomize_words});
}

}  // namespace tacet::service::randomize_laplace_verb
