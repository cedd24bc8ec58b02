#include "tacet/service/losses_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tacet/accounting/losses.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/json_kind.h"
#include "tacet/privacy/parameters.h"
#include "tacet/service/value_codec.h"

namespace tacet::service {
namespace {

constexpr const char* kExample = R"(for example: [{"epsilon": 0.1, "delta": 0, "times": 30}])";
constexpr std::array<std::string_view, 4> kWays = {"epsilon", "laplace", "mu", "rho"};

Error wrong_loss(std::size_t number, const std::string& value, const std::string& rule) {
  return Error::invalid(fmt::format("loss {}", number), value, rule, kExample);
}

/// The field that describes the mechanism.
Result<std::string> way_of(const Json& item, std::size_t number) {
  if (!item.is_object()) return wrong_loss(number, mechanisms::json_kind(item), "must be a JSON object");
  std::string way;
  for (const auto& [key, value] : item.items()) {
    const bool is_way = std::find(kWays.begin(), kWays.end(), key) != kWays.end();
    if (is_way && !way.empty()) return wrong_loss(number, fmt::format("{} and {}", way, key), "must have one of epsilon, laplace, mu, rho");
    if (is_way) way = key;
    if (!is_way && key != "delta" && key != "times" && key != "xi") {
      return wrong_loss(number, fmt::format("the field \"{}\"", key.substr(0, 40)),
                        "may have epsilon, delta, times, laplace, mu, rho and xi only");
    }
    if (!value.is_number() && !value.is_string())
      return wrong_loss(number, fmt::format("{} that is no number", key), "must have numbers as values");
  }
  if (way.empty()) return wrong_loss(number, "without a parameter", "must have one of epsilon, laplace, mu, rho");
  return way;
}

KnownLoss known_loss(const std::string& way, const Digits& parameter, const std::optional<Digits>& delta, const std::optional<Digits>& xi) {
  if (way == "laplace") return LaplaceNoise{parameter};
  if (way == "mu") return Mu{parameter};
  if (way == "rho" && xi) return ShiftedRho{*xi, parameter};
  if (way == "rho") return Rho{parameter};
  if (delta) return EpsilonDelta{parameter, *delta};
  return Epsilon{parameter};
}

Result<RepeatedLoss> parse_one(const Json& item, std::size_t number) {
  TACET_TRY(const std::string way, way_of(item, number));
  TACET_TRY(const Digits parameter, Codec<Digits>::read(item.at(way), way));
  std::optional<Digits> delta;
  if (item.contains("delta")) {
    TACET_TRY(delta, Codec<Digits>::read(item.at("delta"), "delta"));
    TACET_TRY(const privacy::Delta checked, privacy::Delta::parse(delta->text()));
    if (way != "epsilon" && !checked.value().is_zero())
      return wrong_loss(number, fmt::format("delta {} beside {}", delta->text(), way), "may have a delta beside epsilon only");
  }
  std::optional<Digits> xi;
  if (item.contains("xi")) {
    if (way != "rho") return wrong_loss(number, fmt::format("xi beside {}", way), "may have a xi beside rho only");
    TACET_TRY(xi, Codec<Digits>::read(item.at("xi"), "xi"));
  }
  std::uint64_t times = 1;
  if (item.contains("times")) {
    TACET_TRY(times, read_whole_number(item.at("times"), "times", 1, accounting::LossList::kMostTimes));
  }
  return RepeatedLoss{known_loss(way, parameter, delta, xi), times};
}

}  // namespace

Result<std::vector<RepeatedLoss>> parse_losses(const Json& list) {
  if (!list.is_array()) return Error::invalid("losses", mechanisms::json_kind(list), "must be a JSON list of losses", kExample);
  std::vector<RepeatedLoss> losses;
  losses.reserve(list.size());
  for (const Json& item : list) {
    TACET_TRY(RepeatedLoss loss, parse_one(item, losses.size() + 1));
    losses.push_back(std::move(loss));
  }
  return losses;
}

Result<std::vector<RepeatedLoss>> read_losses(const std::string& path) {
  TACET_TRY(const Json list, mechanisms::read_json_file(path, "file"));
  return parse_losses(list);
}

}  // namespace tacet::service
