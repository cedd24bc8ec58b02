// A desk with 400 people whose means and covariance are known.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "service/desk.h"
#include "support/scripted_bits.h"

namespace tacet::test {

inline constexpr const char* kMomentSchema = R"(tacet = 1
dataset = "people"
ledger = "people.ledger"

[columns.treated]
membership = "public"
categories = ["no", "yes"]
other = "no"

[columns.height]
lower = 100
upper = 220
resolution = 0.5
missing = 160

[columns.weight]
lower = 0
upper = 200
resolution = 0.1
missing = 70
)";

/// Heights 150, 170, 170, 190 and weights 60, 60, 80, 80, over and over: means 170 and 70,
/// covariance [[200, 100], [100, 100]].
class MomentDesk : public Desk {
 public:
  explicit MomentDesk(const std::string& relation = "replace-one") {
    std::string schema = kMomentSchema;
    schema.insert(schema.find("\n\n"), "\nneighbours = \"" + relation + "\"");
    const std::string membership = "membership = \"public\"\n";  // there is none under add-or-remove-one
    if (relation != "replace-one") schema.erase(schema.find(membership), membership.size());
    write("people.toml", schema);
    std::string rows = "height,weight,treated\n";
    for (int i = 0; i < 100; ++i) rows += "150,60,no\n170,60,no\n170,80,yes\n190,80,yes\n";
    write("people.csv", rows);
    context.random_bits = []() -> Result<std::unique_ptr<exact::RandomBits>> {
      return std::unique_ptr<exact::RandomBits>(std::make_unique<test::InsecureSeededBits>(5));
    };
  }

  Result<Json> publish(const std::string& verb, const Json& more) const {
    Json request = {{"data", path("people.csv")}, {"schema", path("people.toml")}, {"columns", "height,weight"}, {"out", path("r.json")}};
    for (const auto& [key, value] : more.items()) request[key] = value;
    return call("release " + verb, request);
  }
};

}  // namespace tacet::test
