#include "tacet/mechanisms/local_release.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/mechanisms/release_fields.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr ReleaseFields kLocalFields("give a file written by `release` or `import`");
constexpr double kSlack = 1e-9;

std::string parameter_name(LocalKind kind) { return kind == LocalKind::Exp || kind == LocalKind::Flip ? "epsilon" : "scale"; }

/// The distribution of a report, and the reports. The values must follow from them.
Status read_reports(const json& value, LocalRelease& release) {
  TACET_TRY(const json* noise, kLocalFields.member(value, "noise"));
  if (!noise->is_object()) return kLocalFields.bad("noise", words_for(*noise), "must be an object with family and its parameter");
  TACET_TRY(release.randomizer.kind, kLocalFields.choice<LocalKind>(*noise, "family", "noise family"));
  const std::string field = parameter_name(release.randomizer.kind);
  TACET_TRY(const json* parameter, kLocalFields.member(*noise, field));
  TACET_TRY(release.randomizer.parameter, kLocalFields.positive(*parameter, field));
  TACET_CHECK(check_distribution(release.randomizer));
  TACET_TRY(const json* reports, kLocalFields.member(value, "reports"));
  TACET_TRY(Flattened table, flatten(*reports, "reports"));
  if (table.shape != release.shape) return kLocalFields.bad("reports", "of another shape", "must have the shape of values");
  TACET_CHECK(check_reports(release.randomizer, release.n, table.values));
  const std::vector<double> expected = estimates(release.randomizer, release.n, table.values);
  for (std::size_t j = 0; j < expected.size(); ++j) {
    if (!(std::abs(expected[j] - release.values[j]) <= kSlack * (std::abs(expected[j]) + release.n))) {
      return kLocalFields.bad("values", fmt::format("a table with {}", release.values[j]),
                              fmt::format("must be the estimates from the reports, here {}", expected[j]));
    }
  }
  release.reports = std::move(table.values);
  return {};
}

}  // namespace

Result<LocalRelease> describe_local(const LocalRandomizer& randomizer, std::vector<double> reports, double n,
                                    std::vector<std::size_t> shape, std::optional<ReleasedPrivacy> privacy) {
  TACET_CHECK(check_people(n));
  TACET_CHECK(check_distribution(randomizer));
  TACET_CHECK(check_reports(randomizer, n, reports));
  LocalRelease release{};
  release.header.statement = R"({"import":"local"})";
  release.header.privacy = std::move(privacy);
  release.shape = std::move(shape);
  release.values = estimates(randomizer, n, reports);
  release.randomizer = randomizer;
  release.n = n;
  release.reports = std::move(reports);
  return release;
}

std::vector<double> standard_errors(const LocalRelease& release) {
  std::vector<double> errors;
  errors.reserve(release.values.size());
  for (std::size_t j = 0; j < release.values.size(); ++j)
    errors.push_back(std::sqrt(covariance(release.randomizer, release.n, release.values, j, j)));
  return errors;
}

json to_json(const LocalRelease& release) {
  json file = header_json(release.header, "local");
  file.update({{"n", static_cast<std::int64_t>(release.n)},
               {"grid", nullptr},
               {"noise",
                {{"family", name(release.randomizer.kind)},
                 {parameter_name(release.randomizer.kind), release.randomizer.parameter},
                 {"structure", "local"},
                 {"standard_errors", nested(standard_errors(release), release.shape)}}},
               {"reports", nested(release.reports, release.shape)}});
  write_table(release, file);
  return file;
}

Result<LocalRelease> local_release_from_json(const json& value) {
  TACET_CHECK(kLocalFields.check_kind(value, "local"));
  LocalRelease release{};
  TACET_TRY(const json* n, kLocalFields.member(value, "n"));
  if (n->is_null()) return kLocalFields.bad("n", "null", "must be the number of reports in a local release");
  TACET_TRY(release.n, kLocalFields.finite(*n, "n"));
  TACET_CHECK(check_people(release.n));
  TACET_CHECK(kLocalFields.read_table(value, release));
  TACET_CHECK(read_reports(value, release));
  TACET_TRY(release.header, kLocalFields.header(value));
  return release;
}

}  // namespace tacet::mechanisms
