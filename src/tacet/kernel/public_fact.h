// tacet/kernel/public_fact.h: a value that the terms of its dataset allow to leave without noise.
//
//   std::optional<PublicFact<std::int64_t>> n = terms.people(rows);    // empty if n is private
//   if (n) show(n->value());
//
// Only Terms makes one, and only the ledger makes Terms: a request cannot choose what is public.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace tacet::kernel {

template <class T>
class PublicFact {
 public:
  const T& value() const { return value_; }
  friend bool operator==(const PublicFact&, const PublicFact&) = default;
  friend bool operator==(const PublicFact& fact, const T& value) { return fact.value_ == value; }

 private:
  friend class Terms;
  explicit PublicFact(T value) : value_(std::move(value)) {}
  T value_;
};

}  // namespace tacet::kernel
