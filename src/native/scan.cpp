#include "scan.hpp"

#include <cstring>
#include <vector>

#include "cpu.hpp"

#if defined(GAINFUL_X64)
#include <immintrin.h>
#elif defined(GAINFUL_ARM64)
#include <arm_neon.h>
#endif

namespace gainful {

namespace {

// The plain twin: eight bytes at a time, in ordinary registers.
struct Words {
  static constexpr std::uint64_t kOnes = 0x0101010101010101;
  static constexpr std::uint64_t kHighs = 0x8080808080808080;

  // The high bit of every byte that is zero, exactly: no carry leaves a byte.
  static std::uint64_t zeros(std::uint64_t x) { return ~(((x & ~kHighs) + ~kHighs) | x | ~kHighs); }

  // The high bit of every byte from '\t' to '\r'.
  static std::uint64_t controls(std::uint64_t x) {
    const std::uint64_t low = x & ~kHighs;
    const std::uint64_t from_tab = low + kOnes * (0x80 - '\t');
    const std::uint64_t past_return = low + kOnes * (0x80 - '\r' - 1);
    return from_tab & ~past_return & ~x & kHighs;
  }

  // The high bits of the eight bytes, side by side.
  static std::uint64_t gathered(std::uint64_t highs) {
    return ((highs >> 7) * 0x0102040810204080) >> 56;
  }
};

std::uint64_t word_at(const char* text) {
  std::uint64_t word = 0;
  for (int i = 0; i < 8; ++i)  // compilers make this one load
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  return word;
}

void scan_words(const char* text, std::span<Marks> marks) {
  for (Marks& mark : marks) {
    mark = {0, 0};
    for (int i = 0; i < 64; i += 8, text += 8) {
      const std::uint64_t word = word_at(text);
      const std::uint64_t blanks = Words::zeros(word ^ (Words::kOnes * ' '));
      const std::uint64_t newlines = Words::zeros(word ^ (Words::kOnes * '\n'));
      mark.space |= Words::gathered(blanks | Words::controls(word)) << i;
      mark.newline |= Words::gathered(newlines) << i;
    }
  }
}

#if defined(GAINFUL_X64)

GAINFUL_TARGET("avx2") std::uint32_t marks_of(__m256i equal) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(equal));
}

GAINFUL_TARGET("avx2") void scan_avx2(const char* text, std::span<Marks> marks) {
  const __m256i blank = _mm256_set1_epi8(' '), newline = _mm256_set1_epi8('\n');
  const __m256i tab = _mm256_set1_epi8('\t'), width = _mm256_set1_epi8('\r' - '\t');
  for (Marks& mark : marks) {
    mark = {0, 0};
    for (int i = 0; i < 64; i += 32, text += 32) {
      const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
      const __m256i above = _mm256_sub_epi8(bytes, tab);
      const __m256i control = _mm256_cmpeq_epi8(_mm256_min_epu8(above, width), above);
      const __m256i space = _mm256_or_si256(control, _mm256_cmpeq_epi8(bytes, blank));
      mark.space |= static_cast<std::uint64_t>(marks_of(space)) << i;
      mark.newline |= static_cast<std::uint64_t>(marks_of(_mm256_cmpeq_epi8(bytes, newline))) << i;
    }
  }
}

GAINFUL_TARGET("avx512f,avx512bw") void scan_avx512(const char* text, std::span<Marks> marks) {
  const __m512i blank = _mm512_set1_epi8(' '), newline = _mm512_set1_epi8('\n');
  const __m512i tab = _mm512_set1_epi8('\t'), width = _mm512_set1_epi8('\r' - '\t');
  for (Marks& mark : marks) {
    const __m512i bytes = _mm512_loadu_si512(text);
    mark.space = _mm512_cmpeq_epi8_mask(bytes, blank) |
                 _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, tab), width);
    mark.newline = _mm512_cmpeq_epi8_mask(bytes, newline);
    text += 64;
  }
}

#elif defined(GAINFUL_ARM64)

// The high bit of each of 64 bytes, side by side: NEON has no instruction for it.
std::uint64_t marks_of(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
  static const std::uint8_t kPlaces[] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t place = vld1q_u8(kPlaces);
  const uint8x16_t ab = vpaddq_u8(vandq_u8(a, place), vandq_u8(b, place));
  const uint8x16_t cd = vpaddq_u8(vandq_u8(c, place), vandq_u8(d, place));
  const uint8x16_t sum = vpaddq_u8(vpaddq_u8(ab, cd), vpaddq_u8(ab, cd));
  return vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0);
}

void scan_neon(const char* text, std::span<Marks> marks) {
  const uint8x16_t blank = vdupq_n_u8(' '), newline = vdupq_n_u8('\n');
  const uint8x16_t tab = vdupq_n_u8('\t'), width = vdupq_n_u8('\r' - '\t');
  for (Marks& mark : marks) {
    uint8x16_t space[4], end[4];
    for (int i = 0; i < 4; ++i, text += 16) {
      const uint8x16_t bytes = vld1q_u8(reinterpret_cast<const std::uint8_t*>(text));
      space[i] = vorrq_u8(vceqq_u8(bytes, blank), vcleq_u8(vsubq_u8(bytes, tab), width));
      end[i] = vceqq_u8(bytes, newline);
    }
    mark.space = marks_of(space[0], space[1], space[2], space[3]);
    mark.newline = marks_of(end[0], end[1], end[2], end[3]);
  }
}

#endif

std::vector<Scanner> found() {
  std::vector<Scanner> all{{"words", scan_words}};
#if defined(GAINFUL_X64)
  if (cpu::has_avx2()) all.push_back({"avx2", scan_avx2});
  if (cpu::has_avx512()) all.push_back({"avx512", scan_avx512});
#elif defined(GAINFUL_ARM64)
  all.push_back({"neon", scan_neon});
#endif
  return all;
}

}  // namespace

std::span<const Scanner> scanners() {
  static const std::vector<Scanner> all = found();
  return all;
}

}  // namespace gainful
