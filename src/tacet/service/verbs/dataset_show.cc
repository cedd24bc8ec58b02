#include "tacet/service/all_verbs.h"
#include "tacet/service/place_fields.h"
#include "tacet/service/terms_answer.h"
#include "tacet/workflow/custody/dataset_terms.h"

namespace tacet::service::dataset_show_verb {
namespace {

Result<DatasetTerms> run(const PlaceFields& request, const Context& context) {
  TACET_TRY(const Dataset dataset, open_dataset(request, context));
  return dataset_terms(dataset);
}

}  // namespace

Verb make() {
  return verb<PlaceFields, DatasetTerms>({.name = "dataset show",
                                          .summary = "The terms of a dataset: what its custodian declared public, and what may be spent",
                                          .example = "tacet dataset show --schema patients.toml",
                                          .library = LibraryFunction{"dataset_terms", "tacet/workflow/custody/dataset_terms.h"},
                                          .request = place_table(),
                                          .answer = terms_table(),
                                          .run = run,
                                          .words = terms_words});
}

}  // namespace tacet::service::dataset_show_verb
