#pragma once
// What a live loop shares with the threads that serve it: wanted inputs and commands on the way in, frames,
// statistics and events on the way out. Nothing here waits, locks or allocates; whatever the other side does,
// or fails to do, the loop goes on.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace monocoque::realtime {

/// What a driver wants.
struct Pedals {
  double steer = 0;                ///< -1 left to 1 right
  double throttle = 0, brake = 0;  ///< 0 to 1
  bool hold = false;               ///< a brake that never becomes reverse
};

/// Wanted inputs and commands. All are levels, not messages: the newest counts, and nothing can overflow.
class LiveControls {
 public:
  /// Values beyond their limits are brought within, NaN counts as 0.
  void drive(const Pedals& p) {
    pedals_.store(packed(p.steer, -1) | packed(p.throttle, 0) << 16 | packed(p.brake, 0) << 32 |
                      (p.hold ? std::uint64_t{1} << 48 : 0),
                  std::memory_order_relaxed);
  }
  Pedals pedals() const {
    const std::uint64_t bits = pedals_.load(std::memory_order_relaxed);
    return {unpacked(bits), unpacked(bits >> 16), unpacked(bits >> 32), (bits >> 48 & 1) != 0};
  }
  void pause(bool on) { paused_.store(on, std::memory_order_relaxed); }
  bool paused() const { return paused_.load(std::memory_order_relaxed); }
  void reset() { resets_.fetch_add(1, std::memory_order_relaxed); }
  std::uint32_t resets() const { return resets_.load(std::memory_order_relaxed); }
  void rigid(bool on) { rigid_.store(on, std::memory_order_relaxed); }
  bool rigid() const { return rigid_.load(std::memory_order_relaxed); }
  void end() { ended_.store(true, std::memory_order_relaxed); }
  bool ended() const { return ended_.load(std::memory_order_relaxed); }

 private:
  static constexpr double kScale = 32767;
  static std::uint64_t packed(double value, double least) {
    const double v = std::isnan(value) ? 0 : std::clamp(value, least, 1.0);
    return static_cast<std::uint16_t>(static_cast<std::int16_t>(std::lround(kScale * v)));
  }
  static double unpacked(std::uint64_t bits) {
    return static_cast<std::int16_t>(static_cast<std::uint16_t>(bits & 0xffff)) / kScale;
  }

  std::atomic<std::uint64_t> pedals_{0};  ///< one word: never torn
  std::atomic<std::uint32_t> resets_{0};
  std::atomic<bool> paused_{false}, rigid_{false}, ended_{false};
};

/// The newest value from one writer to one reader; older ones are forgotten. Three places: one being written,
/// one being read, one between them.
template <class T>
class NewestValue {
 public:
  /// All three places as `like`, before anybody writes: sizes are made once.
  void prepare(const T& like) { places_.fill(like); }

  /// The writer fills this and calls publish().
  T& next() { return places_[writing_]; }
  void publish() { writing_ = between_.exchange(writing_ | kFresh, std::memory_order_acq_rel) & kIndex; }
  /// Whether there was a newer value than the last one read; the reader then finds it in last().
  bool take() {
    if ((between_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    reading_ = between_.exchange(reading_, std::memory_order_acq_rel) & kIndex;
    return true;
  }
  const T& last() const { return places_[reading_]; }

 private:
  static constexpr unsigned kFresh = 4, kIndex = 3;
  std::array<T, 3> places_;
  unsigned writing_ = 0, reading_ = 1;
  alignas(64) std::atomic<unsigned> between_{2};
};

enum class LiveEventKind { cone_touched, cone_wrong_side, failed, rolled_over, reset, body, body_refused };

struct LiveEvent {
  LiveEventKind kind = LiveEventKind::reset;
  double t_s = 0;
  int cone = -1;       ///< from 0
  bool rigid = false;  ///< of body
  std::array<char, 512> text{};

  void set_text(std::string_view s) {
    const std::size_t n = std::min(s.size(), text.size() - 1);
    std::memcpy(text.data(), s.data(), n);
    text[n] = '\0';
  }
};

/// Events from one writer to one reader; when full they are dropped and counted.
class LiveEvents {
 public:
  bool push(const LiveEvent& event) {
    const std::uint64_t filled = filled_.load(std::memory_order_relaxed);
    if (filled - taken_.load(std::memory_order_acquire) >= kPlaces) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    ring_[filled % kPlaces] = event;
    filled_.store(filled + 1, std::memory_order_release);
    return true;
  }
  bool pop(LiveEvent& event) {
    const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    if (taken == filled_.load(std::memory_order_acquire)) return false;
    event = ring_[taken % kPlaces];
    taken_.store(taken + 1, std::memory_order_release);
    return true;
  }
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kPlaces = 64;
  std::array<LiveEvent, kPlaces> ring_{};
  alignas(64) std::atomic<std::uint64_t> filled_{0};
  alignas(64) std::atomic<std::uint64_t> taken_{0};
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace monocoque::realtime
