#include "tacet/kernel/ledger/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel/ledger_requests.h"

namespace tacet::kernel::record_test {
namespace {

using testing::decimal;
using testing::epsilon_delta_loss;
using testing::epsilon_loss;
using testing::rho_budget;
using testing::rho_loss;

ChargeRecord charge(std::string statement = "counts by sex") {
  return {.dataset = "patients",
          .entry = 7,
          .analyst = "ada",
          .statement = std::move(statement),
          .loss = rho_loss("0.125"),
          .idealised = false,
          .source = "/data.csv",
          .time = "2026-01-01T00:00:00Z"};
}

TermsRecord terms() {
  Declaration declared = rho_budget("1");
  declared.relation = *Relation::within({"arm", "site"});
  declared.schema = "age 0 to 120\n";
  declared.others = privacy::Amount{decimal("0.25"), {}};
  return {.dataset = "patients",
          .declared = declared,
          .shares = {{.analyst = "ada", .limit = {decimal("0.5"), {}}}, {.analyst = "ben", .limit = {decimal("0.1"), {}}}},
          .time = "2026-01-01T00:00:00Z",
          .adopted = "old 1",
          .charges = {{.analyst = "ada",
                       .statement = "old counts",
                       .time = "2025-01-01T00:00:00Z",
                       .entry_hash = std::string(64, 'c'),
                       .loss = epsilon_delta_loss("0.5", "1e-6"),
                       .idealised = true}}};
}

TEST(Record, HasOneTextWhichIsReadBack) {
  AmendmentRecord amendment{
      .dataset = "patients", .entry = 3, .custodian = "carol", .reason = "moved", .schema = "s", .source = "", .relation = {}, .time = "t"};
  AmendmentRecord relation = amendment;
  relation.schema.reset();
  relation.source.reset();
  relation.relation = Relation(Relation::AddOrRemoveOne);
  TermsRecord plain = terms();
  plain.declared.others.reset();
  plain.shares.clear();
  plain.charges.clear();
  ChargeRecord pure = charge();
  pure.loss = epsilon_loss("1e-300");
  pure.idealised = true;
  const std::vector<std::pair<Record, std::string>> records = {
      {charge(),
       R"({"kind":"charge","dataset":"patients","entry":7,"analyst":"ada","statement":"counts by sex","loss":["gaussian","0.25"],"idealised":false,"source":"/data.csv","time":"2026-01-01T00:00:00Z"})"},
      {pure,
       R"({"kind":"charge","dataset":"patients","entry":7,"analyst":"ada","statement":"counts by sex","loss":["pure","1e-300"],"idealised":true,"source":"/data.csv","time":"2026-01-01T00:00:00Z"})"},
      {FailedScanRecord{.dataset = "patients", .entry = 8, .analyst = "ada", .statement = "s", .time = "t"},
       R"({"kind":"failed-scan","dataset":"patients","entry":8,"analyst":"ada","statement":"s","time":"t"})"},
      {PublishedRecord{.dataset = "patients", .of = 7, .release_hash = "ab"},
       R"({"kind":"published","dataset":"patients","of":7,"release_hash":"ab"})"},
      {amendment,
       R"({"kind":"amendment","dataset":"patients","entry":3,"custodian":"carol","reason":"moved","schema":"s","source":"","time":"t"})"},
      {relation,
       R"({"kind":"amendment","dataset":"patients","entry":3,"custodian":"carol","reason":"moved","relation":{"neighbours":"add-or-remove-one","public_columns":[]},"time":"t"})"},
      {plain,
       R"({"kind":"terms","dataset":"patients","declared":{"currency":"rho","total":["1","0"],"rule":"zcdp","slack":"0","relation":{"neighbours":"replace-one","public_columns":["arm","site"]},"schema":"age 0 to 120\n","source":"","idealised":false,"custodian":"","again":""},"shares":[],"time":"2026-01-01T00:00:00Z","adopted":"old 1","charges":[]})"},
      {terms(),
       R"({"kind":"terms","dataset":"patients","declared":{"currency":"rho","total":["1","0"],"rule":"zcdp","slack":"0","relation":{"neighbours":"replace-one","public_columns":["arm","site"]},"schema":"age 0 to 120\n","source":"","idealised":false,"others":["0.25","0"],"custodian":"","again":""},"shares":[{"analyst":"ada","most":["0.5","0"]},{"analyst":"ben","most":["0.1","0"]}],"time":"2026-01-01T00:00:00Z","adopted":"old 1","charges":[{"analyst":"ada","statement":"old counts","time":"2025-01-01T00:00:00Z","entry_hash":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","loss":["approximate","0.5","0.000001"],"idealised":true}]})"}};
  for (const auto& [record, text] : records) {
    EXPECT_EQ(to_text(record), text);
    const auto read = record_from_text(text);
    ASSERT_TRUE(read.ok()) << text;
    EXPECT_EQ(read->index(), record.index());
    EXPECT_EQ(to_text(*read), text);
  }
}

TEST(Record, KeepsEveryTextThatMayBeWritten) {
  std::string all;
  for (int c = 1; c < 128; ++c) all += static_cast<char>(c);
  for (const std::string& statement :
       {all, std::string("\"\\/\b\f\n\r\t\x01\x1f\x7f"), std::string("Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x90\xa6"),
        std::string("{}[],:\t\"x\":"), std::string(100'000, '"')}) {
    const std::string text = to_text(charge(statement));
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_EQ(text.find('\t'), std::string::npos);
    const auto read = record_from_text(text);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(std::get<ChargeRecord>(*read).statement, statement);
  }
}

TEST(Record, KeepsTheThreePromisesOfLaplaceNoise) {
  ChargeRecord laplace = charge();
  for (const std::string loss : {R"(["laplace","1","0.2131"])", R"(["laplace","1","0.2131","0.51"])"}) {
    const bool in_mu = loss.ends_with("0.51\"]");
    laplace.loss = privacy::LaplaceLoss{testing::decimal("1"), testing::decimal("0.2131"), {}};
    if (in_mu) std::get<privacy::LaplaceLoss>(laplace.loss).mu_squared = testing::decimal("0.51");
    EXPECT_EQ(loss_key(laplace.loss), loss);
    const auto read = record_from_text(to_text(Record(laplace)));
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(loss_key(std::get<ChargeRecord>(*read).loss), loss);
  }
  for (const std::string wrong : {R"(["laplace","1"])", R"(["laplace","1","0.2131","0.51","1"])", R"(["laplace","1","0.21310"])"}) {
    std::string text = to_text(Record(laplace));
    const std::string right = loss_key(laplace.loss);
    EXPECT_FALSE(record_from_text(text.replace(text.find(right), right.size(), wrong)).ok()) << wrong;
  }
}

TEST(Record, EveryOtherTextIsRefused) {
  const std::string text = to_text(charge("a\nb"));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    const std::size_t at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return other.replace(at, from.size(), to);
  };
  std::vector<std::string> wrong = {"",
                                    "{",
                                    "}",
                                    "{}",
                                    "null",
                                    "[]",
                                    text + " ",
                                    " " + text,
                                    text + "}",
                                    text + text,
                                    changed("\"entry\":7", "\"entry\": 7"),
                                    changed("\"entry\":7", "\"entry\":07"),
                                    changed("\"entry\":7", "\"entry\":-7"),
                                    changed("\"entry\":7", "\"entry\":7.0"),
                                    changed("\"entry\":7", "\"entry\":\"7\""),
                                    changed("\"entry\":7", "\"entry\":"),
                                    changed("\"entry\":7", "\"entry\":1000000000000000000000"),
                                    changed("\"entry\":7,", ""),
                                    changed("\"entry\":7", "\"entry\":7,\"entry\":7"),
                                    changed("\"entry\":7", "\"extra\":1,\"entry\":7"),
                                    changed("\"entry\":7,\"analyst\":\"ada\"", "\"analyst\":\"ada\",\"entry\":7"),
                                    changed("false", "true "),
                                    changed("false", "0"),
                                    changed("false", "falsey"),
                                    changed("a\\nb", "a\\u000ab"),
                                    changed("a\\nb", "a\\/b"),
                                    changed("a\\nb", "a\\u0041b"),
                                    changed("a\\nb", "a\\u00e9b"),
                                    changed("a\\nb", "a\\u001Fb"),
                                    changed("a\\nb", "a\\u00"),
                                    changed("a\\nb", "a\nb"),
                                    changed("a\\nb", "a\\"),
                                    changed("a\\nb", "\xff"),
                                    changed("a\\nb", "\xc3"),
                                    changed("a\\nb", "\xed\xa0\x80"),
                                    changed("\"0.25\"", "\"0.250\""),
                                    changed("\"0.25\"", "\".25\""),
                                    changed("\"0.25\"", "\"+0.25\""),
                                    changed("\"0.25\"", "\"-0.25\""),
                                    changed("\"0.25\"", "0.25"),
                                    changed("\"0.25\"", "\"\""),
                                    changed("\"0.25\"", "\"inf\""),
                                    changed("[\"gaussian\",\"0.25\"]", "[\"gaussian\",\"0.25\",\"0\"]"),
                                    changed("[\"gaussian\",\"0.25\"]", "[\"approximate\",\"0.25\"]"),
                                    changed("\"gaussian\"", "\"free\""),
                                    changed("\"charge\"", "\"gift\"")};
  for (std::size_t size = 0; size < text.size(); ++size) wrong.push_back(text.substr(0, size));
  for (const std::string& other : wrong) {
    const auto read = record_from_text(other);
    ASSERT_FALSE(read.ok()) << other;
    EXPECT_EQ(read.error().code(), Code::LedgerCorrupt);
  }
}

TEST(Record, TextWithAnyByteChangedIsRefusedOrIsThatOfAnotherRecord) {
  const std::string text = to_text(terms());
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char other : {'"', '\\', '{', '}', '[', ']', ',', '0', 'x', '\x01', '\xff'}) {
      std::string changed = text;
      changed[at] = other;
      const auto read = record_from_text(changed);
      if (read.ok()) {
        EXPECT_EQ(to_text(*read), changed) << at;
      }
    }
  }
}

TEST(Record, ChainHashesWhatWasWrittenAfterWhatWasBefore) {
  // printf 'tacet record 3\na\nb' | b2sum -l 256
  EXPECT_EQ(record_hash("a", "b"), hash_hex("tacet record 3\na\nb"));
  EXPECT_NE(record_hash("a", "b"), record_hash("b", "a"));
  const std::string header = header_line("0123456789abcdef0123456789abcdef");
  const auto parsed = parse_header(std::string_view(header).substr(0, header.size() - 1));
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->name, "0123456789abcdef0123456789abcdef");
  EXPECT_FALSE(parse_header(header).has_value()) << "with its line feed";
  for (std::size_t at = 0; at + 1 < header.size(); ++at) {
    std::string wrong = header.substr(0, header.size() - 1);
    wrong[at] = wrong[at] == '0' ? '1' : '0';
    EXPECT_FALSE(parse_header(wrong).has_value()) << at;
  }
}

}  // namespace
}  // namespace tacet::kernel::record_test
