// Exceptions in a thread that has no memory left.
#pragma once

#include <array>
#include <cstdlib>
#include <exception>

namespace gainful {

// Makes sure that this thread can throw; false where there is no memory for that.
//
// The first exception of a thread asks for some bytes of its own, and glibc ends the process where
// there are none: "cannot allocate memory for thread-local data: ABORT". Those bytes are asked for
// here, while a refusal can still be told. What was just freed is what a thread is given first.
inline bool can_throw() noexcept {
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
