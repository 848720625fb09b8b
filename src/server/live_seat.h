#pragma once
// Who drives: the first who comes; others watch. A watcher gets the wheel when the driver has left, has not
// moved a control for `idle_s`, or agrees. Pure logic; times in s from any origin.

#include <cstdint>
#include <vector>

namespace monocoque::server {

class LiveSeat {
 public:
  using Id = std::uint64_t;
  static constexpr Id nobody = 0;
  static constexpr double idle_s = 10;

  enum class Answer { granted, driver_asked };

  void join(Id id, double now_s) {
    present_.push_back(id);
    if (driver_ == nobody) seat(id, now_s);
  }
  /// True when the driver has left: nobody drives then, until somebody asks.
  bool leave(Id id) {
    std::erase(present_, id);
    if (asking_ == id) asking_ = nobody;
    if (driver_ != id) return false;
    driver_ = nobody;
    return true;
  }
  /// The driver has moved a control.
  void moved(double now_s) { moved_s_ = now_s; }
  Answer request(Id id, double now_s) {
    if (driver_ == nobody || driver_ == id || now_s - moved_s_ > idle_s) {
      seat(id, now_s);
      return Answer::granted;
    }
    asking_ = id;
    return Answer::driver_asked;
  }
  /// The driver agrees; false when nobody has asked.
  bool give(Id id, double now_s) {
    if (id != driver_ || asking_ == nobody) return false;
    seat(asking_, now_s);
    return true;
  }
  Id driver() const { return driver_; }
  const std::vector<Id>& present() const { return present_; }

 private:
  void seat(Id id, double now_s) {
    driver_ = id;
    moved_s_ = now_s;
    asking_ = nobody;
  }

  std::vector<Id> present_;
  Id driver_ = nobody, asking_ = nobody;
  double moved_s_ = 0;
};

}  // namespace monocoque::server
