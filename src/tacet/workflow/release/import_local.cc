#include "tacet/workflow/release/import_local.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/release_header.h"
#include "tacet/workflow/release/declared_release.h"

namespace tacet {
namespace {

constexpr std::uint64_t kMostReports = std::uint64_t{1} << 53;

Status check_people(std::uint64_t n) {
  if (n >= 1 && n <= kMostReports) return {};
  return Error::invalid("n", fmt::format("{}", n), fmt::format("must be a whole number between 1 and {}", kMostReports),
                        "for example: n = 1000");
}

Error bad_line(const std::string& rule) {
  return Error::invalid("reports", "a file with another line", rule, "as `randomize` writes them");
}

/// Adds a report, a JSON list of a number for each category, to the sums.
Status add_numbers(std::string_view line, std::vector<double>& sums) {
  TACET_TRY(const nlohmann::json report, mechanisms::parse_json(std::string(line), "reports", "a file with another line"));
  TACET_TRY(const mechanisms::Flattened one, mechanisms::flatten(report, "reports"));
  if (one.shape != std::vector<std::size_t>{sums.size()})
    return bad_line("must be a list of as many numbers as there are categories on every line");
  for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += one.values[j];
  return {};
}

}  // namespace

Result<LocalRelease> import_local(const LocalImport& local) {
  TACET_TRY(const PrivacyAmount amount, required_privacy(local.loss));
  TACET_TRY(const LocalTerms terms, local_terms(local.kind, amount));
  TACET_CHECK(check_people(local.n));
  mechanisms::ReleasedPrivacy privacy = mechanisms::stated(terms.loss);
  privacy.neighbours = mechanisms::Neighbours::Local;
  TACET_TRY(std::vector<std::size_t> shape, imported_shape(local.reports.size(), local.shape));
  TACET_TRY(LocalRelease release, mechanisms::describe_local(terms.randomizer, local.reports, static_cast<double>(local.n),
                                                             std::move(shape), std::move(privacy)));
  release.axes = local.axes;
  return imported(std::move(release), local.out);
}

Result<std::vector<double>> tally_reports(std::string_view lines, LocalKind kind, const std::vector<std::string>& categories,
                                          std::uint64_t n) {
  TACET_CHECK(check_categories(categories));
  TACET_CHECK(check_people(n));
  std::vector<double> totals(categories.size(), 0);
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < categories.size(); ++i) index[categories[i]] = i;
  std::uint64_t people = 0;
  for (std::size_t from = 0; from < lines.size(); ++people) {
    const std::size_t end = std::min(lines.find('\n', from), lines.size());
    const std::string_view line = lines.substr(from, end - from);
    from = end + 1;
    if (kind != LocalKind::Exp) {
      TACET_CHECK(add_numbers(line, totals));
      continue;
    }
    const auto found = index.find(line);
    if (found == index.end()) return bad_line("must be one of the categories on every line");
    totals[found->second] += 1;
  }
  if (people != n) return Error::invalid("reports", fmt::format("{} lines", people), fmt::format("must be as many as n, {}", n));
  if (kind == LocalKind::Exp) return totals;
  for (double& total : totals) total /= static_cast<double>(n);
  return totals;
}

}  // namespace tacet
