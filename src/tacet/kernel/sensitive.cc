#include "tacet/kernel/sensitive.h"

namespace tacet::kernel {

std::string_view name(Relation relation) { return relation == Relation::ReplaceOne ? "replace-one" : "add-or-remove-one"; }

}  // namespace tacet::kernel
