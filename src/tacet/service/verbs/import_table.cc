#include "tacet/workflow/release/import_table.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tacet/inference/noise_of_cells.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/axes_file.h"
#include "tacet/service/release_answer.h"
#include "tacet/service/table_file.h"
#include "tacet/workflow/release/csv_table.h"

namespace tacet::service {

/// A word, or the character itself as `init` takes it.
template <>
struct Codec<CsvDelimiter> {
  static constexpr FieldKind kKind = FieldKind::Text;
  static Result<CsvDelimiter> read(const Json& value, const std::string& name) {
    const auto text = value.get<std::string>();
    if (text == ",") return CsvDelimiter::Comma;
    if (text == ";") return CsvDelimiter::Semicolon;
    if (text == "\t" || text == "\\t") return CsvDelimiter::Tab;
    return named<CsvDelimiter>(name, text);
  }
  static Json write(CsvDelimiter delimiter) { return name(delimiter); }
  static Json schema() { return type_schema("string"); }
};

/// "gaussian:2.83", "laplace:2", "discrete-gaussian:2.5", "discrete-gaussian:variance=6.25",
/// "geometric:2", "geometric:epsilon=0.5".
template <>
struct Codec<NoiseDistribution> {
  static constexpr FieldKind kKind = FieldKind::Text;
  static Result<NoiseDistribution> read(const Json& value, const std::string& name) {
    constexpr const char* kExample = "for example: noise = gaussian:2.83";
    const auto text = value.get<std::string>();
    const std::size_t colon = text.find(':');
    auto noise = mechanisms::noise_named(text.substr(0, colon), 1);
    if (colon == std::string::npos || !noise) {
      return Error::invalid(name, text.substr(0, 40),
                            "must be gaussian:SD, laplace:SCALE, discrete-gaussian:SIGMA (or discrete-gaussian:variance=V), "
                            "geometric:SCALE (or geometric:epsilon=E)",
                            kExample);
    }
    std::string number = text.substr(colon + 1);
    const bool discrete = noise->support == NoiseSupport::Integers;
    const std::string other = noise->family == NoiseFamily::Gaussian ? "variance=" : "epsilon=";
    const bool converted = discrete && number.starts_with(other);
    if (converted) number.erase(0, other.size());
    const char* end = number.data() + number.size();
    if (const auto read = std::from_chars(number.data(), end, noise->scale);
        read.ec != std::errc() || read.ptr != end || (converted && !(noise->scale > 0)))
      return Error::invalid("noise scale", number.substr(0, 40), "must be a number that is greater than 0", kExample);
    if (converted) noise->scale = noise->family == NoiseFamily::Gaussian ? std::sqrt(noise->scale) : 1 / noise->scale;
    return *noise;
  }
  static Json write(const NoiseDistribution& noise) { return fmt::format("{}:{}", noise_name(noise), noise.scale); }
  static Json schema() { return {{"type", "string"}, {"pattern", "^(gaussian|laplace|discrete-gaussian|geometric):"}}; }
};

}  // namespace tacet::service

namespace tacet::service::import_table_verb {
namespace {

constexpr std::uint64_t kMostPeople = std::uint64_t{1} << 53;

struct Request {
  std::string values, out;
  NoiseDistribution noise;
  std::optional<double> n;
  std::optional<std::string> axes, count;
  CsvDelimiter delimiter = CsvDelimiter::Comma;
  NoiseStructure structure = NoiseStructure::Independent;
  Shrinkage shrink = Shrinkage::None;
  Projection project = Projection::None;
};
struct Reply {
  std::variant<CountRelease, DenoisedRelease> release;
  std::string out;

  const CountRelease& table() const {
    const auto* denoised = std::get_if<DenoisedRelease>(&release);
    return denoised != nullptr ? denoised->table : std::get<CountRelease>(release);
  }
};

Result<CsvTable> values_of(const Request& request) {
  const bool csv = is_csv_name(request.values);
  if (csv) {
    const bool tabs = request.values.ends_with(".tsv") && request.delimiter == CsvDelimiter::Comma;
    return read_csv_table(request.values, {tabs ? CsvDelimiter::Tab : request.delimiter, request.count});
  }
  if (request.count) {
    return Error::invalid("count", request.count->substr(0, 40), "goes with a file in CSV, whose name ends in .csv or .tsv",
                          "a JSON file has nothing but counts");
  }
  TACET_TRY(mechanisms::Flattened values, read_table(request.values, "values"));
  return CsvTable{{}, std::move(values.shape), std::move(values.values)};
}

Result<Reply> run(const Request& request, const Context& /*context*/) {
  TACET_TRY(CsvTable read, values_of(request));
  TableImport table{.values = std::move(read.values),
                    .shape = std::move(read.shape),
                    .noise = request.noise,
                    .n = request.n,
                    .axes = std::move(read.axes),
                    .out = request.out};
  table.noise.structure = request.structure;
  if (request.axes) {
    TACET_TRY(table.axes, read_axes(*request.axes));
  }
  if (request.shrink == Shrinkage::None && request.project == Projection::None) {
    TACET_TRY(CountRelease release, import_table(table));
    return Reply{std::move(release), request.out};
  }
  TACET_TRY(DenoisedRelease release, import_denoised_table(table, request.shrink, request.project));
  return Reply{std::move(release), request.out};
}

std::string words(const Reply& reply) {
  const CountRelease& release = reply.table();
  std::string out =
      fmt::format("Wrote {}: {} cell{} with {} noise of scale {}{}, as you declared it; Tacet cannot check their privacy.\n",
                  report::shell_word(reply.out), release.values.size(), release.values.size() == 1 ? "" : "s", noise_name(release.noise),
                  report::readable(release.noise.scale), release.noise.structure == NoiseStructure::SumZero ? " that keeps the total" : "");
  if (const auto* denoised = std::get_if<DenoisedRelease>(&reply.release)) {
    out += fmt::format(
        "After its noise was added it was denoised (shrink {}, project {}). Tests of fit, of independence and of homogeneity "
        "can use it; there are no intervals for its counts.\n",
        name(denoised->shrink), name(denoised->project));
  }
  if (release.noise.support == NoiseSupport::Integers) {
    const double sd = std::sqrt(inference::noise_variance(release.noise));
    NoiseDistribution continuous = release.noise;
    continuous.support = NoiseSupport::Continuous;
    out += fmt::format("The noise is on the integers: its standard deviation is {:.4g}; that of {} noise of this scale would be {:.4g}.\n",
                       sd, noise_name(continuous), std::sqrt(inference::noise_variance(continuous)));
  }
  return out;
}

std::vector<AnswerField> answer_fields() {
  std::vector<AnswerField> fields = release_answer_fields(table_answer_fields("the noisy counts"));
  fields.push_back(
      {"denoised", "how the table was shrunk and projected after its noise was added; otherwise left out", {{"type", "object"}}, false});
  return fields;
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "import table",
       .summary = "Make a release file from a noisy table that somebody else published",
       .example = "tacet import table --values published.json --n 1468 --noise laplace:2 --out imported.json",
       .library = LibraryFunction{"import_table", "tacet/workflow/release/import_table.h"},
       .request = RequestTable<Request>()
                      .required("values", &Request::values, "F",
                                "a JSON array of numbers, nested for a table; or a CSV file with labels in its first line and column")
                      .required("noise", &Request::noise, "NOISE",
                                "the noise in each cell: gaussian:SD, laplace:SCALE, discrete-gaussian:SIGMA or geometric:SCALE")
                      .required("out", &Request::out, "FILE", "the release file to write")
                      .whole("n", &Request::n, 0, kMostPeople, "N", "the number of people, if it is public")
                      .field("axes", &Request::axes, "F",
                             "a JSON file of names and labels: [{\"name\": \"sex\", \"labels\": [\"f\", \"m\"]}, ...]")
                      .field("count", &Request::count, "NAME",
                             "of a CSV file with a line for each cell: the column of counts; the others are categories")
                      .field("delimiter", &Request::delimiter, "KIND", "of a CSV file: comma, semicolon or tab, or the character itself")
                      .field("structure", &Request::structure, "KIND",
                             "sum-zero: Gaussian noise that keeps the total n, with covariance SD^2 (I - 11'/p)")
                      .field("shrink", &Request::shrink, "S",
                             "how the table was shrunk after its noise was added, as in infer estimate: js0, js, js+ or rjs")
                      .field("project", &Request::project, "P",
                             "where it was moved then: nonnegative (negative counts became 0) or simplex (and they sum to n)"),
       .answer = AnswerTable<Reply>()
                     .json_object(answer_fields(),
                                  [](const Reply& reply) {
                                    return std::visit([](const auto& release) { return mechanisms::to_json(release); }, reply.release);
                                  })
                     .value("out", &Reply::out, "the file that was written"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::import_table_verb
