// tacet/kernel/ledger/record_text.h: a record's text in both directions, so that its fields are told once.
//
//   template <class Codec, class Charge>
//   void fields(Codec& codec, Charge& charge) {        // a RecordWriter and a const record, or a RecordReader and an empty one
//     codec.text("dataset", charge.dataset);
//     codec.number("entry", charge.entry);
//   }
//
// The text is JSON without spaces, its keys in the order in which the fields are told. The reader takes nothing else: no other order, no
// spaces, no unknown keys. After the first field that is not there all further ones are left alone, and good() is false.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacet/base/decimal.h"
#include "tacet/kernel/relation.h"
#include "tacet/privacy/currency.h"

namespace tacet::kernel {

class RecordWriter {
 public:
  void text(std::string_view key, std::string_view value) {
    name(key);
    quote(value);
  }
  void number(std::string_view key, std::int64_t value);
  void flag(std::string_view key, bool value);
  void decimal(std::string_view key, const Decimal& value) { text(key, value.to_string()); }
  void amount(std::string_view key, const privacy::Amount& value);
  void loss(std::string_view key, const privacy::Loss& value);
  void relation(std::string_view key, const Relation& value);
  template <class Value, class Method>
  void maybe(std::string_view key, const std::optional<Value>& value, const Value& /*blank*/, Method method) {
    if (value) method(*this, key, *value);
  }
  template <class Body>
  void object(std::string_view key, Body body) {
    name(key);
    text_ += '{';
    body();
    text_ += '}';
  }
  template <class Value, class Body>
  void list(std::string_view key, const std::vector<Value>& values, const Value& /*blank*/, Body body) {
    name(key);
    text_ += '[';
    for (const Value& value : values) {
      text_ += text_.back() == '[' ? "{" : ",{";
      body(value);
      text_ += '}';
    }
    text_ += ']';
  }
  std::string finish() && { return std::move(text_) + "}"; }

 private:
  void name(std::string_view key);
  void quote(std::string_view value);
  void quote_all(const std::vector<std::string>& values);
  std::string text_ = "{";
};

class RecordReader {
 public:
  explicit RecordReader(std::string_view text) : text_(text) { expect("{"); }

  void text(std::string_view key, std::string& value) {
    name(key);
    value = quoted();
  }
  void number(std::string_view key, std::int64_t& value);
  void flag(std::string_view key, bool& value);
  void decimal(std::string_view key, Decimal& value);
  void amount(std::string_view key, privacy::Amount& value);
  void loss(std::string_view key, privacy::Loss& value);
  void relation(std::string_view key, Relation& value);
  template <class Value, class Method>
  void maybe(std::string_view key, std::optional<Value>& value, const Value& blank, Method method) {
    if (!is_next(key)) return;
    method(*this, key, value.emplace(blank));
  }
  template <class Body>
  void object(std::string_view key, Body body) {
    name(key);
    expect("{");
    body();
    expect("}");
  }
  template <class Value, class Body>
  void list(std::string_view key, std::vector<Value>& values, const Value& blank, Body body) {
    name(key);
    expect("[");
    while (good_ && !skip("]")) {
      if (!values.empty()) expect(",");
      expect("{");
      body(values.emplace_back(blank));
      expect("}");
    }
  }
  bool good() const { return good_; }
  /// Was this the whole of a record?
  bool finish() && {
    expect("}");
    return good_ && at_ == text_.size();
  }

 private:
  bool skip(std::string_view what);
  void expect(std::string_view what) { good_ = good_ && skip(what); }
  bool is_next(std::string_view key) const;
  void name(std::string_view key);
  std::string quoted();
  Decimal quoted_decimal();
  std::vector<std::string> all_quoted();

  std::string_view text_;
  std::size_t at_ = 0;
  bool good_ = true;
};

}  // namespace tacet::kernel
