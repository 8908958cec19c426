// The Arrow C data interface: tables in memory that another library keeps.
#pragma once

#include <cstdint>
#include <utility>

// As the Arrow project specifies them; every library that exchanges tables has the same.
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace gainful {

// One of them, released at the end.
template <class T>
class Released : public T {
 public:
  Released() : T{} {}
  // Takes it over from where it is; nothing is left there.
  explicit Released(T& other) noexcept : T(std::exchange(other, T{})) {}
  Released(Released&& other) noexcept : T(std::exchange(static_cast<T&>(other), T{})) {}
  Released& operator=(Released&&) = delete;
  ~Released() {
    if (this->release != nullptr) this->release(this);
  }
};

}  // namespace gainful
