#include "tacet/data/csv_reader.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "tacet/data/text.h"

namespace tacet::data {
namespace {

constexpr std::size_t kLeastZipped = 512;  // bytes of the file that zlib reads at a time
constexpr std::size_t kMostZipped = std::size_t{1} << 17;
constexpr std::size_t kLongestRecord = std::size_t{64} << 20;
constexpr std::size_t kPadding = 1 + sizeof(std::uint64_t);  // the line feed that stops every scan, and a word that may be read beyond it
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool all_ascii(const char* begin, std::size_t size) {
  char seen = 0;
  for (std::size_t i = 0; i < size; ++i) seen = static_cast<char>(seen | begin[i]);
  return (static_cast<unsigned char>(seen) & 0x80U) == 0;
}

// Eight bytes at a time: in each byte of `word` that is zero the high bit is set, exact up to the first of them.
constexpr std::uint64_t kOnes = 0x0101010101010101U;
std::uint64_t zero_bytes(std::uint64_t word) { return (word - kOnes) & ~word & (kOnes << 7U); }

}  // namespace

// Plain or gzip, from the beginning of the file whoever has read it before.
class CsvReader::Stream {
 public:
  Stream(const DataFile& file, std::size_t block) : file_(file) {
    // A name of its own in the operating system, so that two readers of one DataFile do not share a position.
    handle_ = gzopen(file.descriptor_path().c_str(), "rbe");
    if (handle_ != nullptr) gzbuffer(handle_, static_cast<unsigned>(std::clamp(block, kLeastZipped, kMostZipped)));
    struct stat about{};
    if (::fstat(file.descriptor(), &about) == 0) size_ = static_cast<double>(about.st_size);
  }
  ~Stream() {
    if (handle_ != nullptr) gzclose_r(handle_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// The number of bytes read, 0 at the end, or -1 for a file that cannot be read or is cut short.
  int read(char* into, std::size_t most) {
    if (handle_ == nullptr) return -1;
    const int got = gzread(handle_, into, static_cast<unsigned>(most));
    int state = Z_OK;
    if (got <= 0) gzerror(handle_, &state);
    return got < 0 || state != Z_OK ? -1 : got;
  }

  double fraction() const {
    const z_off_t offset = handle_ == nullptr ? 0 : gzoffset(handle_);
    return size_ <= 0 || offset < 0 ? 0 : std::min(1.0, static_cast<double>(offset) / size_);
  }

 private:
  DataFile file_;  // keeps the descriptor open
  gzFile handle_ = nullptr;
  double size_ = 0;
};

CsvReader::CsvReader(const DataFile& file, const CsvDialect& dialect, std::size_t block)
    : stream_(std::make_unique<Stream>(file, block)),
      delimiter_(dialect.delimiter.value_or(file.delimiter())),
      quote_(dialect.quote.value_or('\0')),
      escape_(dialect.escape.value_or(quote_)),
      quotes_(dialect.quote.has_value()),
      buffer_(block + kPadding) {
  buffer_[0] = '\n';
}

CsvReader::~CsvReader() = default;
CsvReader::CsvReader(CsvReader&&) noexcept = default;

double CsvReader::fraction() const { return stream_->fraction(); }

bool CsvReader::refill() {
  const std::size_t kept = end_ - at_;
  std::memmove(buffer_.data(), buffer_.data() + at_, kept);
  at_ = 0;
  end_ = kept;
  if (kept + kPadding == buffer_.size()) {
    if (kept >= kLongestRecord) return false;
    buffer_.resize(2 * kept + kPadding);
  }
  const int got = stream_->read(buffer_.data() + end_, buffer_.size() - kPadding - end_);
  if (got < 0) return false;
  ascii_ = (kept == 0 || ascii_) && all_ascii(buffer_.data() + end_, static_cast<std::size_t>(got));
  end_ += static_cast<std::size_t>(got);
  finished_ = got == 0;
  buffer_[end_] = '\n';  // stops every scan; it ends the last record if that lacks its line feed
  return true;
}

// The first delimiter, LF or CR from `at` on. There is one: the line feed at end_.
std::size_t CsvReader::field_end(std::size_t at) const {
  static_assert(std::endian::native == std::endian::little, "the first byte of a word must be its lowest");
  const std::uint64_t delimiters = kOnes * static_cast<unsigned char>(delimiter_);
  for (;; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, buffer_.data() + at, sizeof word);
    const std::uint64_t found = zero_bytes(word ^ delimiters) | zero_bytes(word ^ (kOnes * '\n')) | zero_bytes(word ^ (kOnes * '\r'));
    if (found != 0) return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
  }
}

// One record from at_. The line feed at end_ ends a record only once the file is finished.
CsvReader::Parsed CsvReader::parse_record() {
  const char* const data = buffer_.data();
  const Parsed at_end = finished_ ? Parsed::Malformed : Parsed::Incomplete;
  fields_.clear();
  std::size_t p = at_;
  for (;;) {
    std::size_t begin = p;
    std::size_t size = 0;
    bool escaped = false;
    const bool quoted = quotes_ && data[p] == quote_ && p < end_;
    if (quoted) {
      begin = ++p;
      for (;; ++p) {
        const char* const stop = std::find_if(data + p, data + end_, [this](char c) { return c == quote_ || c == escape_; });
        p = static_cast<std::size_t>(stop - data);
        if (p == end_) return at_end;  // a quote left open
        if (data[p] == escape_) {
          if (p + 1 == end_ && !finished_) return Parsed::Incomplete;
          if (p + 1 < end_ && (data[p + 1] == quote_ || data[p + 1] == escape_)) {
            escaped = true;
            ++p;
            continue;
          }
          if (escape_ != quote_) continue;  // before anything else it is an ordinary character
        }
        break;  // the closing quote
      }
      size = p - begin;
      ++p;
      if (data[p] != delimiter_ && data[p] != '\n' && data[p] != '\r') return Parsed::Malformed;
    } else {
      p = field_end(p);
      size = p - begin;
    }
    fields_.emplace_back(begin, size, quoted, escaped);
    if (data[p] == delimiter_ && p < end_) {
      ++p;
      continue;
    }
    if (data[p] == '\r' && p < end_) {
      ++p;
      if (data[p] != '\n' || (p == end_ && finished_)) return Parsed::Malformed;  // a lone CR
    }
    if (p == end_ && !finished_) return Parsed::Incomplete;
    after_ = std::min(p + 1, end_);
    return Parsed::Record;
  }
}

CsvReader::Step CsvReader::next() {
  for (;;) {
    if (at_start_ && (end_ - at_ >= kByteOrderMark.size() || finished_)) {
      if (std::string_view(buffer_.data(), end_).starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
      at_start_ = false;
    }
    if (at_start_ || (at_ == end_ && !finished_)) {
      if (!refill()) return Step::Malformed;
      continue;
    }
    if (at_ == end_) return Step::End;
    const Parsed parsed = parse_record();
    if (parsed == Parsed::Incomplete) {
      if (!refill()) return Step::Malformed;
      continue;
    }
    if (parsed == Parsed::Malformed) return Step::Malformed;
    const std::string_view record(buffer_.data() + at_, after_ - at_);
    at_ = after_;
    if (!ascii_ && !is_utf8(record)) return Step::Malformed;
    const bool blank = fields_.size() == 1 && missing(0);
    if (blank && expected_ > 1) continue;
    if (expected_ != 0 && fields_.size() != expected_) return Step::Malformed;
    return Step::Record;
  }
}

std::string_view CsvReader::text(std::size_t field) {
  const auto& [begin, size, quoted, escaped] = fields_[field];
  const std::string_view raw(buffer_.data() + begin, size);
  if (!escaped) return raw;
  unescaped_.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == escape_ && i + 1 < raw.size() && (raw[i + 1] == quote_ || raw[i + 1] == escape_)) ++i;
    unescaped_.push_back(raw[i]);
  }
  return unescaped_;
}

}  // namespace tacet::data
