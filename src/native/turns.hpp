// Who may use what is being filled: one thread at a time. What is finished never changes again, and
// any number of threads read it.
#pragma once

#include <atomic>
#include <stdexcept>

#include "throwing.hpp"

namespace gainful {

class Turns {
 public:
  bool finished() const { return finished_.load(std::memory_order_acquire); }

 private:
  friend class Turn;
  std::atomic<bool> taken_ = false;
  std::atomic<bool> finished_ = false;
};

// A thread's turn; nobody waits for one, for code that it calls may ask for another.
class Turn {
 public:
  explicit Turn(Turns& turns) {
    can_throw();
    if (turns.finished()) return;
    if (turns.taken_.exchange(true, std::memory_order_acquire))
      throw std::logic_error("another thread is using it, or code that it calls");
    turns_ = &turns;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (turns_ == nullptr) return;
    if (last_) turns_->finished_.store(true, std::memory_order_release);
    turns_->taken_.store(false, std::memory_order_release);
  }
  // No other comes after this one: then it is finished, be it by an error.
  void finish() { last_ = true; }

 private:
  Turns* turns_ = nullptr;  // null where it was finished before
  bool last_ = false;
};

}  // namespace gainful
