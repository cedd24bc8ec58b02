// tacet/kernel/release_order.h: a release: refuse, reserve, scan, charge, draw, publish.
//
//   return carry_out(ledger, request, {.open_bits = open_bits, .memory = 1 << 20},
//                    [&] { return reserve_file(); },                             // Status
//                    [&] { return scan(); },                                     // Result, sealed
//                    [&](auto&& counts, Grant&& grant, RandomBits& bits) {       // Result<Answer>
//                      return release(std::move(counts), noise_plan, std::move(grant), bits); },
//                    [&](auto&& noisy) { return publish(std::move(noisy)); });   // Published
// 1. Refuse what the ledger would refuse, before reading any row: independently of the data.
// 2. Reserve the output file and memory, and check that the system gives random bits.
// 3. Scan. A failure depends on data, so it has one message, and the history records it.
// 4. Charge. It is on disk before there is a Grant; every later failure says what was spent.
// 5. Draw. The key is drawn after the charge, so that a machine cloned before repeats no noise.
// 6. Publish, and record the hash of the published file.
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

/// The answer, and the hash of the bytes that were written.
template <class Answer>
struct Published {
  Answer answer;
  std::string release_hash;
};

struct Unmap {
  std::size_t bytes;
  void operator()(void* memory) const;
};
/// Memory held from before the charge until after it, so that the later steps have room.
using Reserve = std::unique_ptr<void, Unmap>;
/// EngineFailed if the system does not provide it.
Result<Reserve> reserve_memory(std::size_t bytes);

struct OrderOptions {
  std::function<Result<std::unique_ptr<exact::RandomBits>>()> open_bits;
  std::size_t memory = 0;  // bytes for drawing and publishing
};

/// The error if memory runs out, or anything unexpected fails, after a charge.
Error failed_after_charge(const std::string& spent);
Error failed_scan();

/// An exception may contain data, and its occurrence is an answer: it counts as a failed scan.
template <class Scan>
auto without_exceptions(const Scan& scan) -> decltype(scan()) {
  try {
    return scan();
  } catch (...) {
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
    // The release is on disk; a failure to record this does not affect it.
    (void)ledger.record_published(receipt, published->release_hash).ok();
    return std::move(published->answer);
  } catch (...) {
    return failed_after_charge(spent);
  }
}

}  // namespace tacet::kernel
