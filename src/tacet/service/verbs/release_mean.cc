#include "tacet/service/all_verbs.h"
#include "tacet/service/moment_answer.h"

namespace tacet::service::release_mean_verb {

Verb make() {
  return moment_verb(MomentKind::Mean, "Publish means of bounded columns with exact noise",
                     "tacet release mean --data patients.csv --schema patients.toml --columns ldl,hdl,glucose --rho 0.02 --out means.json");
}

}  // namespace tacet::service::release_mean_verb
