#include "tacet/kernel/sensitive.h"

#include <sodium.h>

namespace tacet::kernel {

void wipe_bytes(void* bytes, std::size_t size) {
  if (size > 0) sodium_memzero(bytes, size);
}

}  // namespace tacet::kernel
