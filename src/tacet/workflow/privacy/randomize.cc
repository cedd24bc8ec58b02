#include "tacet/workflow/privacy/randomize.h"

#include <memory>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/randomizers.h"
#include "tacet/privacy/parameters.h"
#include "tacet/workflow/new_file.h"

namespace tacet {
namespace {

/// From labels to categories. A label is private: no error repeats it.
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
                          "list every category, or name the one for all other values with other = LABEL");
  }

 private:
  std::unordered_map<std::string, std::size_t> index_;
  std::optional<std::size_t> other_;
};

using Randomizer = std::variant<mechanisms::ExpRandomizer, mechanisms::FlipRandomizer, mechanisms::NoiseRandomizer>;

Result<Randomizer> randomizer_of(const LocalTerms& terms, std::size_t categories) {
  const LocalKind kind = terms.randomizer.kind;
  if (kind == LocalKind::Gaussian || kind == LocalKind::Laplace) {
    const auto family = kind == LocalKind::Gaussian ? kernel::NoiseFamily::Gaussian : kernel::NoiseFamily::Laplace;
    TACET_TRY(const auto noise, mechanisms::NoiseRandomizer::of(categories, family, terms.loss));
    return Randomizer(noise);
  }
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::of(std::get<privacy::PureLoss>(terms.loss).epsilon));
  if (kind == LocalKind::Exp) {
    TACET_TRY(const auto coins, mechanisms::ExpRandomizer::of(categories, epsilon));
    return Randomizer(coins);
  }
  TACET_TRY(const auto coins, mechanisms::FlipRandomizer::of(categories, epsilon));
  return Randomizer(coins);
}

Result<std::vector<std::size_t>> coded(const RandomizeRequest& request) {
  TACET_TRY(const Coder coder, Coder::of(request.categories, request.other));
  if (request.values.empty()) return Error::invalid("values", "empty", "must be at least one value");
  std::vector<std::size_t> values;
  values.reserve(request.values.size());
  for (const std::string& label : request.values) {
    TACET_TRY(const std::size_t value, coder.category(label));
    values.push_back(value);
  }
  return values;
}

/// "[0,1,0]".
template <class Number>
std::string as_list(const std::vector<Number>& report) {
  return nlohmann::json(report).dump();
}

}  // namespace

std::size_t LocalReports::people() const {
  return std::visit([](const auto& all) { return all.size(); }, reports);
}

Result<LocalReports> randomize_values(const RandomizeRequest& request, const Context& context) {
  TACET_TRY(const LocalTerms terms, local_terms(request.kind, request.loss));
  TACET_CHECK(check_categories(request.categories));
  TACET_TRY(const Randomizer randomizer, randomizer_of(terms, request.categories.size()));
  TACET_TRY(const std::vector<std::size_t> values, coded(request));
  TACET_TRY(const std::unique_ptr<exact::RandomBits> bits, context.open_bits());
  return std::visit(
      [&](const auto& one) -> Result<LocalReports> {
        std::vector<std::remove_cvref_t<decltype(*one.report(0, *bits))>> reports;
        reports.reserve(values.size());
        for (const std::size_t value : values) {
          TACET_TRY(auto report, one.report(value, *bits));
          reports.push_back(std::move(report));
        }
        return LocalReports{terms, request.categories, std::move(reports)};
      },
      randomizer);
}

std::vector<std::string> lines_of(const LocalReports& reports) {
  std::vector<std::string> lines;
  lines.reserve(reports.people());
  if (const auto* categories = std::get_if<CategoryReports>(&reports.reports)) {
    for (const std::size_t category : *categories) lines.push_back(reports.categories[category]);
  } else if (const auto* bits = std::get_if<BitReports>(&reports.reports)) {
    for (const auto& report : *bits) lines.push_back(as_list(report));
  } else {
    for (const auto& report : std::get<NumberReports>(reports.reports)) lines.push_back(as_list(report));
  }
  return lines;
}

Status write_reports(const LocalReports& reports, const std::string& path) {
  std::string text;
  for (const std::string& line : lines_of(reports)) text += line + "\n";
  TACET_TRY(NewFile file, NewFile::reserve(path, text.size()));
  return file.publish(text);
}

}  // namespace tacet
