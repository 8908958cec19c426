#include "packed_rows.hpp"

#include <algorithm>

namespace gainful {

namespace {

// A block begins with the address of the one after it and the end of its own rows.
struct Header {
  const char* next;
  const char* end;
};
constexpr std::size_t kMostNumber = 10;  // bytes of a packed number
constexpr std::size_t kMostFixed = sizeof(std::uint64_t) + 3 * kMostNumber;  // of a row, without id

// Seven bits a byte, the lowest first; the high bit says that more follow.
char* pack(char* out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) *out++ = static_cast<char>(number | 0x80);
  *out++ = static_cast<char>(number);
  return out;
}

const char* unpack(const char* in, std::uint64_t& number) {
  number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*in++);
    number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return in;
  }
}

// Short ids are copied without a call.
void copy(char* out, Id id) {
  const char* text = id.data();
  const std::size_t size = id.size();
  if (size > 16) {
    std::memcpy(out, text, size);
  } else if (size >= 8) {
    const auto first = load<std::uint64_t>(text), last = load<std::uint64_t>(text + size - 8);
    std::memcpy(out, &first, 8);
    std::memcpy(out + size - 8, &last, 8);
  } else if (size >= 4) {
    const auto first = load<std::uint32_t>(text), last = load<std::uint32_t>(text + size - 4);
    std::memcpy(out, &first, 4);
    std::memcpy(out + size - 4, &last, 4);
  } else {
    for (std::size_t i = 0; i < size; ++i) out[i] = text[i];
  }
}

// Small numbers of either sign become small numbers.
std::uint64_t folded(std::int64_t number) {
  return static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63);
}
std::int64_t unfolded(std::uint64_t number) {
  return static_cast<std::int64_t>(number >> 1 ^ (~(number & 1) + 1));
}

void set_header(char* block, Header header) { std::memcpy(block, &header, sizeof header); }

}  // namespace

void PackedRows::add(std::size_t query, const PackedRow& row) {
  if (query >= chains_.size()) chains_.resize(std::max(query + 1, 2 * chains_.size()));
  Chain& chain = chains_[query];
  // Only near the end of a block is it worked out how much is needed.
  const std::size_t most = kMostFixed + row.item.size();
  if (static_cast<std::size_t>(chain.end - chain.next) < most) {
    const std::size_t needed = packed_size(row, chain.place);
    if (static_cast<std::size_t>(chain.end - chain.next) < needed) grow(chain, most);
  }
  char* out = chain.next;
  std::memcpy(out, &row.key, sizeof row.key);
  out = pack(out + sizeof row.key, row.place - chain.place);
  if (with_ranks_) out = pack(out, folded(row.rank));
  out = pack(out, row.item.size());
  copy(out, row.item);
  chain.next = out + row.item.size();
  chain.place = row.place;
  if (++chain.count == 0) throw TooMany{"many-rows"};
}

std::size_t PackedRows::packed_size(const PackedRow& row, std::uint64_t place) const {
  char numbers[3 * kMostNumber];
  char* end = pack(numbers, row.place - place);
  if (with_ranks_) end = pack(end, folded(row.rank));
  end = pack(end, row.item.size());
  return sizeof row.key + static_cast<std::size_t>(end - numbers) + row.item.size();
}

void PackedRows::grow(Chain& chain, std::size_t needed) {
  // An eighth of what there is: few blocks, and little room that stays empty.
  const std::size_t size = std::clamp<std::size_t>(chain.size / 8, 64, 8192);
  const std::size_t room = std::max(size, needed);
  char* block = arena_.take(sizeof(Header) + room);
  set_header(block, {nullptr, nullptr});
  if (chain.block != nullptr) set_header(chain.block, {block, chain.next});
  if (chain.first == nullptr) chain.first = block;
  chain.block = block;
  chain.next = block + sizeof(Header);
  chain.end = chain.next + room;
  chain.size += static_cast<std::uint32_t>(std::min<std::size_t>(room, 8192));
}

PackedRows::Cursor::Cursor(const PackedRows& rows, std::size_t query)
    : with_ranks_(rows.with_ranks_) {
  if (rows.count(query) == 0) return;
  const Chain& chain = rows.chains_[query];
  left_ = chain.count;
  block_ = chain.first;
  at_ = block_ + sizeof(Header);
  read();
}

void PackedRows::Cursor::next() {
  if (--left_ != 0) read();
}

void PackedRows::Cursor::read() {
  if (const Header header = load<Header>(block_); at_ == header.end) {
    block_ = header.next;
    at_ = block_ + sizeof(Header);
  }
  row_.key = load<std::uint64_t>(at_);
  std::uint64_t step = 0, rank = 0, size = 0;
  at_ = unpack(at_ + sizeof row_.key, step);
  row_.place += step;
  if (with_ranks_) at_ = unpack(at_, rank);
  row_.rank = unfolded(rank);
  at_ = unpack(at_, size);
  row_.item = {at_, static_cast<std::size_t>(size)};
  at_ += size;
}

}  // namespace gainful
