#include "tacet/workflow/release/import_mean.h"

#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacet/mechanisms/moment_result.h"
#include "tacet/mechanisms/release_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/release_answer.h"
#include "tacet/service/table_file.h"

namespace tacet::service {

/// "gaussian:0.4", "laplace:0.2,0.5".
template <>
struct Codec<VectorNoise> {
  static constexpr FieldKind kKind = FieldKind::Text;
  static Result<VectorNoise> read(const Json& value, const std::string& name) {
    constexpr const char* kExample = "for example: noise = gaussian:0.4 or noise = gaussian:0.4,0.3";
    const auto text = value.get<std::string>();
    const std::size_t colon = text.find(':');
    const auto family = named<NoiseFamily>(name, text.substr(0, colon));
    if (colon == std::string::npos || !family) {
      return Error::invalid(name, text.substr(0, 40), "must be gaussian:SD or laplace:SCALE, with one number or one for each mean",
                            kExample);
    }
    const auto scale = Codec<std::vector<double>>::read(text.substr(colon + 1), name);
    if (!scale.ok()) return Error::invalid("noise scale", text.substr(colon + 1, 40), "must be numbers that are greater than 0", kExample);
    return VectorNoise{*family, *scale};
  }
  static Json write(const VectorNoise& noise) { return fmt::format("{}:{}", tacet::name(noise.family), fmt::join(noise.scale, ",")); }
  static Json schema() { return {{"type", "string"}, {"pattern", "^(gaussian|laplace):"}}; }
};

}  // namespace tacet::service

namespace tacet::service::import_mean_verb {
namespace {

struct Request {
  std::string values, out;
  std::uint64_t n = 0;
  std::optional<VectorNoise> noise;
  std::optional<std::string> noise_covariance, map, covariance;
  std::vector<std::string> columns;
  std::vector<double> weights, lower, upper;
  std::optional<double> covariance_noise;
};
struct Reply {
  MeanRelease release;
  std::string out;
};

/// A JSON list in a file, or numbers with commas.
Result<std::vector<double>> published_values(const std::string& text) {
  if (const auto numbers = Codec<std::vector<double>>::read(text, "values"); numbers.ok()) return *numbers;
  TACET_TRY(mechanisms::Flattened table, read_table(text, "values"));
  if (table.shape.size() == 1) return std::move(table.values);
  return Error::invalid("values", fmt::format("a table of {}", fmt::join(table.shape, " x ")), "must be a list of means",
                        "for a table of counts: `import table`");
}

Result<MeanImport> import_of(const Request& request) {
  MeanImport means{.values = {}, .n = request.n, .noise = VectorNoise{}};
  TACET_TRY(means.values, published_values(request.values));
  if (request.noise.has_value() == request.noise_covariance.has_value()) {
    return Error::invalid("noise", request.noise ? "given twice" : "missing", "must be one of noise and noise-covariance",
                          "for example: noise = gaussian:0.4");
  }
  if (request.noise) {
    means.noise = *request.noise;
  } else {
    TACET_TRY(means.noise, read_square_matrix(*request.noise_covariance, "noise-covariance"));
  }
  if (request.map && !request.weights.empty())
    return Error::invalid("weights", "given with a map", "must be left out where a map is given");
  if (request.map) {
    TACET_TRY(means.map, read_matrix(*request.map, "map"));
  }
  if (!request.weights.empty()) {
    means.map = Matrix::zeros(request.weights.size(), request.weights.size());
    for (std::size_t j = 0; j < request.weights.size(); ++j) means.map->at(j, j) = request.weights[j];
  }
  if (request.covariance) {
    TACET_TRY(means.covariance, read_square_matrix(*request.covariance, "covariance"));
  }
  means.columns = request.columns;
  means.lower = request.lower;
  means.upper = request.upper;
  means.covariance_noise = request.covariance_noise;
  means.out = request.out;
  return means;
}

Result<Reply> run(const Request& request, const Context& /*context*/) {
  TACET_TRY(const MeanImport means, import_of(request));
  TACET_TRY(MeanRelease release, import_mean(means));
  return Reply{std::move(release), request.out};
}

/// Names, means, and the standard deviations of their noise.
struct ShownMeans {
  std::vector<std::string> names;
  std::vector<double> means, sd;
  double people;
  const char* next;
};

ShownMeans shown_means(const MeanRelease& release) {
  if (const auto* query = std::get_if<QueryRelease>(&release)) {
    return {query->is_direction() ? std::vector<std::string>{"the combination"} : query->columns, query->mean(), query->mean_sd(),
            query->parts[0].n, "infer region"};
  }
  auto moments = std::get<MomentRelease>(release);
  const bool covariance = moments.has_matrix();
  moments.kind = mechanisms::MomentKind::Mean;
  const mechanisms::MomentResult printed = mechanisms::moment_result(moments, 0);
  ShownMeans shown{{}, printed.values, *printed.noise_sd, moments.parts[0].people.value, covariance ? "infer two-sample" : "infer region"};
  for (const auto& column : moments.columns) shown.names.push_back(column.name);
  return shown;
}

std::string words(const Reply& reply) {
  const ShownMeans shown = shown_means(reply.release);
  report::TextTable table({"column", "mean", "noise (sd)"});
  for (std::size_t j = 0; j < shown.means.size(); ++j)
    table.add({report::printable(shown.names[j]), fmt::format("{:.6g}", shown.means[j]), fmt::format("{:.3g}", shown.sd[j])});
  return fmt::format("Means of {} people, with noise as you declared it; Tacet cannot check their privacy.\n{}Wrote {}; use it with {}.\n",
                     report::readable(shown.people), table.render(), report::shell_word(reply.out), shown.next);
}

std::vector<AnswerField> own_fields() {
  const Json list = {{"type", "array"}};
  const Json any = Json::object();
  return {{"n", "the number of people", {{"type", "integer"}}},
          {"columns", "the columns", list},
          {"values", "the means; with a covariance, the covariance", list},
          {"planned_n", "of a query: the same as n", {{"type", "number"}}, false},
          {"centre", "of a query: 0 for each column", list, false},
          {"map", "of a query: the linear map of the means to coordinates with equal noise", list, false},
          {"radius", "of a query: null, as nothing is clipped", {{"type", "null"}}, false},
          {"sums", "of a query: n times these coordinates", list, false},
          {"groups", "with bounds: null", any, false},
          {"noise_sd", "with bounds: the standard deviation of the noise of each value", list, false},
          {"no_answer", "with bounds: null", any, false},
          {"parts", "with bounds: the noisy sums and products about the middles of the bounds", list, false}};
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "import mean",
       .summary = "Make a release file from noisy means, or combinations of them, that somebody else published",
       .example = "tacet import mean --values 171.2,70.4 --columns height,weight --n 5000 --noise gaussian:0.4,0.3 --out clinic.json",
       .library = LibraryFunction{"import_mean", "tacet/workflow/release/import_mean.h"},
       .request =
           RequestTable<Request>()
               .required("values", &Request::values, "F", "the noisy means: a JSON file with a list, or numbers with commas")
               .required("n", &Request::n, "N", "the number of people, which is public")
               .field("noise", &Request::noise, "NOISE", "gaussian:SD or laplace:SCALE, for all means or with a number for each")
               .field("noise-covariance", &Request::noise_covariance, "F", "in its place: the covariance of Gaussian noise, a JSON matrix")
               .required("out", &Request::out, "FILE", "the release file to write")
               .field("columns", &Request::columns, "a,b", "the names of the columns")
               .field("map", &Request::map, "F",
                      "the values are this matrix times the means, plus noise: a JSON matrix with a row for each value")
               .field("weights", &Request::weights, "w,v", "the same for a diagonal matrix")
               .field("lower", &Request::lower, "L,...", "the lower bound of each column: then the noise may be Laplace")
               .field("upper", &Request::upper, "U,...", "the upper bound of each column")
               .field("covariance", &Request::covariance, "F",
                      "with bounds: the covariance of a row as published, a JSON matrix, for tests of equal means")
               .field("covariance-noise", &Request::covariance_noise, "SD", "the noise in each of its entries; none if not given"),
       .answer = AnswerTable<Reply>()
                     .json_object(release_answer_fields(own_fields()),
                                  [](const Reply& reply) {
                                    return std::visit([](const auto& one) { return mechanisms::to_json(one); }, reply.release);
                                  })
                     .value("out", &Reply::out, "the file that was written"),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::import_mean_verb
