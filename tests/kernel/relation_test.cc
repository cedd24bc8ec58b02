#include "tacet/kernel/relation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacet::kernel::relation_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Relation, KindSaysWhetherTheNumberOfPeopleIsPublic) {
  EXPECT_TRUE(Relation(Relation::ReplaceOne).people_are_public());
  EXPECT_FALSE(Relation(Relation::AddOrRemoveOne).people_are_public());
}

TEST(Relation, OfAKindMakesNoColumnPublic) {
  for (const Relation& relation : {Relation(Relation::ReplaceOne), Relation(Relation::AddOrRemoveOne)}) {
    EXPECT_FALSE(relation.is_public("arm"));
    EXPECT_FALSE(relation.is_public(""));
    EXPECT_THAT(relation.public_columns(), IsEmpty());
  }
}

TEST(Relation, WithinColumnsMakesThoseAndNoOthersPublic) {
  const Relation relation = *Relation::within({"site", "arm"});
  EXPECT_EQ(relation.kind(), Relation::ReplaceOne);
  EXPECT_TRUE(relation.people_are_public());
  EXPECT_TRUE(relation.is_public("arm"));
  EXPECT_TRUE(relation.is_public("site"));
  for (const char* other : {"hiv", "Arm", "ar", "arms", "arm ", ""}) EXPECT_FALSE(relation.is_public(other)) << other;
  EXPECT_THAT(relation.public_columns(), ElementsAre("arm", "site"));
}

TEST(Relation, OrderOfColumnsDoesNotMatterAndEveryColumnDoes) {
  EXPECT_EQ(*Relation::within({"site", "arm"}), *Relation::within({"arm", "site"}));
  EXPECT_NE(*Relation::within({"arm"}), *Relation::within({"arm", "site"}));
  EXPECT_NE(*Relation::within({"arm"}), *Relation::within({"site"}));
  EXPECT_NE(*Relation::within({"arm"}), Relation(Relation::ReplaceOne));
  EXPECT_EQ(*Relation::within({}), Relation(Relation::ReplaceOne));
  EXPECT_NE(Relation(Relation::AddOrRemoveOne), Relation(Relation::ReplaceOne));
}

TEST(Relation, ColumnTwiceOrWithoutANameIsRefused) {
  for (const auto& columns : {std::vector<std::string>{"arm", "arm"}, {"arm", ""}, {""}, {"b", "a", "b"}}) {
    const auto relation = Relation::within(columns);
    ASSERT_FALSE(relation.ok());
    EXPECT_EQ(relation.error().code(), Code::InvalidArgument);
    EXPECT_EQ(relation.error().message(), "public columns is one of them twice, or empty, but must be names of columns, each once");
  }
}

TEST(Relation, NamesAreReadBackAndOthersAreRefused) {
  for (const Relation::Kind kind : {Relation::ReplaceOne, Relation::AddOrRemoveOne})
    EXPECT_EQ(*named<Relation::Kind>("neighbours", name(kind)), kind);
  for (const char* wrong : {"", "replace", "Replace-one", "replace-one ", "cousins"}) {
    EXPECT_EQ(named<Relation::Kind>("neighbours", wrong).error().code(), Code::InvalidArgument) << wrong;
  }
  EXPECT_EQ(named<Relation::Kind>("neighbours", "cousins").error().message(),
            "neighbours is cousins, but must be replace-one or add-or-remove-one");
}

TEST(Relation, DescriptionNamesThePublicColumns) {
  EXPECT_EQ(describe(Relation::ReplaceOne), "replace-one");
  EXPECT_EQ(describe(Relation::AddOrRemoveOne), "add-or-remove-one");
  EXPECT_EQ(describe(*Relation::within({"site", "arm"})), "replace-one (arm, site public)");
}

}  // namespace
}  // namespace tacet::kernel::relation_test
