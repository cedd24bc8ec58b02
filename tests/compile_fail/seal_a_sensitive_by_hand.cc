// error: 'tacet::kernel::Sensitive<T, Bound>::Sensitive\(T, Bound\).* is private within this context
// Only the Vault seals, and who includes the Vault answers for the sensitivity (the test arrows.vault says who may).
#include <cstdint>
#include <utility>

#include "tacet/kernel/sensitive.h"

using tacet::kernel::Sensitive;
using tacet::kernel::Sensitivity;

Sensitive<std::int64_t> seal(Sensitive<std::int64_t>&& other, std::int64_t value) {
#ifdef MISUSE
  return Sensitive<std::int64_t>(value, Sensitivity{other.sensitivity().relation, 0, 0});
#else
  (void)value;
  return std::move(other);
#endif
}
