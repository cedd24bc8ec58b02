#include "tacet/service/all_verbs.h"
#include "tacet/service/randomize_verb.h"

namespace tacet::service::randomize_exp_verb {

Verb make() {
  return verb<RandomizeFields, RandomizeReply>(
      {.name = "randomize exp",
       .summary = "Randomise a person's value: report the true category or another one, with exact probabilities",
       .example = "tacet randomize exp --value former --categories never,former,current --epsilon 1",
       .library = LibraryFunction{"randomize_values", "tacet/workflow/privacy/randomize.h"},
       .request = randomize_request(epsilon_of_a_report()),
       .answer = randomize_answer(),
       .run = [](const RandomizeFields& fields, const Context& context) { return randomize(LocalKind::Exp, fields, context); },
       .words = randomize_words});
}

}  // namespace tacet::service::randomize_exp_verb
