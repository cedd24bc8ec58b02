// tacet/service/request_table.h: binds the fields of a verb's request to the members of a struct.
//
//   struct Request { std::string release; std::optional<std::string> rows; CurveFiles files; };
//
//   const auto table = RequestTable<Request>()
//       .required("release", &Request::release, "FILE", "a release file with counts")
//       .field("rows", &Request::rows, "NAME", "with columns: the two variables to use")
//       .include(&Request::files, curve_files_table("the power by people"));
//
// The command line, `--help`, the reader, the JSON Schema and the reference page all come from
// this table. A default is the member's value in `Request{}`; help adds it ("; 0.05 if not
// given").
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tacet/base/result.h"
#include "tacet/service/value_codec.h"

namespace tacet::service {

/// One field of a request, for help, schemas and reference pages.
struct Field {
  std::string name;
  std::string placeholder;  // for help: "FILE", "a,b"
  std::string help;
  FieldKind kind = FieldKind::Text;
  bool required = false;
  bool secret = false;  // a private value: no error of the verb repeats any word of its request
  Json schema = {};     // of the value, if it is narrower than that of its kind
  bool first = false;   // on a command line its value may stand first, without its name
};

/// A field without a value of its own: its help has the names of an enum before it, and the default
/// after it.
Field request_field(std::string_view name, std::string_view placeholder, std::string_view help, FieldKind kind, bool required, Json schema,
                    const Json& usual);

/// The JSON Schema of a request with these fields.
Json request_schema(const std::vector<Field>& fields);

template <class Request>
class RequestTable {
 public:
  template <class Access>
  RequestTable& field(std::string_view name, Access access, std::string_view placeholder, std::string_view help) {
    return bind(name, access, placeholder, help, /*required=*/false,
                [](const Json& value, const std::string& at) { return Codec<Member<Access>>::read(value, at); });
  }
  template <class Access>
  RequestTable& required(std::string_view name, Access access, std::string_view placeholder, std::string_view help) {
    return bind(name, access, placeholder, help, /*required=*/true,
                [](const Json& value, const std::string& at) { return Codec<Member<Access>>::read(value, at); });
  }
  /// A whole number between `least` and `most`; the member may be optional.
  template <class Access>
  RequestTable& whole(std::string_view name, Access access, std::uint64_t least, std::uint64_t most, std::string_view placeholder,
                      std::string_view help) {
    return bind(name, access, placeholder, help, /*required=*/false,
                [least, most](const Json& value, const std::string& at) -> Result<Member<Access>> {
                  TACET_TRY(const std::uint64_t number, read_whole_number(value, at, least, most));
                  return Member<Access>(number);
                });
  }
  /// The last bound field is a private value.
  RequestTable& secret() {
    bound_.back().field.secret = true;
    return *this;
  }
  /// The value of the last bound field may stand first on a command line: `study run NAME`.
  RequestTable& first() {
    bound_.back().field.first = true;
    return *this;
  }
  /// The fields of a part of the request, in the same object.
  template <class Access, class Part>
  RequestTable& include(Access access, const RequestTable<Part>& part) {
    for (const auto& bound : part.bound()) {
      bound_.push_back({bound.field, [access, read = bound.read](Request& request, const Json& json, const std::string& name) {
                          return read(std::invoke(access, request), json, name);
                        }});
    }
    return *this;
  }
  /// Fields that are read together, such as the four privacy fields.
  RequestTable& together(std::vector<Field> fields, std::function<Status(Request&, const Json&)> read) {
    for (Field& field : fields)
      bound_.push_back({std::move(field), [](Request&, const Json&, const std::string&) -> Status { return {}; }});
    bound_.back().read = [read = std::move(read)](Request& request, const Json& json, const std::string&) { return read(request, json); };
    return *this;
  }

  /// The request of a JSON object that check_request() has accepted.
  Result<Request> read(const Json& json) const {
    Request request{};
    for (const Bound& bound : bound_) TACET_CHECK(bound.read(request, json, bound.field.name));
    return request;
  }
  std::vector<Field> fields() const {
    std::vector<Field> all;
    for (const Bound& bound : bound_) all.push_back(bound.field);
    return all;
  }

  struct Bound {
    Field field;
    std::function<Status(Request&, const Json&, const std::string& name)> read;
  };
  const std::vector<Bound>& bound() const { return bound_; }

 private:
  template <class Access>
  using Member = std::remove_cvref_t<std::invoke_result_t<Access, Request&>>;

  template <class Access, class Read>
  RequestTable& bind(std::string_view name, Access access, std::string_view placeholder, std::string_view help, bool required, Read read) {
    using Value = Member<Access>;
    constexpr FieldKind kKind = Codec<Value>::kKind;
    bound_.push_back(
        {request_field(name, placeholder, help, kKind, required, kKind == FieldKind::Text ? Codec<Value>::schema() : kind_schema(kKind),
                       required ? Json() : Codec<Value>::write(std::invoke(access, usual_))),
         [access, read](Request& request, const Json& json, const std::string& at) -> Status {
           if (!json.contains(at)) return {};
           TACET_TRY(std::invoke(access, request), read(json.at(at), at));
           return {};
         }});
    return *this;
  }

  Request usual_{};  // has the defaults
  std::vector<Bound> bound_;
};

}  // namespace tacet::service
