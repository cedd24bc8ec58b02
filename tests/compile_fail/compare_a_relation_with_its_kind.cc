// error: use of deleted function 'bool tacet::kernel::operator==\(const Relation&,
// Relation::Kind\)' A relation is more than its kind: who compares the kind alone forgets the
// public columns.
#include "tacet/kernel/relation.h"

using tacet::kernel::Relation;

bool number_of_people_may_be_told(const Relation& relation) {
#ifdef MISUSE
  return relation == Relation::ReplaceOne;
#else
  return relation.people_are_public();
#endif
}
