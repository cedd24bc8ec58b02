// A search for neighbouring files whose sums differ by more than is claimed, and the proof that the
// search would find them.
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tacet/data/moments.h"
#include "tacet/kernel/release_numbers.h"
#include "tacet/mechanisms/noise_plan.h"
#include "tacet/privacy/parameters.h"
#include "tacet/schemas/data_path.h"

#include "data/test_files.h"
#include "support/declared.h"
#include "support/opened.h"
#include "support/promise.h"

namespace tacet::data {
namespace {

/// The public sizes of the groups, if there are any.
std::optional<std::vector<std::int64_t>> sizes_of(const PublicRows& rows) {
  if (!rows.groups || !rows.groups->sizes) return std::nullopt;
  return rows.groups->sizes->value();
}

using Row = std::vector<std::string>;  // the texts of a, b and g

const char* const kLines = R"(
[columns.a]
lower = -3.7
upper = 12
resolution = 0.25
missing = 11
[columns.b]
lower = 5
upper = 6
resolution = 0.001
missing = 5.5
[columns.g]
categories = ["x", "y"]
membership = "public"
)";

class Files {
 public:
  explicit Files(const kernel::Relation& relation)
      : schema_(schema_with(relation.people_are_public() ? kLines : under_add_or_remove_one(kLines))) {}

  std::string write(const std::vector<Row>& rows) {
    std::string csv = "a,b,g\n";
    for (const Row& row : rows) csv += row[0] + "," + row[1] + "," + row[2] + "\n";
    return folder_.write("t.csv", csv);
  }
  Moments moments(const std::vector<Row>& rows, const MomentRequest& request) {
    Result<Moments> result = data::moments(*schemas::open_data(write(rows)), test::declared(schema_), request);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
    return *std::move(result);
  }
  ClippedSums clipped(const std::vector<Row>& rows, const ClipRequest& clip, const std::optional<Groups>& groups) {
    Result<ClippedSums> result = clipped_sums(*schemas::open_data(write(rows)), test::declared(schema_), {"a", "b"}, clip, groups);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message());
    return *std::move(result);
  }

 private:
  TestFolder folder_;
  Schema schema_;
};

// NeighbourRows that a bug would like: at the bounds, beside them, at the centre, missing, no
// number, infinite, huge, tiny, denormal, anything.
class NeighbourRows {
 public:
  explicit NeighbourRows(std::uint64_t seed) : random_(seed) {}
  Row row() {
    return {number({"-3.7", "12", "4.05", "4.3", "-3.70000000001", "12.0001"}), number({"5", "6", "5.5", "4.9999", "6.1", "5.4999999"}),
            group()};
  }
  std::vector<Row> rows() {
    std::vector<Row> rows(random_() % 4);
    for (Row& r : rows) r = row();
    return rows;
  }
  std::string group() { return std::vector<std::string>{"x", "y", "z", ""}[random_() % 4]; }
  std::size_t below(std::size_t most) { return random_() % most; }

 private:
  std::string number(const std::vector<std::string>& special) {
    static const std::vector<std::string> odd{"",       "nan", "inf",  "-inf",   "text", "1e308", "-1e308", "1e999",
                                              "5e-324", "0",   "-0.0", "1e-400", "\"\"", "-999",  "1e5",    "-1e5"};
    const std::uint64_t kind = random_() % 4;
    if (kind <= 1) return special[random_() % special.size()];
    if (kind == 2) return odd[random_() % odd.size()];
    const auto any = std::bit_cast<double>(random_());
    return std::isnan(any) ? "nan" : fmt::format("{}", any);
  }
  std::mt19937_64 random_;
};

// Files of which any two are neighbours (replace-one), or each is a neighbour of the first
// (add-or-remove-one).
using Family = std::vector<std::vector<Row>>;

// One row is exchanged, or comes, in the midst of others.
Family family(const std::vector<Row>& others, std::size_t at, const std::vector<Row>& exchanged, kernel::Relation relation) {
  Family files;
  if (relation.kind() == kernel::Relation::AddOrRemoveOne) files.push_back(others);
  for (const Row& row : exchanged) {
    files.push_back(others);
    files.back().insert(files.back().begin() + static_cast<std::ptrdiff_t>(at), row);
  }
  return files;
}

// `corners` by themselves, since one pair of them attains each bound whatever the seed, and random
// rows. Where membership is public, the exchanged row stays in its group.
std::vector<Family> families(const std::vector<Row>& corners, kernel::Relation relation, bool same_group) {
  constexpr int kFamilies = 6;
  constexpr int kExchanged = 40;
  NeighbourRows source(test::suite_seed());
  std::vector<Family> all;
  const auto add = [&](const std::vector<Row>& others, std::size_t at, const std::vector<Row>& exchanged) {
    if (!same_group) {
      all.push_back(family(others, at, exchanged, relation));
      return;
    }
    for (const char* group : {"x", "y", "z"}) {
      std::vector<Row> stay;
      for (const Row& row : exchanged) stay.push_back({row[0], row[1], group});
      all.push_back(family(others, at, stay, relation));
    }
  };
  add({}, 0, corners);
  for (int i = 0; i < kFamilies; ++i) {
    const std::vector<Row> others = source.rows();
    std::vector<Row> exchanged(kExchanged);
    for (Row& row : exchanged) row = source.row();
    add(others, source.below(others.size() + 1), exchanged);
  }
  return all;
}

// What each file of a family gives, and a call for each pair of neighbours.
template <class Value, class Call>
void for_each_pair(const std::vector<Value>& values, kernel::Relation relation, Call&& call) {
  const std::size_t firsts = relation.kind() == kernel::Relation::ReplaceOne ? values.size() : 1;
  for (std::size_t i = 0; i < firsts; ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) call(values[i], values[j]);
  }
}

struct Setting {
  kernel::Relation relation;
  MomentRequest request;
};

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const kernel::Relation& relation :
       {kernel::Relation(kernel::Relation::ReplaceOne), kernel::Relation(kernel::Relation::AddOrRemoveOne)}) {
    all.push_back({relation, {.columns = {"a", "b"}, .counts = true}});
    all.push_back({relation, {.columns = {"a", "b"}, .centres = {*Decimal::parse("-3"), Decimal(6)}}});
    for (const Membership membership : {Membership::Private, Membership::Public}) {
      if (membership == Membership::Public && !relation.people_are_public()) continue;  // refused
      all.push_back(
          {relation, {.columns = {"a", "b"}, .groups = Groups{"g", membership}, .counts = true, .centres = {Decimal(-2), Decimal(5)}}});
    }
  }
  return all;
}

// NeighbourRows at corners of the box and at its centre, in every group.
std::vector<Row> corner_rows(const Moments& described) {
  std::vector<Row> rows;
  for (const std::string& x : {std::string("-3.7"), std::string("12"), described.columns[0].grid.centre().to_string()}) {
    for (const std::string& y : {std::string("5"), std::string("6"), described.columns[1].grid.centre().to_string()}) {
      for (const char* group : {"x", "y", "z"}) rows.push_back({x, y, group});
    }
  }
  return rows;
}

// The largest change of each coordinate over random pairs, how many groups changed at most, and the
// most that a pair spent: of an epsilon of 1 with Laplace noise of the planned scales, and of a mu
// of 1 with Gaussian noise, squared.
struct Found {
  std::vector<Int128> largest;
  std::size_t touched = 0;
  double laplace = 0, gaussian = 0;
};

std::vector<double> planned_scales(kernel::NoiseFamily family, const kernel::BoxSensitivity& box) {
  const auto loss = family == kernel::NoiseFamily::Laplace ? privacy::pure_loss(*privacy::Epsilon::parse("1"))
                                                           : privacy::gaussian_loss_from_mu(*privacy::Mu::parse("1"));
  return mechanisms::plan_numbers(family, box, mechanisms::charged_sizes(family, box), loss)->scale;
}

Found search(const Setting& setting) {
  Files files(setting.relation);
  const Moments described = files.moments({}, setting.request);
  const MomentLayout& layout = described.layout;
  const bool same_group = setting.request.groups && setting.request.groups->membership == Membership::Public;
  Found found{std::vector<Int128>(layout.size())};
  const std::vector<double> laplace = planned_scales(kernel::NoiseFamily::Laplace, described.values.sensitivity());
  const std::vector<double> gaussian = planned_scales(kernel::NoiseFamily::Gaussian, described.values.sensitivity());
  for (const Family& family : families(corner_rows(described), setting.relation, same_group)) {
    std::vector<std::pair<PublicRows, std::vector<Int128>>> numbers;
    for (const std::vector<Row>& rows : family) {
      Moments moments = files.moments(rows, setting.request);
      numbers.emplace_back(std::move(moments.rows), test::opened(std::move(moments.values)));
    }
    for_each_pair(numbers, setting.relation, [&](const auto& a, const auto& b) {
      EXPECT_EQ(a.first.n, b.first.n);  // what is public does not tell neighbours apart
      EXPECT_EQ(sizes_of(a.first), sizes_of(b.first));
      std::size_t touched = 0;
      double sizes = 0;
      double squares = 0;
      for (std::size_t group = 0; group < layout.shape.groups; ++group) {
        bool changed = false;
        for (std::size_t i = group * layout.stretch(); i < (group + 1) * layout.stretch(); ++i) {
          const Int128 change = a.second[i] > b.second[i] ? a.second[i] - b.second[i] : b.second[i] - a.second[i];
          found.largest[i] = std::max(found.largest[i], change);
          changed = changed || change != 0;
          sizes += static_cast<double>(change) / laplace[i];
          squares += std::pow(static_cast<double>(change) / gaussian[i], 2);
        }
        touched += changed ? 1 : 0;
      }
      found.touched = std::max(found.touched, touched);
      found.laplace = std::max(found.laplace, sizes);
      found.gaussian = std::max(found.gaussian, squares);
    });
  }
  return found;
}

bool exceeds(Int128 change, Int128 bound) { return change > bound; }

// What it would catch: a row that escapes its bound, a count that public facts tell apart. Every
// bound is also attained, so that the planted fault, a bound smaller by one, is found out in each
// coordinate.
TEST(MomentNeighbours, NoPairOfFilesDiffersByMoreThanTheBoundAndSomeAttainIt) {
  for (const Setting& setting : settings()) {
    Files files(setting.relation);
    const Moments described = files.moments({}, setting.request);
    const kernel::BoxSensitivity& claimed = described.values.sensitivity();
    const Found found = search(setting);
    ASSERT_EQ(found.largest.size(), claimed.most.size());
    for (std::size_t i = 0; i < claimed.most.size(); ++i) {
      EXPECT_FALSE(exceeds(found.largest[i], claimed.most[i]))
          << i << ": " << to_string(found.largest[i]) << " > " << to_string(claimed.most[i]);
      EXPECT_TRUE(exceeds(found.largest[i], claimed.most[i] - 1)) << i << ": the planted fault is not found";
    }
    EXPECT_EQ(found.touched, claimed.touched);
    EXPECT_LE(found.laplace, 1 + 1e-9);
    EXPECT_LE(found.gaussian, 1 + 1e-9);
  }
}

// kernel/outer_products.h and eigen/release_eigen.h rest on it. What it would catch: products in
// another order than is claimed, numbers after them, a row that adds something else than its own
// products, a square above its bound.
TEST(MomentNeighbours, WhatIsClaimedToBeOuterProductsOfRowsIs) {
  NeighbourRows source(test::suite_seed());
  for (const Setting& setting : settings()) {
    Files files(setting.relation);
    for (int i = 0; i < 40; ++i) {
      Moments moments = files.moments({source.row()}, setting.request);
      const kernel::BoxSensitivity claimed = moments.values.sensitivity();
      const MomentLayout layout = moments.layout;
      const std::vector<Int128> values = test::opened(std::move(moments.values));
      ASSERT_EQ(claimed.outer_products, 2U);
      ASSERT_EQ(claimed.groups, layout.shape.groups);
      for (std::size_t group = 0; group < claimed.groups; ++group) {
        const Int128* products = values.data() + (group + 1) * layout.stretch() - 3;
        const Int128 x = values[layout.sum(group, 0)];
        const Int128 y = values[layout.sum(group, 1)];
        EXPECT_TRUE(products[0] == x * x && products[1] == x * y && products[2] == y * y) << group;
        EXPECT_FALSE(exceeds(x * x, claimed.most[(group + 1) * layout.stretch() - 3]));
        EXPECT_FALSE(exceeds(y * y, claimed.most[(group + 1) * layout.stretch() - 1]));
      }
    }
    MomentRequest sums = setting.request;
    sums.products = false;
    EXPECT_EQ(files.moments({}, sums).values.sensitivity().outer_products, 0U);
  }
}

TEST(MomentNeighbours, NoPairOfFilesDiffersInNormByMoreThanTheClip) {
  const ClipRequest clip{.centre = {3, 5.5}, .map = {{0.5, 2}, {-1, 7}, {0, 1}}, .radius = 2.5, .steps = 1000};
  for (const kernel::Relation& relation :
       {kernel::Relation(kernel::Relation::ReplaceOne), kernel::Relation(kernel::Relation::AddOrRemoveOne)}) {
    for (const std::optional<Groups>& groups :
         {std::optional<Groups>(), std::optional(Groups{"g", Membership::Private}), std::optional(Groups{"g", Membership::Public})}) {
      const bool same_group = groups && groups->membership == Membership::Public;
      if (same_group && !relation.people_are_public()) continue;  // refused
      Files files(relation);
      Int128 largest = 0;
      const Int128 claimed = files.clipped({}, clip, groups).values.sensitivity().l2_squared;
      // Opposite corners are clipped in opposite directions.
      for (const Family& family : families({{"12", "6", "x"}, {"-3.7", "5", "x"}, {"-3.7", "6", "y"}}, relation, same_group)) {
        std::vector<std::pair<PublicRows, std::vector<Int128>>> numbers;
        for (const std::vector<Row>& rows : family) {
          ClippedSums sums = files.clipped(rows, clip, groups);
          numbers.emplace_back(std::move(sums.rows), test::opened(std::move(sums.values)));
        }
        for_each_pair(numbers, relation, [&](const auto& a, const auto& b) {
          EXPECT_EQ(a.first.n, b.first.n);
          EXPECT_EQ(sizes_of(a.first), sizes_of(b.first));
          Int128 squares = 0;
          for (std::size_t i = 0; i < a.second.size(); ++i) squares += (a.second[i] - b.second[i]) * (a.second[i] - b.second[i]);
          EXPECT_FALSE(exceeds(squares, claimed));
          largest = std::max(largest, squares);
        });
      }
      EXPECT_TRUE(exceeds(largest, claimed * 81 / 100)) << "the planted fault, a bound a tenth too short, is not found";
    }
  }
}

}  // namespace
}  // namespace tacet::data
