#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/privacy_json.h"
#include "tacet/mechanisms/randomizers.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/local_request.h"
#include "tacet/service/new_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using mechanisms::LocalKind;

/// A report for a value, as JSON: a category, or a list of numbers.
using Report = std::function<Result<Json>(std::size_t value, exact::RandomBits& bits)>;

/// From labels to categories. What a label is stays private: no error repeats it, or says which line it was on.
class Coder {
 public:
  static Result<Coder> of(const std::vector<std::string>& categories, const std::optional<std::string>& other) {
    Coder coder;
    for (std::size_t i = 0; i < categories.size(); ++i) coder.index_[categories[i]] = i;
    if (!other) return coder;
    const auto found = coder.index_.find(*other);
    if (found == coder.index_.end())
      return Error::invalid("other", fmt::format("\"{}\"", other->substr(0, 40)), "must be one of the categories");
    coder.other_ = found->second;
    return coder;
  }

  Result<std::size_t> category(const std::string& label) const {
    if (const auto found = index_.find(label); found != index_.end()) return found->second;
    if (other_) return *other_;
    return Error::invalid("value", "hidden", "must be one of the categories",
                          "list every category, or name the one for all other values with --other");
  }

 private:
  std::unordered_map<std::string, std::size_t> index_;
  std::optional<std::size_t> other_;
};

/// One value to a line; the last line may end without a newline.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const bool carriage = end > from && text[end - 1] == '\r';
    lines.push_back(text.substr(from, end - from - (carriage ? 1 : 0)));
    from = end + 1;
  }
  return lines;
}

Result<std::vector<std::size_t>> values_of(const Json& request, const Coder& coder) {
  if (request.contains("value") == request.contains("values")) {
    return Error::invalid("value", request.contains("value") ? "given twice" : "missing",
                          "must be given as one of --value (one label) and --values (a file with one to a line)");
  }
  std::vector<std::string> labels;
  if (const auto one = text_field(request, "value")) {
    labels.push_back(*one);
  } else {
    TACET_TRY(const std::string text, mechanisms::read_text_file(*text_field(request, "values"), "values"));
    labels = lines_of(text);
    if (labels.empty()) return Error::invalid("values", "empty", "must be a file with at least one line");
  }
  std::vector<std::size_t> values;
  values.reserve(labels.size());
  for (const std::string& label : labels) {
    TACET_TRY(const std::size_t value, coder.category(label));
    values.push_back(value);
  }
  return values;
}

Result<Report> report_of(const LocalTerms& terms, const std::vector<std::string>& categories) {
  if (terms.law.kind == LocalKind::Exp || terms.law.kind == LocalKind::Flip) {
    TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::of(std::get<privacy::PureLoss>(terms.loss).epsilon));
    if (terms.law.kind == LocalKind::Exp) {
      TACET_TRY(const auto randomizer, mechanisms::ExpRandomizer::of(categories.size(), epsilon));
      return Report([randomizer, categories](std::size_t value, exact::RandomBits& bits) -> Result<Json> {
        TACET_TRY(const std::size_t category, randomizer.report(value, bits));
        return Json(categories[category]);
      });
    }
    TACET_TRY(const auto randomizer, mechanisms::FlipRandomizer::of(categories.size(), epsilon));
    return Report([randomizer](std::size_t value, exact::RandomBits& bits) -> Result<Json> {
      TACET_TRY(const std::vector<std::uint8_t> report, randomizer.report(value, bits));
      return Json(std::vector<int>(report.begin(), report.end()));
    });
  }
  const auto family = terms.law.kind == LocalKind::Gaussian ? kernel::NoiseFamily::Gaussian : kernel::NoiseFamily::Laplace;
  TACET_TRY(const auto randomizer, mechanisms::NoiseRandomizer::of(categories.size(), family, terms.loss));
  return Report([randomizer](std::size_t value, exact::RandomBits& bits) -> Result<Json> {
    TACET_TRY(const std::vector<double> report, randomizer.report(value, bits));
    return Json(report);
  });
}

std::string line_of(const Json& report) { return report.is_string() ? report.get<std::string>() : dump(report); }

Result<Json> run(LocalKind kind, const Json& request, const Context& context) {
  TACET_TRY(const LocalTerms terms, local_terms(kind, request));
  TACET_TRY(const std::vector<std::string> categories, categories_field(request));
  TACET_TRY(const Report report, report_of(terms, categories));
  TACET_TRY(const Coder coder, Coder::of(categories, text_field(request, "other")));
  TACET_TRY(const std::vector<std::size_t> values, values_of(request, coder));
  TACET_TRY(const std::unique_ptr<exact::RandomBits> bits, context.open_bits());
  Json reports = Json::array();
  for (const std::size_t value : values) {
    TACET_TRY(Json one, report(value, *bits));
    reports.push_back(std::move(one));
  }
  Json result = {{"mechanism", name(kind)}, {"categories", categories},
                 {"n", values.size()},      {"privacy", mechanisms::privacy_json(terms.privacy)},
                 {"promise", terms.words},  {"guarantee", "exact"}};
  if (kind == LocalKind::Gaussian || kind == LocalKind::Laplace) result["scale"] = terms.law.parameter;
  if (const auto out = text_field(request, "out")) {
    std::string text;
    for (const Json& one : reports) text += line_of(one) + "\n";
    TACET_TRY(NewFile file, NewFile::reserve(*out, text.size()));
    TACET_CHECK(file.publish(text));
    result["out"] = *out;
    return result;
  }
  result["reports"] = std::move(reports);
  return result;
}

std::string words(const Json& result) {
  constexpr std::size_t kMostLines = 60;
  std::string out;
  if (result.contains("reports")) {
    const Json& reports = result.at("reports");
    for (std::size_t i = 0; i < reports.size() && i < kMostLines; ++i) out += report::printable(line_of(reports[i])) + "\n";
    if (reports.size() > kMostLines) out += fmt::format("... and {} more; use --out to keep them.\n", reports.size() - kMostLines);
  } else {
    const auto n = result.at("n").get<std::size_t>();
    out = fmt::format("Wrote {}: {} report{}, one to a line.\n", report::shell_word(result.at("out").get<std::string>()), n,
                      n == 1 ? "" : "s");
  }
  return out + fmt::format(
                   "The guarantee is local ({} for each report): it holds against everybody who sees the report, the collector included.\n"
                   "No ledger is involved: every further report of the same person costs as much again.\n",
                   result.at("promise").get<std::string>());
}

Verb verb_of(LocalKind kind, std::string summary, const std::string& promise, std::vector<Field> currency) {
  std::vector<Field> fields = {{"categories", "a,b,c", "all categories, in the order that the collector uses", FieldKind::List, true},
                               {"value", "LABEL", "the person's value: one of the categories", FieldKind::Text, false, true},
                               {"values", "FILE", "instead of --value: a file with one value to a line, one person each"},
                               {"other", "LABEL", "the category that stands for values that are not listed; without it they are refused"},
                               {"out", "FILE", "where to write the reports, one to a line; otherwise they are printed"}};
  for (Field& field : currency) fields.push_back(std::move(field));
  const std::string name = fmt::format("randomize {}", tacet::name(kind));
  return {name,
          std::move(summary),
          fmt::format("tacet {} --value former --categories never,former,current {}", name, promise),
          std::move(fields),
          [kind](const Json& request, const Context& context) { return run(kind, request, context); },
          words};
}

Field epsilon_field() { return {"epsilon", "E", "the epsilon of one report", FieldKind::Number, true}; }

}  // namespace

Verb randomize_exp_verb() {
  return verb_of(LocalKind::Exp, "On a person's side: report a value truthfully, or any other one, by exact coins", "--epsilon 1",
                 {epsilon_field()});
}

Verb randomize_flip_verb() {
  return verb_of(LocalKind::Flip, "On a person's side: report a value as bits, each of them flipped now and then", "--epsilon 1",
                 {epsilon_field()});
}

Verb randomize_gaussian_verb() {
  return verb_of(LocalKind::Gaussian, "On a person's side: report a value as numbers with Gaussian noise", "--rho 0.5",
                 currency_fields("what one report gives away"));
}

Verb randomize_laplace_verb() {
  return verb_of(LocalKind::Laplace, "On a person's side: report a value as numbers with Laplace noise", "--epsilon 1",
                 currency_fields("what one report gives away"));
}

}  // namespace tacet::service
