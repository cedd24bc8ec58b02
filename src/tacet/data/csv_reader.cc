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

constexpr std::size_t kLongestRecord = std::size_t{64} << 20;  // kBlock doubled some times, so that the buffer can be just as long
constexpr std::size_t kPadding = 1 + sizeof(std::uint64_t);    // the line feed that stops every scan, and a word that may be read beyond it
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Eight bytes at a time: in each byte of `word` that is zero the high bit is set, exact up to the first of them.
constexpr std::uint64_t kOnes = 0x0101010101010101U;
std::uint64_t zero_bytes(std::uint64_t word) { return (word - kOnes) & ~word & (kOnes << 7U); }

// The first of some bytes from `at` on; one of them must be there, and a word may be read beyond it.
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

// Plain or gzip as the name says, from the beginning of the file whoever has read it before.
class CsvReader::Stream {
 public:
  explicit Stream(const DataFile& file) : file_(file) {
    struct stat about{};
    if (::fstat(file.descriptor(), &about) == 0) size_ = static_cast<double>(about.st_size);
    if (!file.gzip()) return;
    // A name of its own in the operating system, so that two readers of one DataFile do not share a position.
    gzip_ = gzopen(file.descriptor_path().c_str(), "rbe");
    if (gzip_ != nullptr) gzbuffer(gzip_, 1U << 17U);
  }
  ~Stream() {
    if (gzip_ != nullptr) gzclose_r(gzip_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// The number of bytes read, 0 at the end, or -1 for a file that cannot be read or is cut short.
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
    // zlib would hand over what is no gzip as it stands; whether it is must not be guessed from what may be a person's line.
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

// More of the file behind what is not yet parsed; at most kLongestRecord bytes of it are held.
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
  buffer_[end_] = '\n';  // stops every scan; it ends the last record if that lacks its line feed
  return true;
}

// Forgets the line that fills the buffer, up to and including its line feed.
bool CsvReader::skip_line() {
  for (;;) {
    at_ = end_;
    if (!refill()) return false;
    at_ = std::min(find_first(buffer_.data(), 0, '\n') + 1, end_);
    if (finished_ || buffer_[at_ - 1] == '\n') return true;
  }
}

// The quote that closes the field which begins at `at`; or, where none does, the line feed that ends the line (the file, with line breaks).
std::size_t CsvReader::closing_quote(std::size_t at, Form& form) const {
  const char* const data = buffer_.data();
  for (;; ++at) {
    at = find_first(data, at, quote_, escape_, '\n');
    const char c = data[at];
    if (c == '\n') {
      if (at == end_ || !line_breaks_) return at;
      continue;
    }
    if (c == escape_) {
      const char next = data[at + 1];
      if (next == quote_ || next == escape_) {
        form = Form::Escaped;
        ++at;
        continue;
      }
      if (escape_ != quote_) continue;  // before anything else it is an ordinary character
    }
    return at;
  }
}

// A record that does not fit, noticed at `at`, which is in its line.
CsvReader::Parsed CsvReader::misfit(std::size_t at) {
  if (line_breaks_) return Parsed::Failed;  // where it ends cannot be told
  at = find_first(buffer_.data(), at, '\n');
  if (at == end_ && !finished_) return Parsed::Incomplete;
  after_ = std::min(at + 1, end_);
  return Parsed::Misfit;
}

// One record from at_. The line feed at end_ ends a record only once the file is finished.
CsvReader::Parsed CsvReader::parse_record() {
  const char* const data = buffer_.data();
  // One field too many tells as much as a million.
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
      if (data[p] == '\n') return p == end_ && !finished_ ? Parsed::Incomplete : misfit(p);  // left open
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
  // Of one column, a last line without its line feed would be nobody once its field is missing.
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
    if (only_a_mark) return unreadable();  // a line with a byte order mark is not blank; otherwise it is
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
