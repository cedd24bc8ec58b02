// tacet/service/value_codec.h: one value in JSON, on a command line and in a JSON Schema.
//
//   Codec<double>::read("0.05", "alpha");               // 0.05, or an error that names alpha
//   Codec<std::optional<double>>::write(std::nullopt);  // null
//   Codec<GofMethod>::schema();                         // {"enum": ["asymptotic", ...]}
//
// Requests come from JSON or from a command line, so numbers and lists may be strings too: "0.05",
// "a,b", "1,2.5", '["a","b,c"]'. A string keeps every digit of an exact decimal. The codec of a
// type that only answers have needs no read().
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/mechanisms/matrix.h"
#include "tacet/service/json.h"
#include "tacet/workflow/privacy_amount.h"

namespace tacet::service {

/// The form of a field of a request, for help and for the check before it is read.
enum class FieldKind : std::uint8_t {
  Text,
  Number,   // a decimal, as a string or as a JSON number; kept exact
  List,     // a JSON list of strings, or one string with commas
  Numbers,  // a JSON list of numbers or decimal strings, one number, or one string with commas
  Flag,
};

/// The JSON Schema of a field of that kind.
Json kind_schema(FieldKind kind);
/// JSON Schemas that are made of another.
Json type_schema(const char* type);
Json or_null(Json schema);
Json list_of(Json schema);
Json map_of(Json schema);
Json one_of(const std::vector<std::string_view>& names);

template <class T>
struct Codec;

template <>
struct Codec<std::string> {
  static constexpr FieldKind kKind = FieldKind::Text;
  static Result<std::string> read(const Json& value, const std::string& name);
  static Json write(const std::string& value) { return value; }
  static Json schema() { return type_schema("string"); }
};

template <>
struct Codec<bool> {
  static constexpr FieldKind kKind = FieldKind::Flag;
  static Result<bool> read(const Json& value, const std::string& /*name*/) { return value.get<bool>(); }
  static Json write(bool value) { return value; }
  static Json schema() { return type_schema("boolean"); }
};

/// A finite number: the double nearest to a decimal, if privacy does not depend on it.
template <>
struct Codec<double> {
  static constexpr FieldKind kKind = FieldKind::Number;
  static Result<double> read(const Json& value, const std::string& name);
  static Json write(double value);  // null if it is not finite
  static Json schema() { return type_schema("number"); }
};

/// A whole number of at most 2^53. A table may require a narrower range.
template <>
struct Codec<std::uint64_t> {
  static constexpr FieldKind kKind = FieldKind::Number;
  static Result<std::uint64_t> read(const Json& value, const std::string& name);
  static Json write(std::uint64_t value) { return value; }
  static Json schema();
};

template <>
struct Codec<Digits> {
  static constexpr FieldKind kKind = FieldKind::Number;
  static Result<Digits> read(const Json& value, const std::string& name);
  static Json write(const Digits& value) { return value.text(); }
  static Json schema() { return type_schema("string"); }
};

template <>
struct Codec<std::vector<std::string>> {
  static constexpr FieldKind kKind = FieldKind::List;
  static Result<std::vector<std::string>> read(const Json& value, const std::string& name);
  static Json write(const std::vector<std::string>& value) { return value; }
  static Json schema() { return list_of(Codec<std::string>::schema()); }
};

template <>
struct Codec<std::vector<double>> {
  static constexpr FieldKind kKind = FieldKind::Numbers;
  static Result<std::vector<double>> read(const Json& value, const std::string& name);
  static Json write(const std::vector<double>& value);
  static Json schema() { return list_of(Codec<double>::schema()); }
};

template <>
struct Codec<std::vector<std::uint64_t>> {
  static constexpr FieldKind kKind = FieldKind::Numbers;
  static Result<std::vector<std::uint64_t>> read(const Json& value, const std::string& name);
  static Json write(const std::vector<std::uint64_t>& value) { return value; }
  static Json schema() { return list_of(Codec<std::uint64_t>::schema()); }
};

template <>
struct Codec<std::vector<Digits>> {
  static constexpr FieldKind kKind = FieldKind::Numbers;
  static Result<std::vector<Digits>> read(const Json& value, const std::string& name);
  static Json write(const std::vector<Digits>& value);
  static Json schema() { return list_of(Codec<Digits>::schema()); }
};

/// A matrix as the list of its rows.
template <>
struct Codec<mechanisms::Matrix> {
  static Json write(const mechanisms::Matrix& value);
  static Json schema() { return list_of(Codec<std::vector<double>>::schema()); }
};

template <HasNames E>
struct Codec<E> {
  static constexpr FieldKind kKind = FieldKind::Text;
  static Result<E> read(const Json& value, const std::string& name) { return named<E>(name, value.get_ref<const std::string&>()); }
  static Json write(E value) { return name(value); }
  static Json schema() {
    std::vector<std::string_view> names;
    for (const auto& item : names_of(E{})) names.push_back(item.name);
    return one_of(names);
  }
};

/// An absent value is null in an answer, and a missing field in a request.
template <class T>
struct Codec<std::optional<T>> {
  static constexpr FieldKind kKind = Codec<T>::kKind;
  static Result<std::optional<T>> read(const Json& value, const std::string& name) {
    TACET_TRY(T read, Codec<T>::read(value, name));
    return std::optional<T>(std::move(read));
  }
  static Json write(const std::optional<T>& value) { return value ? Codec<T>::write(*value) : Json(nullptr); }
  static Json schema() { return or_null(Codec<T>::schema()); }
};

template <class T>
struct Codec<std::map<std::string, T>> {
  static Json write(const std::map<std::string, T>& value) {
    Json object = Json::object();
    for (const auto& [key, item] : value) object[key] = Codec<T>::write(item);
    return object;
  }
  static Json schema() { return map_of(Codec<T>::schema()); }
};

template <class T>
struct Codec<std::vector<T>> {
  static Json write(const std::vector<T>& value) {
    Json list = Json::array();
    for (const T& item : value) list.push_back(Codec<T>::write(item));
    return list;
  }
  static Json schema() { return list_of(Codec<T>::schema()); }
};

/// A whole number between `least` and `most`, from a JSON number or from its digits.
Result<std::uint64_t> read_whole_number(const Json& value, const std::string& name, std::uint64_t least, std::uint64_t most);

}  // namespace tacet::service
