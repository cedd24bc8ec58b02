#include "tacet/accounting/tradeoff.h"

#include <cmath>

#include <fmt/format.h>

#include "tacet/accounting/tradeoff_table.h"
#include "tacet/report/plot.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/new_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

using accounting::NamedCurve;
using accounting::TradeOff;

constexpr std::size_t kCells = 400;  // of the curves in files: finer than a screen

/// Curves at the levels asked for, or at some usual ones, and in files where wanted.
Result<Json> answer(const Json& request, std::vector<NamedCurve> curves) {
  TACET_TRY(std::vector<double> alphas, numbers_field(request, "alpha"));
  const bool one = alphas.size() == 1 && curves.size() == 1;
  if (alphas.empty()) alphas = {0.001, 0.01, 0.05, 0.1, 0.25, 0.5};
  for (const double alpha : alphas) {
    if (!(alpha >= 0 && alpha <= 1))
      return Error::invalid("alpha", fmt::format("{}", alpha), "must lie between 0 and 1", "for example: --alpha 0.05");
  }
  TACET_TRY(const accounting::CurveTable table, accounting::tabulate(curves, alphas));
  Json list = Json::array();
  for (std::size_t i = 0; i < curves.size(); ++i) {
    list.push_back({{"name", curves[i].name}, {"beta", table.beta[i]}, {"fixed_point", curves[i].curve.fixed_point()}});
  }
  Json result = {{"alpha", one ? Json(alphas[0]) : Json(alphas)}, {"curves", list}};
  if (curves.size() == 1) result["beta"] = one ? Json(table.beta[0][0]) : Json(table.beta[0]);
  if (!request.contains("csv") && !request.contains("html")) return result;

  TACET_TRY(const std::vector<double> grid, accounting::alpha_grid(kCells));
  TACET_TRY(const accounting::CurveTable fine, accounting::tabulate(curves, grid));
  std::string csv;
  std::string html;
  if (request.contains("csv")) csv = accounting::to_csv(fine);
  if (request.contains("html")) {
    report::LinePlot plot{.title = "How well two neighbours can be told apart",
                          .subtitle = "The least type II error of a test at each level; higher is more private",
                          .x = {"type I error"},
                          .y = {"type II error"},
                          .curves = {}};
    for (std::size_t i = 0; i < fine.names.size(); ++i) {
      report::Curve curve{fine.names[i], {}};
      for (std::size_t j = 0; j < grid.size(); ++j) curve.points.emplace_back(grid[j], fine.beta[i][j]);
      plot.curves.push_back(std::move(curve));
    }
    TACET_TRY(html, report::to_html(plot));
  }
  // Both names are seen to be free before the first file appears.
  std::vector<std::pair<NewFile, const std::string*>> files;
  for (const auto& [field, text] : {std::pair<const char*, const std::string*>{"csv", &csv}, {"html", &html}}) {
    if (!request.contains(field)) continue;
    result[field] = *text_field(request, field);
    TACET_TRY(NewFile file, NewFile::reserve(*text_field(request, field), text->size()));
    files.emplace_back(std::move(file), text);
  }
  for (auto& [file, text] : files) TACET_CHECK(file.publish(*text));
  return result;
}

Result<std::vector<NamedCurve>> named(std::vector<TradeOff> curves) {
  std::vector<NamedCurve> out;
  for (TradeOff& curve : curves) {
    std::string name = curve.describe();
    for (const NamedCurve& other : out) {
      if (other.name == name) return Error::invalid("curve", name, "must be given once");
    }
    out.push_back({std::move(name), std::move(curve)});
  }
  return out;
}

Result<Json> run_gaussian(const Json& request, const Context& /*context*/) {
  TACET_TRY(const std::vector<double> mus, numbers_field(request, "mu"));
  std::vector<TradeOff> curves;
  for (const double mu : mus) {
    TACET_TRY(TradeOff curve, TradeOff::gaussian(mu));
    curves.push_back(std::move(curve));
  }
  TACET_TRY(std::vector<NamedCurve> all, named(std::move(curves)));
  return answer(request, std::move(all));
}

Result<Json> run_laplace(const Json& request, const Context& /*context*/) {
  TACET_TRY(std::vector<double> shift, numbers_field(request, "shift"));
  if (const auto scale = number_field(request, "scale")) {
    TACET_TRY(const double size, plain_number("scale", *scale));
    if (!(size > 0)) return Error::invalid("scale", scale->substr(0, 40), "must be greater than 0");
    for (double& part : shift) part /= size;
  }
  TACET_TRY(const TradeOff curve, TradeOff::laplace(shift));
  TACET_TRY(std::vector<NamedCurve> all, named({curve}));
  return answer(request, std::move(all));
}

Result<std::vector<double>> parts_of(const std::string& text) {
  std::vector<double> parts;
  for (std::size_t from = 0;;) {
    const std::size_t slash = text.find('/', from);
    TACET_TRY(const double part, plain_number("curve", text.substr(from, slash == std::string::npos ? slash : slash - from)));
    parts.push_back(part);
    if (slash == std::string::npos) return parts;
    from = slash + 1;
  }
}

/// "gaussian:1", "laplace:1/-1", "epsilon:0.8", "epsilon:1/1e-6".
Result<TradeOff> parse_curve(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const auto wrong = [&text] {
    return Error::invalid("curve", text.substr(0, 60), "must be gaussian:MU, laplace:SHIFT/SHIFT..., epsilon:E or epsilon:E/DELTA",
                          "for example: --curves gaussian:1,laplace:1/1,epsilon:0.8");
  };
  if (colon == std::string::npos) return wrong();
  TACET_TRY(const std::vector<double> parts, parts_of(text.substr(colon + 1)));
  if (kind == "gaussian" && parts.size() == 1) return TradeOff::gaussian(parts[0]);
  if (kind == "laplace") return TradeOff::laplace(parts);
  if (kind == "epsilon" && parts.size() == 1) return TradeOff::pure(parts[0]);
  if (kind == "epsilon" && parts.size() == 2) return TradeOff::approximate(parts[0], parts[1]);
  return wrong();
}

/// "gaussian:1+laplace:1": the curve of several releases together.
Result<TradeOff> parse_releases(const std::string& text) {
  std::size_t plus = text.find('+');
  TACET_TRY(TradeOff curve, parse_curve(text.substr(0, plus)));
  while (plus != std::string::npos) {
    const std::size_t from = plus + 1;
    plus = text.find('+', from);
    TACET_TRY(const TradeOff next, parse_curve(text.substr(from, plus == std::string::npos ? plus : plus - from)));
    TACET_TRY(curve, accounting::compose(curve, next));
  }
  return curve;
}

Result<Json> run_curves(const Json& request, const Context& /*context*/) {
  TACET_TRY(const std::vector<std::string> items, list_field(request, "curves"));
  std::vector<TradeOff> curves;
  for (const std::string& item : items) {
    TACET_TRY(TradeOff curve, parse_releases(item));
    curves.push_back(std::move(curve));
  }
  TACET_TRY(std::vector<NamedCurve> all, named(std::move(curves)));
  return answer(request, std::move(all));
}

std::string words(const Json& result) {
  const Json& curves = result.at("curves");
  const Json alphas = result.at("alpha").is_array() ? result.at("alpha") : Json::array({result.at("alpha")});
  std::vector<std::string> header = {"type I error"};
  for (const Json& curve : curves) header.push_back(curve.at("name").get<std::string>());
  report::TextTable table(header);
  for (std::size_t i = 0; i < alphas.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{}", alphas[i].get<double>())};
    for (const Json& curve : curves) row.push_back(fmt::format("{:.6g}", curve.at("beta")[i].get<double>()));
    table.add(std::move(row));
  }
  std::string out = "Whoever tells two neighbours apart with this type I error has at least this type II error:\n" + table.render();
  for (const char* field : {"csv", "html"}) {
    if (result.contains(field)) out += fmt::format("Wrote {}.\n", report::shell_word(result.at(field).get<std::string>()));
  }
  return out;
}

std::vector<Field> with_output(std::vector<Field> fields) {
  fields.push_back({"alpha", "A", "type I errors, one or several; some usual ones if not given", FieldKind::Numbers});
  fields.push_back({"csv", "FILE", "write the whole curves as CSV"});
  fields.push_back({"html", "FILE", "write a picture of the curves: one page that needs no network"});
  return fields;
}

}  // namespace

Verb tradeoff_gaussian_verb() {
  return {"tradeoff gaussian",
          "The trade-off curve of mu-GDP: how well neighbours can be told apart",
          "tacet tradeoff gaussian --mu 1 --alpha 0.05",
          with_output({{"mu", "M", "mu, one or several", FieldKind::Numbers, true}}),
          run_gaussian,
          words};
}

Verb tradeoff_laplace_verb() {
  return {"tradeoff laplace",
          "The trade-off curve of Laplace noise on one or several numbers",
          "tacet tradeoff laplace --shift 1,-1 --alpha 0.05",
          with_output({{"shift", "a,b", "how far a neighbour moves each number, in units of the scale", FieldKind::Numbers, true},
                       {"scale", "B", "the scale of the noise; 1 if not given", FieldKind::Number}}),
          run_laplace,
          words};
}

Verb tradeoff_curves_verb() {
  return {"tradeoff curves",
          "Several trade-off curves together, as numbers, CSV and a picture",
          "tacet tradeoff curves --curves gaussian:1,laplace:1/1,epsilon:0.8,epsilon:1/1e-6 --html curves.html",
          with_output(
              {{"curves", "C,C", "gaussian:MU, laplace:SHIFT/SHIFT..., epsilon:E, epsilon:E/DELTA, or several with + for releases together",
                FieldKind::List, true}}),
          run_curves,
          words};
}

}  // namespace tacet::service
