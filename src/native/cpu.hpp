// What the processor can do beyond what every one of its kind can; asked at run time.
#pragma once

#if defined(__x86_64__) || defined(_M_X64)
#define GAINFUL_X64
#if defined(_MSC_VER)
#include <intrin.h>
#endif
#elif defined(__aarch64__) || defined(_M_ARM64)
#define GAINFUL_ARM64
#endif

// A function compiled for features that not every processor has.
#if defined(GAINFUL_X64) && !defined(_MSC_VER)
#define GAINFUL_TARGET(features) __attribute__((target(features)))
#else
#define GAINFUL_TARGET(features)
#endif

// Small functions that a loop over all lines calls; compilers find them too large.
#if defined(_MSC_VER)
#define GAINFUL_INLINE __forceinline
#define GAINFUL_INLINE_LAMBDA
#else
#define GAINFUL_INLINE inline __attribute__((always_inline))
#define GAINFUL_INLINE_LAMBDA __attribute__((always_inline))
#endif

namespace gainful::cpu {

#if defined(GAINFUL_X64) && defined(_MSC_VER)
inline bool has_registers(unsigned long long needed) {
  int info[4];
  __cpuid(info, 1);
  const bool saved = (info[2] & (1 << 27)) != 0;  // the system saves wide registers
  return saved && (_xgetbv(0) & needed) == needed;
}
inline bool has_feature(int bit) {
  int info[4];
  __cpuid(info, 0);
  if (info[0] < 7) return false;
  __cpuidex(info, 7, 0);
  return (info[1] & (1 << bit)) != 0;
}
inline bool has_avx2() { return has_registers(0x6) && has_feature(5); }
inline bool has_avx512() { return has_registers(0xe6) && has_feature(16) && has_feature(30); }
inline bool has_bmi() { return false; }  // this compiler takes no target for a function
#elif defined(GAINFUL_X64)
inline bool has_avx2() { return __builtin_cpu_supports("avx2") != 0; }
inline bool has_avx512() { return __builtin_cpu_supports("avx512bw") != 0; }
inline bool has_bmi() {
  return __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
}
#else
inline bool has_bmi() { return false; }
#endif

}  // namespace gainful::cpu
