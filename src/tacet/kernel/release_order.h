// tacet/kernel/release_order.h: the order of a release: refuse, reserve, scan, charge, draw, publish.
//
//   return carry_out(ledger, request, {.open_bits = SecureBits::open, .memory = bytes},
//                    [&] { return reserve_file(); },                                            // Status
//                    [&] { return data::count(file, declared, by); },                           // Result of something sealed
//                    [&](auto&& table, Grant&& grant, RandomBits& bits) { ... release(...) },   // Result<Answer>
//                    [&](Answer&& answer) { return write(answer); });                           // Result<Published<Answer>>
//
// 1. Refuse what the ledger would refuse, before any row is read: a request beyond the budget is answered alike whatever the data holds.
// 2. Reserve the output file, the memory for what follows, and see that the system gives random bits.
// 3. Scan. A failure depends on data, so it is one sentence and an entry of the history: a refusal is an answer too.
// 4. Charge. The charge is on disk before there is a Grant; from here on every failure says what was spent.
// 5. Draw. The key of the noise is drawn after the charge, so that a machine cloned during a long scan does not repeat noise.
// 6. Publish, and write down the hash of what was published.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "tacet/base/result.h"
#include "tacet/exact/random_bits.h"
#include "tacet/kernel/ledger/ledger.h"

namespace tacet::kernel {

/// What was written, and the hash of its bytes.
template <class Answer>
struct Published {
  Answer answer;
  std::string release_hash;
};

struct Unmap {
  std::size_t bytes;
  void operator()(void* memory) const;
};
/// Memory that is held from before the charge until after it, so that what follows the charge has room.
using Reserve = std::unique_ptr<void, Unmap>;
/// EngineFailed if the system does not give that much.
Result<Reserve> reserve_memory(std::size_t bytes);

struct OrderOptions {
  std::function<Result<std::unique_ptr<exact::RandomBits>>()> open_bits;
  std::size_t memory = 0;  // bytes that drawing and publishing may need
};

/// The error of a program that ran out of memory, or failed in a way it did not expect, after a charge.
Error failed_after_charge(const std::string& spent);
Error failed_scan();

/// What an exception says may hold data, and that there was one is an answer: it counts as a scan that failed.
template <class Scan>
auto without_exceptions(const Scan& scan) -> decltype(scan()) {
  try {
    return scan();
  } catch (const std::exception&) {
    return failed_scan();
  }
}

template <class ReserveFile, class Scan, class Draw, class Publish>
auto carry_out(Ledger& ledger, const ChargeRequest& request, const OrderOptions& options, const ReserveFile& reserve, const Scan& scan,
               const Draw& draw, const Publish& publish)
    -> Result<std::decay_t<decltype(publish(*draw(*scan(), std::declval<Grant>(), std::declval<exact::RandomBits&>()))->answer)>> {
  TACET_CHECK(ledger.check(request));
  TACET_CHECK(reserve());
  TACET_CHECK(options.open_bits());

  auto sealed = without_exceptions(scan);
  if (!sealed) {
    TACET_CHECK(ledger.record_failed_scan(request));
    return std::move(sealed).error();
  }

  TACET_TRY(Reserve memory, reserve_memory(options.memory));
  TACET_TRY(Grant grant, ledger.charge(request));
  const Receipt receipt = grant.receipt();
  const std::string spent = grant.spent_words();
  try {
    memory.reset();
    auto bits = options.open_bits();
    if (!bits) return std::move(bits).error().after_charge(spent);
    auto drawn = draw(*std::move(sealed), std::move(grant), **bits);
    if (!drawn) return std::move(drawn).error().after_charge(spent);
    auto published = publish(*std::move(drawn));
    if (!published) return std::move(published).error().after_charge(spent);
    // The release has left and is on disk; that this line could not be written takes nothing from it.
    (void)ledger.record_published(receipt, published->release_hash).ok();
    return std::move(published->answer);
  } catch (const std::exception&) {
    return failed_after_charge(spent);
  }
}

}  // namespace tacet::kernel
