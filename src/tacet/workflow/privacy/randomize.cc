#include "tacet/workflow/privacy/randomize.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/kernel/ledger/ledger.h"
#include "tacet/kernel/ledger/record.h"
#include "tacet/kernel/release_order.h"
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

using Reports = std::variant<CategoryReports, BitReports, NumberReports>;

Result<Reports> drawn(const Randomizer& randomizer, const std::vector<std::size_t>& values, exact::RandomBits& bits) {
  return std::visit(
      [&](const auto& one) -> Result<Reports> {
        std::vector<std::remove_cvref_t<decltype(*one.report(0, bits))>> reports;
        reports.reserve(values.size());
        for (const std::size_t value : values) {
          TACET_TRY(auto report, one.report(value, bits));
          reports.push_back(std::move(report));
        }
        return Reports(std::move(reports));
      },
      randomizer);
}

/// The file of the reports, if one was asked for. It is reserved before anything is charged.
class ReportFile {
 public:
  explicit ReportFile(const std::optional<std::string>& path) : path_(path) {}
  Status reserve(std::size_t bytes) {
    if (!path_) return {};
    TACET_TRY(NewFile file, NewFile::reserve(*path_, bytes));
    file_.emplace(std::move(file));
    return {};
  }
  /// The hash of what was, or would be, written.
  Result<std::string> publish(const LocalReports& reports) {
    std::string text;
    for (const std::string& line : lines_of(reports)) text += line + "\n";
    if (file_) TACET_CHECK(file_->publish(text));
    return kernel::hash_hex(text);
  }

 private:
  const std::optional<std::string>& path_;
  std::optional<NewFile> file_;
};

/// What the person's ledger keeps of a report: everything but the value and the report.
std::string statement_of(const RandomizeRequest& request, const LocalTerms& terms) {
  return nlohmann::json{{"randomize", name(request.kind)}, {"categories", request.categories}, {"parameter", terms.randomizer.parameter}}
      .dump();
}

/// A report that its person's budget pays. The steps of a release, with nothing to scan.
Result<LocalReports> charged(const RandomizeRequest& request, const LocalTerms& terms, const Randomizer& randomizer,
                             const std::vector<std::size_t>& values, const Context& context) {
  if (values.size() != 1) {
    return Error::invalid("values", fmt::format("{} people", values.size()), "must be one value where a budget pays, that of one person",
                          "make a budget for each person, or leave out ledger");
  }
  TACET_TRY(const Dataset person, Dataset::open(*request.budget, context));
  TACET_TRY(kernel::Ledger ledger, kernel::Ledger::open(person.place().ledger));
  TACET_TRY(const kernel::Terms budget, ledger.terms(person.place().dataset));
  const kernel::Relation& relation = budget.declared().relation;
  if (relation.kind() != kernel::Relation::ReplaceOne) {
    return Error::invalid("neighbours", std::string(name(relation.kind())), "must be replace-one in the budget that pays for a report",
                          "create the person's budget without a schema");
  }
  const kernel::ChargeRequest charge{.dataset = person.place().dataset,
                                     .analyst = context.analyst,
                                     .statement = statement_of(request, terms),
                                     .relation = relation,
                                     .loss = terms.loss};
  constexpr std::size_t kMostBytesOfNumber = 32, kMemory = std::size_t{1} << 20U;
  // Of any category: room on a disk must not depend on which one it is.
  std::size_t longest = 0;
  for (const std::string& category : request.categories) longest = std::max(longest, category.size());
  const std::size_t bytes = kMostBytesOfNumber * request.categories.size() + longest;
  ReportFile file(request.out);
  std::optional<kernel::Receipt> receipt;
  TACET_TRY(LocalReports reports,
            kernel::carry_out(
                ledger, charge, {[&context] { return context.open_bits(); }, kMemory}, [&] { return file.reserve(bytes); },
                [&]() -> Result<std::vector<std::size_t>> { return values; },
                [&](std::vector<std::size_t>&& own, kernel::Grant&& grant, exact::RandomBits& bits) -> Result<Reports> {
                  const kernel::Grant used = std::move(grant);
                  receipt = used.receipt();
                  return drawn(randomizer, own, bits);
                },
                [&](Reports&& made) -> Result<kernel::Published<LocalReports>> {
                  LocalReports all{terms, request.categories, std::move(made), receipt, std::nullopt};
                  TACET_TRY(std::string hash, file.publish(all));
                  return kernel::Published<LocalReports>{std::move(all), std::move(hash)};
                }));
  // The report is made and paid for; that the budget cannot be read again does not change it.
  if (auto left = person.budget(); left.ok()) reports.left = *std::move(left);
  return reports;
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
  if (request.budget) return charged(request, terms, randomizer, values, context);
  ReportFile file(request.out);
  TACET_CHECK(file.reserve(1));  // if the disk is full later, nothing is lost: nothing was charged
  TACET_TRY(const std::unique_ptr<exact::RandomBits> bits, context.open_bits());
  TACET_TRY(Reports made, drawn(randomizer, values, *bits));
  LocalReports reports{terms, request.categories, std::move(made)};
  TACET_CHECK(file.publish(reports));
  return reports;
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

}  // namespace tacet
