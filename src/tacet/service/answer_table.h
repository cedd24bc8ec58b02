// tacet/service/answer_table.h: binds the fields of a verb's answer to the members of a struct.
//
//   const auto table = AnswerTable<IndependenceTest>()
//       .value("statistic", &IndependenceTest::statistic, "the test statistic; may be null")
//       .value("outcome", &IndependenceTest::outcome, "the decision");
//   Json answer = table.write(*test_independence(*read_release_as<CountRelease>("smoking.json")));
//
// The JSON answer, its JSON Schema and the reference page come from this table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tacet/service/value_codec.h"

namespace tacet::service {

/// One field of an answer, for schemas and reference pages.
struct AnswerField {
  std::string name;
  std::string meaning;
  Json schema;
  bool always = true;  // false: left out if it is null
};

/// A field that is always there.
AnswerField answer_field(std::string_view name, std::string_view meaning, Json schema);

/// The JSON Schema of an answer with these fields.
Json answer_schema(const std::vector<AnswerField>& fields);

template <class Answer>
class AnswerTable {
 public:
  /// A member, or a function of the answer.
  template <class Access>
  AnswerTable& value(std::string_view name, const Access& access, std::string_view meaning) {
    using Value = Member<Access>;
    return bind(name, meaning, Codec<Value>::schema(),
                [access](const Answer& answer) { return Codec<Value>::write(std::invoke(access, answer)); });
  }
  /// A struct with a table of its own, or an optional one.
  template <class Access, class Part>
  AnswerTable& object(std::string_view name, Access access, AnswerTable<Part> part, std::string_view meaning) {
    Json schema = answer_schema(part.fields());
    if constexpr (std::is_same_v<Member<Access>, std::optional<Part>>) {
      return bind(name, meaning, or_null(std::move(schema)), [access, part = std::move(part)](const Answer& answer) {
        const std::optional<Part>& value = std::invoke(access, answer);
        return value ? part.write(*value) : Json(nullptr);
      });
    } else {
      return bind(name, meaning, std::move(schema),
                  [access, part = std::move(part)](const Answer& answer) { return part.write(std::invoke(access, answer)); });
    }
  }
  /// A list of structs.
  template <class Access, class Part>
  AnswerTable& list(std::string_view name, Access access, AnswerTable<Part> part, std::string_view meaning) {
    Json schema = list_of(answer_schema(part.fields()));
    return bind(name, meaning, std::move(schema), [access, part = std::move(part)](const Answer& answer) {
      Json items = Json::array();
      for (const Part& item : std::invoke(access, answer)) items.push_back(part.write(item));
      return items;
    });
  }
  /// The fields of a part of the answer, in the same object.
  template <class Access, class Part>
  AnswerTable& include(Access access, const AnswerTable<Part>& part) {
    for (const auto& bound : part.bound()) {
      bound_.push_back({bound.field, [access, write = bound.write](const Answer& answer) { return write(std::invoke(access, answer)); }});
    }
    return *this;
  }
  /// JSON from another room, such as a release file.
  AnswerTable& json(std::string_view name, std::function<Json(const Answer&)> write, Json schema, std::string_view meaning) {
    return bind(name, meaning, std::move(schema), std::move(write));
  }
  /// The fields of a JSON object from another room, in the same object.
  AnswerTable& json_object(std::vector<AnswerField> fields, std::function<Json(const Answer&)> write) {
    objects_.push_back({std::move(fields), std::move(write)});
    return *this;
  }
  /// The last bound field is left out if it is null.
  AnswerTable& unless_null() {
    bound_.back().field.always = false;
    return *this;
  }

  Json write(const Answer& answer) const {
    Json out = Json::object();
    for (const Object& object : objects_) out.update(object.write(answer));
    for (const Bound& bound : bound_) {
      Json value = bound.write(answer);
      if (value.is_null() && !bound.field.always) continue;
      out[bound.field.name] = std::move(value);
    }
    return out;
  }
  std::vector<AnswerField> fields() const {
    std::vector<AnswerField> all;
    for (const Object& object : objects_) all.insert(all.end(), object.fields.begin(), object.fields.end());
    for (const Bound& bound : bound_) all.push_back(bound.field);
    return all;
  }

  struct Bound {
    AnswerField field;
    std::function<Json(const Answer&)> write;
  };
  const std::vector<Bound>& bound() const { return bound_; }

 private:
  template <class Access>
  using Member = std::remove_cvref_t<std::invoke_result_t<Access, const Answer&>>;

  AnswerTable& bind(std::string_view name, std::string_view meaning, Json schema, std::function<Json(const Answer&)> write) {
    bound_.push_back({answer_field(name, meaning, std::move(schema)), std::move(write)});
    return *this;
  }

  struct Object {
    std::vector<AnswerField> fields;
    std::function<Json(const Answer&)> write;
  };
  std::vector<Object> objects_;  // before the fields that are bound
  std::vector<Bound> bound_;
};

}  // namespace tacet::service
