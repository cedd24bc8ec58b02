// error: 'tacet::kernel::Sensitive<T, Bound>::Sensitive\(T, Bound, tacet::kernel::DatasetId\).* is
// private within this context Only the Vault seals, and who includes the Vault answers for the
// sensitivity (the test arrows.vault says who may).
#include <cstdint>
#include <utility>
#include <vector>

#include "tacet/kernel/sensitive.h"

using tacet::kernel::Sensitive;
using tacet::kernel::Sensitivity;

Sensitive<std::vector<std::int64_t>> seal(Sensitive<std::vector<std::int64_t>>&& other, std::vector<std::int64_t> value) {
#ifdef MISUSE
  return Sensitive<std::vector<std::int64_t>>(std::move(value), Sensitivity{other.sensitivity().relation, 0, 0}, other.dataset());
#else
  (void)value;
  return std::move(other);
#endif
}
