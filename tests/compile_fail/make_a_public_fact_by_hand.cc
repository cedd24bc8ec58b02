// error: 'tacet::kernel::PublicFact<T>::PublicFact\(T\) .*is private within this context
// What leaves without noise is what the terms call public; a request has no say in it.
#include <cstdint>
#include <optional>

#include "tacet/kernel/ledger/terms.h"

using tacet::kernel::PublicFact;

std::optional<PublicFact<std::int64_t>> publish(const tacet::kernel::Terms& terms, std::int64_t rows) {
#ifdef MISUSE
  (void)terms;
  return PublicFact<std::int64_t>(rows);
#else
  return terms.people(rows);
#endif
}
