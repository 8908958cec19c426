// What a target is given: bytes, taken from the front; and how it says that something is wrong.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace fuzz {

class Input {
 public:
  // Endless ones begin again at their end.
  Input(const std::uint8_t* data, std::size_t size, bool endless = false)
      : all_(reinterpret_cast<const char*>(data), size), rest_(all_), endless_(endless) {}

  std::size_t left() const { return rest_.size(); }
  // The next byte, or 0 at the end.
  std::uint8_t byte() {
    refill();
    if (rest_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return first;
  }
  // A number below another.
  std::size_t below(std::size_t n) { return byte() % n; }
  bool flag() { return (byte() & 1) != 0; }
  // Bytes as they are; zeros at the end.
  template <class T>
  T raw() {
    T value{};
    const std::string_view bytes = text(sizeof value);
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  std::string_view text(std::size_t size) {
    refill();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view all() { return text(rest_.size()); }
  // What stands before a separator, which is taken too; all where there is none.
  std::string_view until(std::string_view separator) {
    const auto end = rest_.find(separator);
    const std::string_view taken = text(end);
    text(separator.size());
    return taken;
  }

 private:
  void refill() {
    if (endless_ && rest_.empty()) rest_ = all_;
  }

  std::string_view all_;
  std::string_view rest_;
  bool endless_;
};

// Ends the target: two ways that must agree do not.
[[noreturn]] inline void fail(const char* what, std::string_view one, std::string_view other) {
  std::fprintf(stderr, "%s:\n%.*s\n-- is not --\n%.*s\n", what, static_cast<int>(one.size()),
               one.data(), static_cast<int>(other.size()), other.data());
  std::abort();
}

inline void require_same(const char* what, std::string_view one, std::string_view other) {
  if (one != other) fail(what, one, other);
}

}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
