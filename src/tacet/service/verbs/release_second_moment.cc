#include "tacet/service/all_verbs.h"
#include "tacet/service/moment_answer.h"

namespace tacet::service::release_second_moment_verb {

Verb make() {
  return moment_verb(
      MomentKind::SecondMoment, "Publish second moments of bounded columns about their public centres, and their means",
      "tacet release second-moment --data patients.csv --schema patients.toml --columns ldl,hdl --rho 0.02 --out moments.json");
}

}  // namespace tacet::service::release_second_moment_verb
