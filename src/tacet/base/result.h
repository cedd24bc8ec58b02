// tacet/base/result.h: a value or an Error.
//
//   Result<Decimal> twice(std::string_view text) {
//     TACET_TRY(Decimal d, Decimal::parse(text));   // returns the error to our caller
//     return d + d;
//   }
//
// Result<T, Reason> has a Reason instead of an Error. Reading the value of a failed Result ends
// the program: going on could publish something.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <utility>
#include <variant>

#include "tacet/base/error.h"

namespace tacet {

template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(*-constructor)
  Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(*-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return must(std::get_if<0>(&state_)); }
  const T& value() const& { return must(std::get_if<0>(&state_)); }
  T&& value() && { return std::move(must(std::get_if<0>(&state_))); }
  const E& error() const& { return must(std::get_if<1>(&state_)); }
  E&& error() && { return std::move(must(std::get_if<1>(&state_))); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  template <class P>
  static P& must(P* pointer) {
    if (pointer == nullptr) std::abort();
    return *pointer;
  }
  std::variant<T, E> state_;
};

/// Success without a value, or an Error: `Result<void>` in all but name.
class [[nodiscard]] Status : private Result<std::monostate> {
 public:
  Status() : Result(std::monostate()) {}
  Status(Error error) : Result(std::move(error)) {}  // NOLINT(*-constructor)
  using Result::error;
  using Result::ok;
  using Result::operator bool;
};

}  // namespace tacet

#define TACET_CONCAT_INNER(a, b) a##b
#define TACET_CONCAT(a, b) TACET_CONCAT_INNER(a, b)

/// Declares `declaration` from a Result, or returns its Error from the enclosing function.
#define TACET_TRY(declaration, ...) TACET_TRY_INNER(TACET_CONCAT(tacet_result_, __LINE__), declaration, __VA_ARGS__)
#define TACET_TRY_INNER(result, declaration, ...)     \
  auto result = (__VA_ARGS__);                        \
  if (!result.ok()) return std::move(result).error(); \
  declaration = *std::move(result)

/// Returns the Error of a Status from the enclosing function.
#define TACET_CHECK(...)                                                                               \
  do {                                                                                                 \
    if (auto tacet_status = (__VA_ARGS__); !tacet_status.ok()) return std::move(tacet_status).error(); \
  } while (false)
