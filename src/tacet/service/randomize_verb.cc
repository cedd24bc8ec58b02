#include "tacet/service/randomize_verb.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/privacy_json.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/report/text_table.h"
#include "tacet/service/privacy_fields.h"

namespace tacet::service {
namespace {

/// One value to a line; the last line may end without a newline.
std::vector<std::string> labels_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const bool carriage = end > from && text[end - 1] == '\r';
    lines.push_back(text.substr(from, end - from - (carriage ? 1 : 0)));
    from = end + 1;
  }
  return lines;
}

Result<std::vector<std::string>> values_of(const RandomizeFields& fields) {
  if (fields.value.has_value() == fields.values.has_value()) {
    return Error::invalid("value", fields.value ? "given twice" : "missing",
                          "must be given as one of value (one label) and values (a file with one to a line)");
  }
  if (fields.value) return std::vector<std::string>{*fields.value};
  TACET_TRY(const std::string text, mechanisms::read_text_file(*fields.values, "values"));
  return labels_of(text);
}

Json reports_json(const RandomizeReply& reply) {
  if (reply.out) return nullptr;
  Json all = Json::array();
  if (const auto* categories = std::get_if<CategoryReports>(&reply.reports.reports)) {
    for (const std::size_t category : *categories) all.push_back(reply.reports.categories[category]);
  } else if (const auto* bits = std::get_if<BitReports>(&reply.reports.reports)) {
    for (const auto& report : *bits) all.push_back(std::vector<int>(report.begin(), report.end()));
  } else {
    all = std::get<NumberReports>(reply.reports.reports);
  }
  return all;
}

std::optional<double> scale_of(const RandomizeReply& reply) {
  const LocalRandomizer& randomizer = reply.reports.terms.randomizer;
  return randomizer.kind == LocalKind::Gaussian || randomizer.kind == LocalKind::Laplace ? std::optional(randomizer.parameter)
                                                                                         : std::nullopt;
}

/// The promise is that of each report by itself.
Json local_privacy(const RandomizeReply& reply) {
  mechanisms::ReleasedPrivacy privacy = mechanisms::stated(reply.reports.terms.loss);
  privacy.neighbours = mechanisms::Neighbours::Local;
  return mechanisms::privacy_json(privacy);
}

}  // namespace

RequestTable<std::optional<PrivacyAmount>> epsilon_of_a_report() {
  return privacy_table_of({{"epsilon", "E", "the epsilon of one report", FieldKind::Number, /*required=*/true}});
}

RequestTable<std::optional<PrivacyAmount>> privacy_of_a_report() { return privacy_table("what one report gives away"); }

RequestTable<RandomizeFields> randomize_request(const RequestTable<std::optional<PrivacyAmount>>& privacy) {
  using Fields = RandomizeFields;
  return RequestTable<Fields>()
      .required("categories", &Fields::categories, "a,b,c", "all categories, in the order that the collector uses")
      .field("value", &Fields::value, "LABEL", "the person's value: one of the categories")
      .secret()
      .field("values", &Fields::values, "FILE", "instead of value: a file with one value to a line, one person each")
      .field("other", &Fields::other, "LABEL", "the category that stands for values that are not listed; without it they are refused")
      .field("out", &Fields::out, "FILE", "where to write the reports, one to a line; otherwise they are printed")
      .field("ledger", &Fields::ledger, "FILE", "the person's own ledger, whose budget pays for the report; without it nobody counts")
      .field("dataset", &Fields::dataset, "NAME", "with ledger: the budget in it, if there are several")
      .include(&Fields::loss, privacy);
}

Result<RandomizeReply> randomize(LocalKind kind, const RandomizeFields& fields, const Context& context) {
  TACET_TRY(const PrivacyAmount loss, required_privacy(fields.loss));
  TACET_TRY(std::vector<std::string> values, values_of(fields));
  if (fields.dataset && !fields.ledger)
    return Error::invalid("dataset", fields.dataset->substr(0, 40), "goes with ledger", "add ledger = mine.ledger");
  RandomizeRequest request{
      .kind = kind, .categories = fields.categories, .values = std::move(values), .loss = loss, .other = fields.other, .out = fields.out};
  if (fields.ledger) request.budget = DatasetPlace{.ledger = fields.ledger, .dataset = fields.dataset};
  TACET_TRY(LocalReports reports, randomize_values(request, context));
  return RandomizeReply{loss, std::move(reports), fields.out};
}

AnswerTable<RandomizeReply> randomize_answer() {
  using Reply = RandomizeReply;
  return AnswerTable<Reply>()
      .value(
          "mechanism", [](const Reply& reply) { return reply.reports.terms.randomizer.kind; }, "how the value was randomised")
      .value(
          "categories", [](const Reply& reply) { return reply.reports.categories; }, "all categories")
      .value(
          "n", [](const Reply& reply) { return std::uint64_t{reply.reports.people()}; }, "the number of reports")
      .json("privacy", local_privacy, {{"type", "object"}}, "what one report gives away")
      .value(
          "promise", [](const Reply& reply) { return local_promise_words(reply.promise); }, "the same as it was asked for")
      .value(
          "guarantee", [](const Reply&) { return std::string("exact"); }, "proven for the bits of the report")
      .value("scale", scale_of, "of noise: its scale in one report")
      .unless_null()
      .json("reports", reports_json, {{"type", "array"}}, "the reports, in the order of the values; left out where they went to a file")
      .unless_null()
      .value("out", &Reply::out, "the file that was written")
      .unless_null()
      .json(
          "ledger", [](const Reply& reply) { return mechanisms::receipt_json(reply.reports.receipt); }, {{"type", "object"}},
          "with a budget: the receipt of the charge")
      .unless_null();
}

std::string randomize_words(const RandomizeReply& reply) {
  constexpr std::size_t kMostLines = 60;
  const std::size_t n = reply.reports.people();
  std::string out;
  if (reply.out) {
    out = fmt::format("Wrote {}: {} report{}, one to a line.\n", report::shell_word(*reply.out), n, n == 1 ? "" : "s");
  } else {
    const std::vector<std::string> lines = lines_of(reply.reports);
    for (std::size_t i = 0; i < n && i < kMostLines; ++i) out += report::printable(lines[i]) + "\n";
    if (n > kMostLines) out += fmt::format("... and {} more; use --out to keep them.\n", n - kMostLines);
  }
  out +=
      fmt::format("The guarantee is local ({} for each report): it holds against everybody who sees the report, the collector included.\n",
                  local_promise_words(reply.promise));
  if (!reply.reports.receipt) return out + "No ledger is involved: every further report of the same person costs as much again.\n";
  out += fmt::format("Charged to the person's own budget: {}.", short_amounts(reply.reports.receipt->charged));
  if (reply.reports.left) out += fmt::format(" Remaining: {}.", words(reply.reports.left->remaining));
  return out + "\n";
}

}  // namespace tacet::service
