#pragma once
// A model at the pace of the clock, with its links to the outside. A step of the schedule is: inputs, the
// timed step of the model, outputs. The timed step allocates nothing, locks nothing and calls no system.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "integrate/simulation.h"
#include "realtime/exchange.h"
#include "realtime/paced_loop.h"
#include "realtime/ring_recorder.h"

namespace monocoque::realtime {

enum class OnTimeout { hold, initial, stop };

struct RealtimeOptions {
  LoopOptions loop;  ///< period and steps follow from the settings of the simulation
  MachineRequest machine;
  bool endless = false;
  double input_timeout_s = 0;  ///< simulated time; 0: inputs never grow old
  OnTimeout on_timeout = OnTimeout::hold;
  double wait_input_s = 0;  ///< before the first step, at most so long for the first inputs
  int send_every = 1;       ///< steps between two outputs on the links
};

struct RealtimeReport {
  LoopResult loop;
  std::vector<MachineAnswer> machine;
  std::int64_t unix_start_ns = 0;  ///< of the first release
  long resident_start_kB = 0, resident_end_kB = 0;
  double stolen_s = 0;  ///< by the host of a virtual machine, during the run
  std::int64_t input_timeouts = 0, steps_without_input = 0, inputs_limited = 0;
  bool input_came = true;  ///< within wait_input_s
  bool stopped_by_timeout = false;
  std::uint32_t state_crc32 = 0;  ///< of the last state: the same for the same computation
  double simulated_s = 0;
};

/// Only methods of fixed step; throws Error that lists them otherwise.
void require_fixed_step(const std::string& solver, const Place& place = {});
/// Patterns of the channels to give out where nobody chose any: all sensors, or all channels without sensors.
std::vector<std::string> usual_outputs(const Model& model);

class RealtimeRun final : private PacedTask {
 public:
  RealtimeRun(const Model& model, const io::SimulationSpec& settings, const RealtimeOptions& options);

  const ExchangeLayout& layout() const { return layout_; }
  /// Whatever makes single steps cost more than others: controllers sampled between two steps.
  std::vector<std::string> notes() const;
  void add_link(std::unique_ptr<ExchangeLink> link) { links_.push_back(std::move(link)); }
  const std::vector<std::unique_ptr<ExchangeLink>>& links() const { return links_; }
  /// Rows every output_step_s; the recorder must outlive the run.
  void record_to(RingRecorder& recorder) { recorder_ = &recorder; }

  /// The calling thread becomes the paced one. Throws Error where a step fails, after everything else is
  /// done; report() and statistics() tell of the steps before.
  void run(Platform& platform, const std::function<bool()>& interrupted);

  const RealtimeReport& report() const { return report_; }
  const LoopStatistics& statistics() const { return *statistics_; }
  Simulation& simulation() { return simulation_; }
  const VecX& last_outputs() const { return row_; }

 private:
  double time_s(std::int64_t step) const override;
  bool read_inputs(std::int64_t step) override;
  bool step(std::int64_t step) override;
  void write_outputs(std::int64_t step) override;
  bool receive();
  void send(std::uint32_t flags);
  void warm_up();
  void wait_for_input(Platform& platform, const std::function<bool()>& interrupted);

  const Model& model_;
  RealtimeOptions options_;
  io::SimulationSpec settings_;
  Simulation simulation_;
  ExternalInputs inputs_;
  ExchangeLayout layout_;
  std::vector<std::unique_ptr<ExchangeLink>> links_;
  RingRecorder* recorder_ = nullptr;
  std::unique_ptr<LoopStatistics> statistics_;
  RealtimeReport report_;
  VecX row_, values_;
  std::int64_t last_input_ = 0, record_every_ = 1;
  std::int64_t timeout_steps_ = 0;  ///< 0: none
  bool timed_out_ = false;
  std::optional<Error> failure_;
};

}  // namespace monocoque::realtime
