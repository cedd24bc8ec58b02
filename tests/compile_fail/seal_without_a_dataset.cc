// error: no matching function for call to 'tacet::kernel::Vault::trusted_seal\(.*,
// tacet::kernel::Sensitivity\)' A value that belongs to no dataset could be paid for by any.
#include <cstdint>
#include <utility>
#include <vector>

#include "tacet/kernel/vault.h"

using namespace tacet::kernel;

Sensitive<std::vector<std::int64_t>> seal(std::vector<std::int64_t> counts, const Sensitivity& bound, const DatasetId& dataset) {
#ifdef MISUSE
  (void)dataset;
  return Vault::trusted_seal(std::move(counts), Sensitivity(bound));
#else
  return Vault::trusted_seal(std::move(counts), Sensitivity(bound), dataset);
#endif
}
