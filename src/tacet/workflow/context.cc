#include "tacet/workflow/context.h"

#include <utility>

#include "tacet/exact/secure_bits.h"

namespace tacet {

Result<std::unique_ptr<exact::RandomBits>> Context::open_bits() const {
  if (random_bits) return random_bits();
  TACET_TRY(std::unique_ptr<exact::SecureBits> bits, exact::SecureBits::open());
  return std::unique_ptr<exact::RandomBits>(std::move(bits));
}

}  // namespace tacet
