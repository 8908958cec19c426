// Exceptions in a thread that has no memory left.
#pragma once

#include <array>
#include <cstdlib>
#include <exception>

#if !defined(_WIN32)
#include <sys/resource.h>
#endif

namespace gainful {

// Whether a limit of the process (ulimit) lets memory run out; else the system ends the process.
inline bool memory_is_limited() noexcept {
#if defined(_WIN32)
  return false;
#else
  for (const auto kind : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit most{};
    if (getrlimit(kind, &most) == 0 && most.rlim_cur != RLIM_INFINITY) return true;
  }
  return false;
#endif
}

// Makes sure that this thread can throw; false where there is no memory for that.
//
// The first exception of a thread asks for some bytes of its own, and glibc ends the process where
// there are none: "cannot allocate memory for thread-local data: ABORT". Those bytes are asked for
// here, while a refusal can still be told. What was just freed is what a thread is given first.
//
// Only under a limit: bytes of its own are freed when another thread takes its place, and a process
// that is forked in that moment would free them once more.
inline bool can_throw() noexcept {
  if (!memory_is_limited()) return true;
  std::array<void* volatile, 8> held{};  // volatile, or a compiler would leave it out
  bool found = true;
  for (std::size_t i = 0; i < held.size(); ++i) {
    held[i] = std::malloc((i + 1) * 32);
    found = found && held[i] != nullptr;
  }
  for (void* volatile& bytes : held) std::free(bytes);
  // Whatever asks how many are in flight makes room for them.
  [[maybe_unused]] volatile int in_flight = found ? std::uncaught_exceptions() : 0;
  return found;
}

}  // namespace gainful
