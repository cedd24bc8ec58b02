#include "tacet/kernel/release_order.h"

#include <cstring>
#include <new>

#include <fmt/format.h>

namespace tacet::kernel {

Result<Reserve> Reserve::of(std::size_t bytes) {
  std::unique_ptr<char[]> memory(new (std::nothrow) char[bytes]);
  if (memory == nullptr) {
    return Error::of(Code::EngineFailed, fmt::format("{} MiB of memory, which the release may need, are not to be had", bytes >> 20U),
                     "free some memory, or release fewer columns or cells");
  }
  // Touched, so that it is really there.
  std::memset(memory.get(), 1, bytes);
  return Reserve(std::move(memory));
}

Error failed_after_charge(const std::string& spent) {
  return Error::of(Code::Internal, "the release failed after its charge, perhaps for want of memory, and nothing was published",
                   "ask again when there is more memory; please report it if it repeats")
      .after_charge(spent);
}

}  // namespace tacet::kernel
