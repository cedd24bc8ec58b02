#include <charconv>

#include <fmt/format.h>

#include "tacet/base/decimal.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/nested_numbers.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/new_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

Result<double> scale_from(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 1e-100 && value <= 1e100)) {
    return Error::invalid("noise scale", text.substr(0, 40), "must be a finite number greater than 0, between 1e-100 and 1e100",
                          "for example: --noise gaussian:2.83");
  }
  return value;
}

Result<double> people_from(const std::string& text) {
  const auto exact = Decimal::parse(text);
  const double value = exact.ok() ? exact->approximate() : -1;
  const auto read_back = Decimal::from_shortest(value);
  if (!exact || !read_back || *read_back != *exact) {
    return Error::invalid("n", text.substr(0, 40), "must be a whole number of people, at least 0 and at most 2^53",
                          "for example: --n 1468");
  }
  TACET_CHECK(mechanisms::check_people(value));
  return value;
}

Result<mechanisms::NoiseDistribution> parse_noise(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string family = text.substr(0, colon);
  if (colon == std::string::npos || (family != "gaussian" && family != "laplace")) {
    return Error::invalid("noise", text.substr(0, 40), "must be gaussian:SD or laplace:SCALE", "for example: --noise gaussian:2.83");
  }
  TACET_TRY(const double scale, scale_from(text.substr(colon + 1)));
  return mechanisms::NoiseDistribution{family == "gaussian" ? kernel::NoiseFamily::Gaussian : kernel::NoiseFamily::Laplace, scale};
}

Result<Json> run(const Json& request, const Context& /*context*/) {
  TACET_TRY(const mechanisms::NoiseDistribution noise, parse_noise(*text_field(request, "noise")));
  TACET_TRY(const Json values, mechanisms::read_json_file(*text_field(request, "values"), "values"));
  TACET_TRY(mechanisms::Flattened table, mechanisms::flatten(values, "values"));
  mechanisms::CountRelease release{};
  release.noise = noise;
  release.shape = std::move(table.shape);
  release.values = std::move(table.values);
  if (const auto n = number_field(request, "n")) {
    TACET_TRY(release.n, people_from(*n));
  }
  release.header.statement = R"({"import":"table"})";
  Json json = mechanisms::to_json(release);
  if (const auto axes = text_field(request, "axes")) {
    TACET_TRY(json["axes"], mechanisms::read_json_file(*axes, "axes"));
  }
  // The reader of release files checks all of it, so that what is written here can be read.
  TACET_CHECK(mechanisms::count_release_from_json(json));
  const std::string out = *text_field(request, "out");
  const std::string text = dump(json, 1) + "\n";
  TACET_TRY(NewFile file, NewFile::reserve(out, text.size()));
  TACET_CHECK(file.publish(text));
  json["out"] = out;
  return json;
}

std::string words(const Json& result) {
  const auto release = mechanisms::count_release_from_json(result);
  if (!release) return {};
  return fmt::format("Wrote {}: {} cell{} with {} noise of scale {}, as you declared it; nothing vouches for their privacy.\n",
                     report::shell_word(result.at("out").get<std::string>()), release->values.size(),
                     release->values.size() == 1 ? "" : "s", name(release->noise.family), report::readable(release->noise.scale));
}

}  // namespace

Verb import_table_verb() {
  return {"import table",
          "Make a release file from a noisy table that somebody else published",
          "tacet import table --values published.json --n 1468 --noise laplace:2 --out imported.json",
          {{"values", "F", "a JSON array of numbers, nested for a table", FieldKind::Text, true},
           {"noise", "LAW", "gaussian:SD or laplace:SCALE, the noise in each cell", FieldKind::Text, true},
           {"out", "FILE", "the release file to write", FieldKind::Text, true},
           {"n", "N", "the number of people, if it is public", FieldKind::Number},
           {"axes", "F", "a JSON file of names and labels: [{\"name\": \"sex\", \"labels\": [\"f\", \"m\"]}, ...]"}},
          run,
          words};
}

}  // namespace tacet::service
