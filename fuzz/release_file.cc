// Release files: of counts, of histograms, of local reports, of moments and of queries.
//
// Holds    a release that is read is written, and read again as it was; what is inferred from it
//          and said in words is harmless on a terminal, and no exception leaves a verb.
#include "tacet/mechanisms/release_file.h"

#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tacet/mechanisms/json_file.h"
#include "tacet/service/error_json.h"
#include "tacet/service/verb.h"

#include "support.h"

namespace {

using tacet::fuzz::harmless_on_a_terminal;
using tacet::fuzz::must;
using tacet::service::Json;

constexpr std::size_t kMostCells = 64;  // that inference is tried on

/// Reads, writes, reads the text, and writes again.
std::optional<tacet::mechanisms::Release> read_again(const Json& json) {
  const auto release = tacet::mechanisms::release_from_json(json);
  if (!release) {
    const std::string sentence = tacet::service::sentence(release.error());
    must(harmless_on_a_terminal(sentence) && sentence.find('\n') == std::string::npos, "an error is one harmless line");
    return std::nullopt;
  }
  const std::string first = tacet::service::dump(to_json(*release));
  const auto read = tacet::mechanisms::parse_json(first, "release", "text");
  must(read.ok(), "a release that is written is JSON");
  const auto again = tacet::mechanisms::release_from_json(*read);
  must(again.ok(), "a release that is written is read again");
  must(tacet::service::dump(to_json(*again)) == first, "a release is read again as it was");
  return *release;
}

void infer(const char* name, const Json& request) {
  const auto result = tacet::service::perform(name, request, {});
  if (!result) {
    must(result.error().code() != tacet::Code::Internal, "no exception leaves a verb");
    must(harmless_on_a_terminal(tacet::service::sentence(result.error())), "an error is harmless on a terminal");
    return;
  }
  must(!Json::parse(tacet::service::dump(result->json()), nullptr, false).is_discarded(), "an answer is JSON");
  must(harmless_on_a_terminal(result->words()), "an answer in words is harmless on a terminal");
}

/// The requests that one release can be asked, but for the files they name.
std::vector<std::pair<const char*, Json>> requests_for(const tacet::mechanisms::Release& release) {
  if (const auto* histogram = std::get_if<tacet::mechanisms::HistogramRelease>(&release)) {
    if (histogram->edges.size() > kMostCells) return {};
    return {{"infer quantile", {{"probability", {0.5, 1e-9, 0.999999999999}}}}, {"infer distribution", {{"draws", 99}}}};
  }
  if (const auto* denoised = std::get_if<tacet::mechanisms::DenoisedRelease>(&release)) {
    if (denoised->table.values.size() > kMostCells) return {};
    return {{"infer independence", {{"draws", 100}}}, {"infer estimate", Json::object()}};
  }
  const auto* counts = std::get_if<tacet::mechanisms::CountRelease>(&release);
  const auto* local = std::get_if<tacet::mechanisms::LocalRelease>(&release);
  if (counts == nullptr && local == nullptr) {
    return {{"infer region", {{"for", "data"}, {"draws", 100}}},
            {"infer region", {{"for", "population"}, {"draws", 100}}},
            {"infer two-sample", {{"draws", 100}}},
            {"infer k-sample", {{"draws", 100}}},
            {"infer t-test", {{"draws", 100}}},
            {"infer mean-test", {{"null", {0, 0}}, {"draws", 100}}}};
  }
  if ((counts != nullptr ? counts->values : local->values).size() > kMostCells) return {};
  std::vector<std::pair<const char*, Json>> requests = {{"infer estimate", Json::object()},
                                                        {"infer estimate", {{"shrink", "rjs"}, {"project", "simplex"}}},
                                                        {"infer independence", {{"method", "asymptotic"}, {"draws", 100}}},
                                                        {"infer residuals", Json::object()},
                                                        {"infer quantile", Json::object()}};
  if (counts == nullptr || counts->axes.empty()) return requests;
  const tacet::mechanisms::ReleaseAxis& first = counts->axes.front();
  requests.push_back({"infer margin", {{"of", {first.name}}}});
  const std::string event = first.name + "=" + (first.labels.empty() ? std::string() : first.labels.front());
  requests.push_back({"infer proportion", {{"of", {event}}}});
  requests.push_back({"infer trend", {{"of", event}, {"by", counts->axes.back().name}}});
  return requests;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(tacet::fuzz::as_text(data, size));
  const auto json = tacet::mechanisms::parse_json(text, "release", "text");
  if (!json) return 0;
  static const tacet::fuzz::MemoryFile scratch("release.json");
  const auto release = read_again(*json);
  if (!release) return 0;
  scratch.write(text);
  auto requests = requests_for(*release);
#ifndef TACET_REPLAY
  // One of them, so that many files are tried in the time of few; a replay makes them all.
  if (!requests.empty()) requests = {requests[std::accumulate(text.begin(), text.end(), std::size_t{0}) % requests.size()]};
#endif
  for (auto& [verb, request] : requests) {
    const bool several = std::string_view(verb) == "infer two-sample" || std::string_view(verb) == "infer k-sample";
    request[several ? "releases" : "release"] = scratch.path();
    infer(verb, request);
  }
  return 0;
}
