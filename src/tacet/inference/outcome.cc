#include "tacet/inference/outcome.h"

namespace tacet::inference {

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::Reject: return "reject";
    case Outcome::Retain: return "retain";
    case Outcome::Inconclusive: return "inconclusive";
  }
  return "";
}

}  // namespace tacet::inference
