// An object that is being filled is used by one thread at a time. Once it is finished it never
// changes again, and any number of threads may read it.
#pragma once

#include <atomic>
#include <stdexcept>

#include "throwing.hpp"

namespace gainful {

class Exclusive {
 public:
  bool finished() const { return finished_.load(std::memory_order_acquire); }

 private:
  friend class ExclusiveUse;
  std::atomic<bool> in_use_ = false;
  std::atomic<bool> finished_ = false;
};

// One thread's use of it. A second thread is refused rather than made to wait, because code that
// the first one calls may ask for a use of its own.
class ExclusiveUse {
 public:
  explicit ExclusiveUse(Exclusive& exclusive) {
    can_throw();
    if (exclusive.finished()) return;
    if (exclusive.in_use_.exchange(true, std::memory_order_acquire))
      throw std::logic_error("another thread is using it, or code that it calls");
    exclusive_ = &exclusive;
  }
  ExclusiveUse(const ExclusiveUse&) = delete;
  ExclusiveUse& operator=(const ExclusiveUse&) = delete;
  ~ExclusiveUse() {
    if (exclusive_ == nullptr) return;
    if (last_) exclusive_->finished_.store(true, std::memory_order_release);
    exclusive_->in_use_.store(false, std::memory_order_release);
  }
  // This is the last use: the object is finished when it ends, even if by an error.
  void finish() { last_ = true; }

 private:
  Exclusive* exclusive_ = nullptr;  // null where it was finished before
  bool last_ = false;
};

}  // namespace gainful
