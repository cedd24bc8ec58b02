#include "tacet/kernel/release.h"
#include "tacet/kernel/sensitive.h"

namespace tacet::kernel {

std::string_view name(Relation relation) { return relation == Relation::ReplaceOne ? "replace-one" : "add-or-remove-one"; }
std::string_view name(NoiseFamily family) { return family == NoiseFamily::Gaussian ? "gaussian" : "laplace"; }

}  // namespace tacet::kernel
