#include "tacet/mechanisms/release_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacet/base/text.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/mechanisms/release_fields.h"

namespace tacet::mechanisms {
namespace {

using nlohmann::json;

constexpr const char* kRemedy = "give a file written by `release` or `import`";
constexpr ReleaseFields kFileFields(kRemedy);

ReleaseKind file_kind(const CountRelease& /*release*/) { return ReleaseKind::Counts; }
ReleaseKind file_kind(const LocalRelease& /*release*/) { return ReleaseKind::Local; }
ReleaseKind file_kind(const QueryRelease& /*release*/) { return ReleaseKind::Query; }
ReleaseKind file_kind(const HistogramRelease& /*release*/) { return ReleaseKind::Histogram; }
ReleaseKind file_kind(const DenoisedRelease& /*release*/) { return ReleaseKind::DenoisedCounts; }
ReleaseKind file_kind(const MomentRelease& release) {
  switch (release.kind) {
    case MomentKind::Sum: return ReleaseKind::Sum;
    case MomentKind::Mean: return ReleaseKind::Mean;
    case MomentKind::SecondMoment: return ReleaseKind::SecondMoment;
    case MomentKind::Covariance: break;
  }
  return ReleaseKind::Covariance;
}

/// The remedy for a release of the wrong kind: what it can be used for.
const char* what_serves(ReleaseKind kind) {
  switch (kind) {
    case ReleaseKind::Counts: return "for tables of counts use `infer estimate`, `infer gof`, `infer independence` or `infer homogeneity`";
    case ReleaseKind::Local:
      return "for local reports use `infer gof` or `infer independence`; their estimates and standard errors are in the file itself";
    case ReleaseKind::DenoisedCounts:
      return "a table that was denoised before it was published has no intervals: use `infer gof`, `infer independence` or `infer "
             "homogeneity`";
    case ReleaseKind::Histogram: return "for a histogram use `infer quantile` or `infer distribution`";
    case ReleaseKind::Query: return "for a query use `infer region` or `infer mean-test`";
    case ReleaseKind::Sum:
    case ReleaseKind::Mean: return "for means use `infer region` or `infer mean-test`";
    case ReleaseKind::SecondMoment:
    case ReleaseKind::Covariance: break;
  }
  return "for means use `infer region`, `infer mean-test`, `infer two-sample` or `infer k-sample`";
}

template <class Kind>
Status keep(Result<Kind> read, Release& release) {
  if (!read.ok()) return std::move(read).error();
  release.emplace<Kind>(*std::move(read));
  return {};
}

Status read_kind(ReleaseKind kind, const json& value, Release& release) {
  switch (kind) {
    case ReleaseKind::Counts: return keep(count_release_from_json(value), release);
    case ReleaseKind::Local: return keep(local_release_from_json(value), release);
    case ReleaseKind::Histogram: return keep(histogram_release_from_json(value), release);
    case ReleaseKind::DenoisedCounts: return keep(denoised_release_from_json(value), release);
    case ReleaseKind::Query: return keep(query_release_from_json(value), release);
    case ReleaseKind::Sum:
    case ReleaseKind::Mean:
    case ReleaseKind::SecondMoment:
    case ReleaseKind::Covariance: break;
  }
  return keep(moment_release_from_json(value), release);
}

}  // namespace

ReleaseKind kind_of(const Release& release) {
  return std::visit([](const auto& held) { return file_kind(held); }, release);
}

const ReleaseHeader& header_of(const Release& release) {
  return std::visit([](const auto& held) -> const ReleaseHeader& { return held.header; }, release);
}

json to_json(const Release& release) {
  return std::visit([](const auto& held) { return to_json(held); }, release);
}

std::string to_text(const Release& release) {
  return to_json(release).dump(1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace) + "\n";
}

Result<Release> release_from_json(const json& value, const std::string& shown) {
  if (!value.is_object() || !value.contains("tacet_release")) {
    return Error::of(Code::InvalidArgument,
                     fmt::format("{} is not a release file: it {}", shown,
                                 value.is_object() ? "lacks tacet_release" : fmt::format("holds {}, not an object", words_for(value))),
                     kRemedy);
  }
  TACET_CHECK(kFileFields.check_version(value));
  TACET_TRY(const ReleaseKind kind, kFileFields.choice<ReleaseKind>(value, "kind", "kind"));
  Release release;
  TACET_CHECK(read_kind(kind, value, release));
  return release;
}

Result<Release> read_release(const std::string& path) {
  TACET_TRY(const json value, read_json_file(path, "release"));
  return release_from_json(value, in_quotes(path));
}

Error wrong_kind(ReleaseKind found, const std::vector<ReleaseKind>& serving, const std::string& shown) {
  std::string kinds;
  for (std::size_t i = 0; i < serving.size(); ++i)
    kinds.append(i == 0 ? "" : i + 1 < serving.size() ? ", " : " or ").append(name(serving[i]));
  return Error::invalid("release", fmt::format("{}, of the kind {}", in_quotes(shown), name(found)),
                        fmt::format("must be of the kind {}", kinds), what_serves(found));
}

}  // namespace tacet::mechanisms
