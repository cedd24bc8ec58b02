#include "tacet/service/histogram_fields.h"

#include "tacet/workflow/release/release_file.h"

namespace tacet::service {

RequestTable<HistogramFields> histogram_table() {
  return RequestTable<HistogramFields>()
      .required("release", &HistogramFields::release, "FILE", "a release file with a histogram, or with counts by a column of bins")
      .field("of", &HistogramFields::of, "NAME", "the column of bins, where a table of counts has several")
      .field("given", &HistogramFields::given, "E", "among whom, in a table of counts: sex=f");
}

Result<HistogramSource> read_histogram(const HistogramFields& fields) {
  return read_release_as<HistogramRelease, CountRelease>(fields.release);
}

Result<HistogramPart> histogram_part(const HistogramFields& fields) {
  HistogramPart part{.of = fields.of};
  if (fields.given) {
    TACET_TRY(part.given, parse_event(*fields.given, "given"));
  }
  return part;
}

}  // namespace tacet::service
