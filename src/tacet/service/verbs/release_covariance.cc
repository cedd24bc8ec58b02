#include "tacet/service/all_verbs.h"
#include "tacet/service/moment_answer.h"

namespace tacet::service::release_covariance_verb {

Verb make() {
  return moment_verb(MomentKind::Covariance, "Publish a covariance matrix of bounded columns, and their means",
                     "tacet release covariance --data patients.csv --schema patients.toml --columns ldl,hdl --group-by smoking --rho 0.02 "
                     "--out by_smoking.json");
}

}  // namespace tacet::service::release_covariance_verb
