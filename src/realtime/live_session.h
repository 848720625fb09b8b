#pragma once
// A car driven live: a scenario at the pace of the clock without end, with the pedals of a driver, a pause, a
// way back to the start and a switch between flexible and rigid parts; frames, statistics and events for
// whoever watches. The loop has its own thread; everything it shares with others is in live_exchange.h.
//
// What a period does: read wanted inputs and commands; step the model (nothing else, unless it is paused);
// look at cones; every `frame_every` steps measure channels, which costs a solve, and publish a frame. A
// switch or a reset takes a few milliseconds once. A step that fails, or a car that has rolled over, stops
// the motion with an event; a reset goes on.
//
// Simulated time only grows: a reset puts the car back, not the clock.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "integrate/simulation.h"
#include "realtime/exchange.h"
#include "realtime/live_bodies.h"
#include "realtime/live_driver.h"
#include "realtime/live_exchange.h"
#include "realtime/paced_loop.h"

namespace monocoque::realtime {

struct LiveOptions {
  LoopOptions loop;  ///< period and steps follow from the settings and `seconds`
  MachineRequest machine;
  double most_frames_Hz = 60;
  double seconds = 0;  ///< of the loop; 0: until told to end
  bool start_rigid = false;
  DriveStyle style;
};

enum LiveFlag : std::uint32_t { kPaused = 1, kStopped = 2, kRigidBody = 4, kReverse = 8 };

struct LiveFrame {
  double t_s = 0;
  std::uint64_t sequence = 0;
  double speed_m_per_s = 0;  ///< forward
  std::uint32_t flags = 0;
  DriveCommand command;
  VecX row;                   ///< x in the layout of the flexible model
  VecX channels;              ///< values of LiveSession::channels()
  std::vector<float> arrows;  ///< forces of all force elements and joints, as of Scene
};

/// Of the last second.
struct LiveStats {
  double t_s = 0, rt_factor = 0;
  double median_us = 0, p99_us = 0, worst_us = 0;  ///< wall time of the model's step
  double period_us = 0, frame_us = 0;              ///< frame_us: worst time of measuring a frame
  std::int64_t steps = 0, overruns = 0;            ///< overruns: in this second
  std::int64_t all_overruns = 0, skipped_periods = 0;
};

struct LiveReport {
  LoopResult loop;
  std::vector<MachineAnswer> machine;
  StepHistogram step, frame;  ///< wall times of steps that moved the model, of measured frames
  double simulated_s = 0;
  std::int64_t resets = 0, switches = 0, failures = 0;
  std::uint64_t frames = 0;
};

/// A scenario ready to run; both must outlive the session.
struct LiveModel {
  const Model& model;
  io::SimulationSpec settings;
};

class LiveSession final : private PacedTask {
 public:
  /// `rigid`: the same scenario with `elasticity: off`; none: the body cannot be switched. Throws Error with
  /// the reason where a model cannot be driven.
  LiveSession(const LiveModel& flexible, const std::optional<LiveModel>& rigid, const LiveOptions& options);

  LiveControls& controls() { return controls_; }
  NewestValue<LiveFrame>& frames() { return frames_; }
  NewestValue<LiveStats>& stats() { return stats_; }
  LiveEvents& events() { return events_; }

  const std::vector<Channel>& channels() const { return channels_; }
  double step_s() const { return step_s_; }
  double frame_s() const { return static_cast<double>(frame_every_) * step_s_; }
  bool can_switch() const { return bodies_.size() > 1; }
  /// Each published frame also goes here, on the loop's thread: it must neither wait nor allocate.
  std::function<void(const LiveFrame&)> on_frame;

  /// The calling thread becomes the paced one.
  void run(Platform& platform, const std::function<bool()>& interrupted);

  /// After run(), or before.
  const LiveReport& report() const { return report_; }
  const LoopStatistics& statistics() const { return *statistics_; }
  Simulation& simulation() { return *body().simulation; }
  bool rigid() const { return active_ == 1; }

 private:
  struct Body {
    const Model& model;
    std::unique_ptr<Simulation> simulation;
    ExternalInputs inputs;
    std::vector<InputInfo> infos;
    State start, scratch;
    RowInLayout to_row;
    std::vector<int> channel_of;  ///< of channels(): in this model, -1: it has none
    VecX measured, values;
    int steer, drive, front_brake, rear_brake;  ///< places among the inputs; -1: none
    Body(const LiveModel& m, const Model& layout);
  };
  enum class Motion { runs, failed, rolled_over };

  double time_s(std::int64_t) const override { return now_s(); }
  bool read_inputs(std::int64_t step) override;
  bool step(std::int64_t step) override;
  void write_outputs(std::int64_t step) override;

  Body& body() { return *bodies_[active_]; }
  const Body& body() const { return *bodies_[active_]; }
  double now_s() const { return start_s_ + static_cast<double>(moved_) * step_s_; }
  double forward_speed() const;
  bool upside_down() const;
  void give_inputs();
  void go_to_start();
  void switch_body(bool rigid);
  void warm_up();
  void stop_motion(Motion why, const std::string& text);
  void watch_cones();
  void publish_frame();
  void publish_stats();
  void tell(LiveEventKind kind, int cone = -1, const std::string& text = {});

  LiveOptions options_;
  std::vector<std::unique_ptr<Body>> bodies_;     ///< flexible, rigid
  std::vector<std::unique_ptr<BodySwap>> swaps_;  ///< from the index
  std::size_t active_ = 0;
  std::vector<Channel> channels_;
  int vehicle_ = 0;  ///< part
  double step_s_, start_s_;
  std::int64_t moved_ = 0;  ///< steps of the model
  std::int64_t frame_every_ = 1, stats_every_ = 1000;
  Motion motion_ = Motion::runs;
  std::uint32_t resets_seen_ = 0;
  bool refused_ = false;  ///< a switch that failed; not tried again until asked otherwise
  LiveDriver driver_;
  std::optional<ConeWatch> cones_;
  std::size_t cones_told_ = 0;
  std::uint64_t sequence_ = 0;
  bool measured_valid_ = false;
  std::vector<float> arrows_;

  LiveControls controls_;
  NewestValue<LiveFrame> frames_;
  NewestValue<LiveStats> stats_;
  LiveEvents events_;
  LiveReport report_;
  Platform* platform_ = nullptr;
  std::unique_ptr<LoopStatistics> statistics_;
  StepHistogram window_;
  std::int64_t window_frame_ns_ = 0, window_begin_ns_ = 0, window_moved_ = 0, window_overruns_ = 0;
};

}  // namespace monocoque::realtime
