#include "tacet/service/all_verbs.h"
#include "tacet/service/moment_answer.h"

namespace tacet::service::release_sum_verb {

Verb make() {
  return moment_verb(MomentKind::Sum, "Publish sums of bounded columns with exact noise",
                     "tacet release sum --data patients.csv --schema patients.toml --columns ldl,glucose --where \"smoking in (former, "
                     "current)\" --rho 0.01 --out sums.json");
}

}  // namespace tacet::service::release_sum_verb
