#include "tacet/exact/secure_bits.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <new>

#include <sodium.h>

#include "tacet/exact/entropy.h"

namespace tacet::exact {

/// The state that a forked child must not see. All zeros is valid: no key, no words.
struct SecureBits::Page {
  WordBuffer buffer;
  unsigned char key[crypto_stream_chacha20_KEYBYTES];
  std::uint64_t keyed;
};

namespace {

constexpr std::size_t kPageBytes = 4096;

// One key makes two streams with different nonces: the buffer and the next key.
constexpr unsigned char kWordsNonce[crypto_stream_chacha20_NONCEBYTES] = {0};
constexpr unsigned char kNextKeyNonce[crypto_stream_chacha20_NONCEBYTES] = {1};

}  // namespace

bool SecureBits::os_entropy(void* bytes, std::size_t size) { return draw_entropy(bytes, size).ok(); }

Result<std::unique_ptr<SecureBits>> SecureBits::open(Entropy entropy) {
  static_assert(sizeof(Page) <= kPageBytes);
  TACET_CHECK(start_sodium());
  void* memory = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return entropy_unavailable("no memory for random bits");
  if (madvise(memory, kPageBytes, MADV_WIPEONFORK) != 0) {
    munmap(memory, kPageBytes);
    return entropy_unavailable("the operating system cannot keep random bits apart from forked children");
  }
  // Both are extra protection; an unprivileged process may be denied them.
  (void)madvise(memory, kPageBytes, MADV_DONTDUMP);
  (void)mlock(memory, kPageBytes);
  std::unique_ptr<SecureBits> bits(new SecureBits(new (memory) Page{}, entropy));
  if (!bits->draw_key()) return entropy_unavailable();
  return bits;
}

SecureBits::SecureBits(Page* page, Entropy entropy) : RandomBits(&page->buffer), page_(page), entropy_(entropy) {}

SecureBits::~SecureBits() {
  sodium_memzero(page_, kPageBytes);
  munmap(page_, kPageBytes);
}

bool SecureBits::draw_key() {
  page_->keyed = entropy_(page_->key, sizeof page_->key) ? 1 : 0;
  if (page_->keyed == 0) sodium_memzero(page_->key, sizeof page_->key);
  return page_->keyed == 1;
}

void SecureBits::refill() {
  if (page_->keyed == 0 && !draw_key()) throw EntropyFailure();
  WordBuffer& buffer = page_->buffer;
  crypto_stream_chacha20(reinterpret_cast<unsigned char*>(buffer.words), sizeof buffer.words, kWordsNonce, page_->key);
  unsigned char next_key[sizeof page_->key];
  crypto_stream_chacha20(next_key, sizeof next_key, kNextKeyNonce, page_->key);
  std::copy(std::begin(next_key), std::end(next_key), page_->key);
  sodium_memzero(next_key, sizeof next_key);
  buffer.remaining = std::size(buffer.words);
}

}  // namespace tacet::exact
