#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/local_release.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/local_request.h"
#include "tacet/service/new_file.h"
#include "tacet/service/request.h"
#include "tacet/service/table_words.h"

namespace tacet::service {
namespace {

constexpr std::uint64_t kMostPeople = std::uint64_t{1} << 53U;

/// From --categories, for a list, or --axes, for a table; empty where neither is given.
Result<Json> axes_of(const Json& request) {
  const auto file = text_field(request, "axes");
  if (file && request.contains("categories")) return Error::invalid("axes", "given with --categories", "must be given as one of the two");
  if (file) return mechanisms::read_json_file(*file, "axes");
  if (!request.contains("categories")) return Json::array();
  TACET_TRY(const std::vector<std::string> categories, categories_field(request));
  return Json::array({{{"name", "category"}, {"labels", categories}}});
}

Error bad_line(const std::string& rule) {
  return Error::invalid("reports", "a file with another line", rule, "as `tacet randomize` writes them");
}

/// Counts of the categories (exp), or the mean of each coordinate, from a file with one report to a line. Reports are public.
Result<mechanisms::Flattened> tally(const std::string& text, mechanisms::LocalKind kind, const std::vector<std::string>& categories,
                                    std::uint64_t n) {
  mechanisms::Flattened table{{categories.size()}, std::vector<double>(categories.size(), 0)};
  const bool exp = kind == mechanisms::LocalKind::Exp;
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < categories.size(); ++i) index[categories[i]] = i;
  std::uint64_t lines = 0;
  for (std::size_t from = 0; from < text.size(); ++lines) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    from = end + 1;
    if (exp) {
      const auto found = index.find(line);
      if (found == index.end()) return bad_line("must be one of the categories on every line");
      table.values[found->second] += 1;
      continue;
    }
    TACET_TRY(const Json report, mechanisms::parse_json(line, "reports", "a file with another line"));
    TACET_TRY(const mechanisms::Flattened one, mechanisms::flatten(report, "reports"));
    if (one.shape != table.shape) return bad_line("must be a list of as many numbers as there are categories on every line");
    for (std::size_t j = 0; j < one.values.size(); ++j) table.values[j] += one.values[j];
  }
  if (lines != n) return Error::invalid("reports", fmt::format("{} lines", lines), fmt::format("must be as many as n, {}", n));
  if (exp) return table;
  for (double& value : table.values) value /= static_cast<double>(n);
  return table;
}

/// A file whose name ends in .txt has one report to a line; any other is JSON.
Result<mechanisms::Flattened> read_reports(const Json& request, mechanisms::LocalKind kind, std::uint64_t n) {
  const std::string path = *text_field(request, "reports");
  if (!path.ends_with(".txt")) {
    TACET_TRY(const Json reports, mechanisms::read_json_file(path, "reports"));
    return mechanisms::flatten(reports, "reports");
  }
  TACET_TRY(const std::vector<std::string> categories, categories_field(request));
  TACET_TRY(const std::string text, mechanisms::read_text_file(path, "reports"));
  return tally(text, kind, categories, n);
}

Result<Json> run(const Json& request, const Context& /*context*/) {
  TACET_TRY(const mechanisms::LocalKind kind,
            named<mechanisms::LocalKind>("kind", *text_field(request, "kind"), "for example: --kind exp"));
  TACET_TRY(const LocalTerms terms, local_terms(kind, request));
  TACET_TRY(const std::uint64_t n, whole_number("n", *number_field(request, "n"), 1, kMostPeople));
  TACET_TRY(mechanisms::Flattened table, read_reports(request, kind, n));
  TACET_TRY(const mechanisms::LocalRelease release,
            mechanisms::describe_local(terms.law, std::move(table.values), static_cast<double>(n), std::move(table.shape), terms.privacy));
  Json json = mechanisms::to_json(release);
  TACET_TRY(json["axes"], axes_of(request));
  // The reader of release files checks all of it, so that what is written here can be read.
  TACET_CHECK(mechanisms::local_release_from_json(json));
  const std::string out = *text_field(request, "out");
  const std::string text = dump(json, 1) + "\n";
  TACET_TRY(NewFile file, NewFile::reserve(out, text.size()));
  TACET_CHECK(file.publish(text));
  json["out"] = out;
  json["promise"] = terms.words;
  return json;
}

std::string words(const Json& result) {
  const auto release = mechanisms::local_release_from_json(result);
  if (!release) return {};
  const std::vector<double> errors = mechanisms::standard_errors(*release);
  std::string out = "Estimated true counts, and their standard errors:\n";
  out += table_words(
      *release, [&](std::size_t i) { return fmt::format("{} +- {}", report::readable(release->values[i]), report::readable(errors[i])); });
  return out + fmt::format("Wrote {}: from {} reports ({}, {} each), as you declared them; nothing vouches for how they were made.\n",
                           report::shell_word(result.at("out").get<std::string>()), report::readable(release->n), name(release->law.kind),
                           result.at("promise").get<std::string>());
}

}  // namespace

Verb import_local_verb() {
  std::vector<Field> fields = {{"reports", "F",
                                "a JSON array, nested for a table: how often each category was reported (exp), or the mean of each "
                                "coordinate; or a .txt file with one "
                                "report to a line",
                                FieldKind::Text, true},
                               {"kind", "K", "how people randomised: exp, flip, gaussian or laplace", FieldKind::Text, true},
                               {"n", "N", "the number of people who reported", FieldKind::Number, true},
                               {"out", "FILE", "the release file to write", FieldKind::Text, true},
                               {"categories", "a,b,c", "the names of the categories, for a list", FieldKind::List},
                               {"axes", "F", "names and labels of a table, as in `tacet import table`"}};
  for (Field& field : currency_fields("what each report gave away")) fields.push_back(std::move(field));
  return {"import local",
          "Make a release file from reports that people randomised themselves",
          "tacet import local --reports reports.json --kind exp --epsilon 1 --n 1000 --categories "
          "never,former,current --out local.json",
          fields,
          run,
          words};
}

}  // namespace tacet::service
