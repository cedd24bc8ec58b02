// tacet/kernel/sensitive.h: a value computed from people, which can be released but not read.
//
// Sensitive<T> has no accessor, no comparison and no way to print. It is made by kernel::Vault (kernel/vault.h, which
// only the data room includes) and ends in kernel::release, which adds noise for the sensitivity that the value carries.
// The sensitivity is public: it follows from the schema, not from the data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

namespace tacet::kernel {

/// What "one person" changes. Replace-one: n is public. Add-or-remove-one: n is private.
enum class Relation : std::uint8_t { ReplaceOne, AddOrRemoveOne };
std::string_view name(Relation relation);  // "replace-one", "add-or-remove-one"

/// Bounds, over all neighbouring files, on the change of an integer vector. Both are exact integers.
struct Sensitivity {
  Relation relation;
  std::int64_t l1;          // sum of absolute changes
  std::int64_t l2_squared;  // sum of squared changes
};

template <class T>
class Sensitive {
 public:
  Sensitive(Sensitive&&) noexcept = default;
  Sensitive& operator=(Sensitive&&) noexcept = default;
  Sensitive(const Sensitive&) = delete;
  Sensitive& operator=(const Sensitive&) = delete;
  ~Sensitive() = default;

  const Sensitivity& sensitivity() const { return sensitivity_; }

 private:
  friend class Vault;
  Sensitive(T value, Sensitivity sensitivity) : value_(std::move(value)), sensitivity_(sensitivity) {}
  T value_;
  Sensitivity sensitivity_;
};

}  // namespace tacet::kernel
