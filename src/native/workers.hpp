// Threads that work on one thing, and the one that waits for them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "throwing.hpp"

namespace gainful {

// What the waiting thread does now and then; what it throws ends the work.
using Idle = std::function<void()>;

// Threads that each run work(number), once; the first exception that one throws is kept.
class Workers {
 public:
  // on_failure() is called where a worker throws, to stop the others.
  Workers(std::size_t count, std::function<void(std::size_t)> work,
          std::function<void()> on_failure)
      : work_(std::move(work)), on_failure_(std::move(on_failure)), running_(count) {
    threads_.reserve(count);  // once they run, nothing but the system may fail
    for (std::size_t i = 0; i < count; ++i) {
      try {
        threads_.emplace_back([this, i] { run(i); });
      } catch (const std::exception&) {
        // The system has no more threads, or no memory for one; those there are do all the work.
        const std::lock_guard guard(lock_);
        running_ -= count - i;
        break;
      }
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() { join(); }

  // Whether not one could be started; then wait() does all the work.
  bool none() const { return threads_.empty(); }

  // Waits until all are done, calling idle() now and then; throws what a worker threw.
  void wait(const Idle& idle) {
    if (none()) {
      running_ = 1;
      run(0);
    }
    try {
      std::unique_lock guard(lock_);
      while (!done_.wait_for(guard, kPatience, [&] { return running_ == 0; })) {
        guard.unlock();
        if (idle) idle();
        guard.lock();
      }
    } catch (...) {
      on_failure_();
      join();
      throw;
    }
    join();
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  static constexpr std::chrono::milliseconds kPatience{50};

  void run(std::size_t number) {
    std::exception_ptr thrown = no_memory_;
    if (can_throw()) thrown = thrown_by(number);
    if (thrown) on_failure_();
    const std::lock_guard guard(lock_);
    if (thrown && !thrown_) thrown_ = thrown;
    --running_;
    done_.notify_all();
  }

  std::exception_ptr thrown_by(std::size_t number) {
    try {
      work_(number);
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

  void join() {
    for (auto& thread : threads_)
      if (thread.joinable()) thread.join();
  }

  std::function<void(std::size_t)> work_;
  std::function<void()> on_failure_;
  std::mutex lock_;
  std::condition_variable done_;
  std::size_t running_;
  const std::exception_ptr no_memory_ = std::make_exception_ptr(std::bad_alloc());
  std::exception_ptr thrown_;
  std::vector<std::thread> threads_;
};

// Runs work(number, i) for every i below n, in any order, on so many threads; at once where there
// are few rows in all.
template <class Work>
void for_each_parallel(std::size_t n, std::uint64_t rows, std::size_t threads, const Idle& idle,
                       Work&& work) {
  constexpr std::uint64_t kFewRows = 1 << 15;
  const std::size_t batch = std::clamp<std::size_t>(n / (8 * threads), 1, 64);
  std::atomic<std::size_t> next = 0;
  const auto run = [&](std::size_t number) {
    for (std::size_t begin = 0; (begin = next.fetch_add(batch)) < n;)
      for (std::size_t i = begin; i < n && i < begin + batch; ++i) work(number, i);
  };
  if (rows < kFewRows) return run(0);
  Workers(threads, run, [&] { next = n; }).wait(idle);
}

}  // namespace gainful
