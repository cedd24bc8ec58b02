#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "tacet/mechanisms/release_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/new_file.h"
#include "tacet/service/request.h"
#include "tacet/service/table_words.h"

namespace tacet::service {
namespace {

Result<Json> read_json(const std::string& name, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error::of(Code::NotFound, fmt::format("the file \"{}\" for {} cannot be opened", path, name), "check its name");
  std::ostringstream contents;
  contents << in.rdbuf();
  Json value = Json::parse(contents.str(), nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) return Error::invalid(name, fmt::format("\"{}\"", path), "must be a JSON file", "for example: [[812, 90], [455, 120]]");
  return value;
}

Result<double> positive(const std::string& name, const std::string& text, bool zero_allowed) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0 || (value == 0 && !zero_allowed)) {
    return Error::invalid(name, text.substr(0, 40), zero_allowed ? "must be a finite number, at least 0" : "must be a finite number greater than 0");
  }
  return value;
}

Result<mechanisms::NoiseLaw> parse_noise(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string family = text.substr(0, colon);
  if (colon == std::string::npos || (family != "gaussian" && family != "laplace")) {
    return Error::invalid("noise", text.substr(0, 40), "must be gaussian:SD or laplace:SCALE", "for example: --noise gaussian:2.83");
  }
  TACET_TRY(const double scale, positive("noise scale", text.substr(colon + 1), false));
  return mechanisms::NoiseLaw{family == "gaussian" ? kernel::NoiseFamily::Gaussian : kernel::NoiseFamily::Laplace, scale};
}

Result<Json> run(const Json& request, const Context& /*context*/) {
  TACET_TRY(const mechanisms::NoiseLaw noise, parse_noise(*text_field(request, "noise")));
  TACET_TRY(const Json values, read_json("values", *text_field(request, "values")));
  TACET_TRY(mechanisms::Flattened table, mechanisms::flatten(values, "values"));
  mechanisms::Release release{};
  release.noise = noise;
  release.shape = std::move(table.shape);
  release.values = std::move(table.values);
  if (const auto n = number_field(request, "n")) {
    TACET_TRY(release.n, positive("n", *n, true));
  }
  release.statement = {{"import", "table"}};
  release.privacy = {{"currency", nullptr}};
  release.guarantee = "unknown";
  Json json = mechanisms::to_json(release);
  if (const auto axes = text_field(request, "axes")) {
    TACET_TRY(json["axes"], read_json("axes", *axes));
    // The reader of release files checks names and lengths.
    TACET_TRY(release, mechanisms::release_from_json(json));
  }
  const std::string out = *text_field(request, "out");
  const std::string text = dump(json, 1) + "\n";
  TACET_TRY(NewFile file, NewFile::reserve(out, text.size()));
  TACET_CHECK(file.publish(text));
  json["out"] = out;
  return json;
}

std::string words(const Json& result) {
  const auto release = mechanisms::release_from_json(result);
  if (!release) return {};
  return fmt::format("Wrote {}: {} cells with {} noise of scale {}, as you declared it; nothing vouches for their privacy.\n",
                     report::printable(result.at("out").get<std::string>()), release->values.size(), kernel::name(release->noise.family),
                     report::readable(release->noise.scale));
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
           {"axes", "F", "names and labels, as JSON: [{\"name\": \"sex\", \"labels\": [\"f\", \"m\"]}, ...]"}},
          run,
          words};
}

}  // namespace tacet::service
