#include "tacet/data/csv_reader.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace tacet::data {
namespace {

constexpr std::size_t kLongestRecord = std::size_t{64} << 20;  // kBlock doubled some times
constexpr std::size_t kPadding = 1 + sizeof(std::uint64_t);    // line feed, word beyond
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Sets the high bit of each zero byte of `word`; exact up to the first of them.
constexpr std::uint64_t kOnes = 0x0101010101010101U;
std::uint64_t zero_bytes(std::uint64_t word) { return (word - kOnes) & ~word & (kOnes << 7U); }

// The first of these bytes from `at` on. One must exist; up to a word beyond it may be read.
template <class... Chars>
std::size_t find_first(const char* data, std::size_t at, Chars... wanted) {
  static_assert(std::endian::native == std::endian::little, "the first byte of a word must be its lowest");
  for (;; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, sizeof word);
    const std::uint64_t found = (zero_bytes(word ^ (kOnes * static_cast<unsigned char>(wanted))) | ...);
    if (found != 0) return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
  }
}

}  // namespace

// Plain or gzip, by the name; always from the start of the file.
class CsvReader::Stream {
 public:
  explicit Stream(const DataFile& file) : file_(file) {
    struct stat about{};
    if (::fstat(file.descriptor(), &about) == 0) size_ = static_cast<double>(about.st_size);
    if (!file.gzip()) return;
    // Opened again, so that two readers of one DataFile do not share a position.
    gzip_ = gzopen(file.descriptor_path().c_str(), "rbe");
    if (gzip_ != nullptr) gzbuffer(gzip_, 1U << 17U);
  }
  ~Stream() {
    if (gzip_ != nullptr) gzclose_r(gzip_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// The number of bytes read, 0 at the end, or -1 if the file is unreadable or truncated.
  std::ptrdiff_t read(char* into, std::size_t most) { return file_.gzip() ? read_gzip(into, most) : read_plain(into, most); }

  double fraction() const {
    const double offset = gzip_ != nullptr ? static_cast<double>(gzoffset(gzip_)) : static_cast<double>(offset_);
    return size_ <= 0 || offset < 0 ? 0 : std::min(1.0, offset / size_);
  }

 private:
  std::ptrdiff_t read_plain(char* into, std::size_t most) {
    ssize_t got = -1;
    do got = ::pread(file_.descriptor(), into, most, offset_);
    while (got < 0 && errno == EINTR);
    if (got > 0) offset_ += got;
    return got;
  }

  std::ptrdiff_t read_gzip(char* into, std::size_t most) {
    if (gzip_ == nullptr) return -1;
    const int got = gzread(gzip_, into, static_cast<unsigned>(most));
    int state = Z_OK;
    if (got <= 0) gzerror(gzip_, &state);
    // zlib passes on data that is not gzip; whether it is must not depend on a person's line.
    return got < 0 || state != Z_OK || gzdirect(gzip_) != 0 ? -1 : got;
  }

  DataFile file_;  // keeps the descriptor open
  gzFile gzip_ = nullptr;
  off_t offset_ = 0;
  double size_ = 0;
};

CsvReader::CsvReader(const DataFile& file, const CsvDialect& dialect, std::size_t block)
    : stream_(std::make_unique<Stream>(file)),
      delimiter_(dialect.delimiter.value_or(file.delimiter())),
      quote_(dialect.quote.value_or('\0')),
      escape_(dialect.escape.value_or(quote_)),
      quotes_(dialect.quote.has_value()),
      line_breaks_(dialect.line_breaks_in_quotes),
      buffer_(block + kPadding) {
  buffer_[0] = '\n';
}

CsvReader::~CsvReader() = default;
CsvReader::CsvReader(CsvReader&&) noexcept = default;

double CsvReader::fraction() const { return stream_->fraction(); }

// Reads more of the file after the unparsed bytes; holds at most kLongestRecord bytes.
bool CsvReader::refill() {
  const std::size_t kept = end_ - at_;
  std::memmove(buffer_.data(), buffer_.data() + at_, kept);
  at_ = 0;
  end_ = kept;
  if (kept + kPadding == buffer_.size()) buffer_.resize(2 * kept + kPadding);
  const std::ptrdiff_t got = stream_->read(buffer_.data() + end_, buffer_.size() - kPadding - end_);
  if (got < 0) return false;
  end_ += static_cast<std::size_t>(got);
  finished_ = got == 0;
  buffer_[end_] = '\n';  // ends the last record if it lacks a line feed
  return true;
}

// Skips the line that fills the buffer, with its line feed.
bool CsvReader::skip_line() {
  for (;;) {
    at_ = end_;
    if (!refill()) return false;
    at_ = std::min(find_first(buffer_.data(), 0, '\n') + 1, end_);
    if (finished_ || buffer_[at_ - 1] == '\n') return true;
  }
}

// The quote that closes the field at `at`, or else the line feed that ends the line (or the file).
std::size_t CsvReader::closing_quote(std::size_t at, Form& form) const {
  const char* const data = buffer_.data();
  for (;; ++at) {
    at = find_first(data, at, quote_, escape_, '\n');
    const char c = data[at];
    const bool escapes = c == escape_ && (data[at + 1] == quote_ || data[at + 1] == escape_);
    if (escapes) form = Form::Escaped, ++at;
    // A line break may be inside, and an escape is ordinary before other characters.
    if (!escapes && (c == '\n' ? at == end_ || !line_breaks_ : c != escape_ || escape_ == quote_)) return at;
  }
}

// A record that does not fit; `at` is in its line.
CsvReader::Parsed CsvReader::misfit(std::size_t at) {
  if (line_breaks_) return Parsed::Failed;  // its end is unknown
  at = find_first(buffer_.data(), at, '\n');
  if (at == end_ && !finished_) return Parsed::Incomplete;
  after_ = std::min(at + 1, end_);
  return Parsed::Misfit;
}

// One record from at_. The line feed at end_ counts only if the file is finished.
CsvReader::Parsed CsvReader::parse_record() {
  const char* const data = buffer_.data();
  // One extra field is enough to detect a misfit.
  const std::size_t most = expected_ == 0 ? std::numeric_limits<std::size_t>::max() : expected_ + 1;
  fields_.clear();
  std::size_t p = at_;
  for (;;) {
    std::size_t begin = p;
    std::size_t size = 0;
    Form form = Form::Bare;
    if (quotes_ && data[p] == quote_) {
      form = Form::Quoted;
      p = closing_quote(++begin, form);
      if (data[p] == '\n') return p == end_ && !finished_ ? Parsed::Incomplete : misfit(p);
      size = p - begin;
      ++p;
      if (data[p] == '\r' && data[p + 1] == '\n') ++p;
      if (data[p] != delimiter_ && data[p] != '\n') return misfit(p);
    } else {
      p = find_first(data, p, delimiter_, '\n');
      size = p - begin;
      if (data[p] == '\n' && size > 0 && data[p - 1] == '\r') --size;
    }
    if (fields_.size() < most) fields_.emplace_back(begin, size, form);
    if (data[p] == '\n') break;
    ++p;
  }
  if (p == end_ && !finished_) return Parsed::Incomplete;
  // With one column, a last line without field and line feed would be no record.
  if (p == end_ && expected_ == 1) return Parsed::Failed;
  after_ = std::min(p + 1, end_);
  if (expected_ == 0 || fields_.size() == expected_) return Parsed::Record;
  const bool blank = fields_.size() == 1 && missing(0);
  return blank ? Parsed::Record : Parsed::Misfit;
}

CsvReader::Step CsvReader::unreadable() {
  fields_.assign(std::max<std::size_t>(1, expected_), Field{0, 0, Form::Unreadable});
  return Step::Record;
}

CsvReader::Step CsvReader::next() {
  for (;;) {
    if (at_start_ && (end_ - at_ >= kByteOrderMark.size() || finished_)) {
      marked_ = std::string_view(buffer_.data(), end_).starts_with(kByteOrderMark);
      if (marked_) at_ += kByteOrderMark.size();
      at_start_ = false;
    }
    if (at_start_ || (at_ == end_ && !finished_)) {
      if (!refill()) return Step::Failed;
      continue;
    }
    if (at_ == end_) return Step::End;
    switch (parse_record()) {
      case Parsed::Failed: return Step::Failed;
      case Parsed::Incomplete:
        if (end_ - at_ < kLongestRecord) {
          if (!refill()) return Step::Failed;
          continue;
        }
        return !line_breaks_ && skip_line() ? unreadable() : Step::Failed;
      case Parsed::Misfit: at_ = after_; return unreadable();
      case Parsed::Record: at_ = after_; break;
    }
    const bool only_a_mark = std::exchange(marked_, false);
    if (fields_.size() == expected_ || expected_ == 0) return Step::Record;
    if (only_a_mark) return unreadable();  // a line with a byte order mark is not blank
  }
}

std::string_view CsvReader::text(std::size_t field) {
  const auto& [begin, size, form] = fields_[field];
  const std::string_view raw(buffer_.data() + begin, size);
  if (form <= Form::Quoted) return raw;
  if (form == Form::Unreadable) return kNoText;
  unescaped_.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == escape_ && i + 1 < raw.size() && (raw[i + 1] == quote_ || raw[i + 1] == escape_)) ++i;
    unescaped_.push_back(raw[i]);
  }
  return unescaped_;
}

}  // namespace tacet::data
