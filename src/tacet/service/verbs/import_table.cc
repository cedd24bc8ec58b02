#include "tacet/workflow/release/import_table.h"

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/axes_file.h"
#include "tacet/service/release_answer.h"
#include "tacet/service/table_file.h"

namespace tacet::service {

/// "gaussian:2.83", "laplace:2".
template <>
struct Codec<NoiseDistribution> {
  static constexpr FieldKind kKind = FieldKind::Text;
  static Result<NoiseDistribution> read(const Json& value, const std::string& name) {
    constexpr const char* kExample = "for example: noise = gaussian:2.83";
    const auto text = value.get<std::string>();
    const std::size_t colon = text.find(':');
    const auto family = named<NoiseFamily>(name, text.substr(0, colon));
    if (colon == std::string::npos || !family)
      return Error::invalid(name, text.substr(0, 40), "must be gaussian:SD or laplace:SCALE", kExample);
    double scale = 0;
    const char* end = text.data() + text.size();
    if (const auto read = std::from_chars(text.data() + colon + 1, end, scale); read.ec != std::errc() || read.ptr != end)
      return Error::invalid("noise scale", text.substr(colon + 1, 40), "must be a number that is greater than 0", kExample);
    return NoiseDistribution{*family, scale};
  }
  static Json write(const NoiseDistribution& noise) { return fmt::format("{}:{}", tacet::name(noise.family), noise.scale); }
  static Json schema() { return {{"type", "string"}, {"pattern", "^(gaussian|laplace):"}}; }
};

}  // namespace tacet::service

namespace tacet::service::import_table_verb {
namespace {

constexpr std::uint64_t kMostPeople = std::uint64_t{1} << 53;

struct Request {
  std::string values, out;
  NoiseDistribution noise;
  std::optional<double> n;
  std::optional<std::string> axes;
};
struct Reply {
  CountRelease release;
  std::string out;
};

Result<Reply> run(const Request& request, const Context& /*context*/) {
  TACET_TRY(mechanisms::Flattened values, read_table(request.values, "values"));
  TableImport table{
      .values = std::move(values.values), .shape = std::move(values.shape), .noise = request.noise, .n = request.n, .out = request.out};
  if (request.axes) {
    TACET_TRY(table.axes, read_axes(*request.axes));
  }
  TACET_TRY(CountRelease release, import_table(table));
  return Reply{std::move(release), request.out};
}

std::string words(const Reply& reply) {
  const CountRelease& release = reply.release;
  return fmt::format("Wrote {}: {} cell{} with {} noise of scale {}, as you declared it; Tacet cannot check their privacy.\n",
                     report::shell_word(reply.out), release.values.size(), release.values.size() == 1 ? "" : "s",
                     name(release.noise.family), report::readable(release.noise.scale));
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "import table",
       .summary = "Make a release file from a noisy table that somebody else published",
       .example = "tacet import table --values published.json --n 1468 --noise laplace:2 --out imported.json",
       .library = LibraryFunction{"import_table", "tacet/workflow/release/import_table.h"},
       .request = RequestTable<Request>()
                      .required("values", &Request::values, "F", "a JSON array of numbers, nested for a table")
                      .required("noise", &Request::noise, "NOISE", "gaussian:SD or laplace:SCALE, the noise in each cell")
                      .required("out", &Request::out, "FILE", "the release file to write")
                      .whole("n", &Request::n, 0, kMostPeople, "N", "the number of people, if it is public")
                      .field("axes", &Request::axes, "F",
                             "a JSON file of names and labels: [{\"name\": \"sex\", \"labels\": [\"f\", \"m\"]}, ...]"),
       .answer = AnswerTable<Reply>()
                     .json_object(release_answer_fields(table_answer_fields("the noisy counts")),
                                  [](const Reply& reply) { return mechanisms::to_json(reply.release); })
                     .value("out", &Reply::out, "the file that was written"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::import_table_verb
