#pragma once
// What goes in and out of a running model: external inputs by name, chosen channels, and the links that carry
// them. A link never blocks and never allocates once it is made; whatever it refuses it counts.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "elements/controllers/external.h"
#include "model/model.h"
#include "model/state.h"
#include "results/recorder.h"

namespace monocoque::realtime {

struct InputInfo {
  std::string name, unit;
  double initial = 0, minimum = 0, maximum = 0;
};

/// Names and order of the values on both ways; `id` tells one layout from another.
struct ExchangeLayout {
  std::string model;
  double step_s = 0;
  std::vector<InputInfo> inputs;
  std::vector<Channel> outputs;
  std::uint32_t id() const;  ///< of all names and units; never 0
  /// What the other side needs to know, as JSON text (docs/realtime.md).
  std::string json() const;
};

/// Flags that go with outputs.
constexpr std::uint32_t kInputsTimedOut = 1, kLastOutputs = 2;

class ExchangeLink {
 public:
  virtual ~ExchangeLink() = default;
  /// The newest valid inputs since the last call; false: there are none, `values` is as it was.
  virtual bool receive(double* values) = 0;
  virtual void send(double t_s, const double* values, std::uint32_t flags) = 0;
  /// Inputs have been missing for long: the other side may begin anew.
  virtual void expect_restart() {}
  /// Everything counted, by name.
  virtual std::vector<std::pair<std::string, std::int64_t>> counts() const = 0;
  virtual std::string description() const = 0;
};

/// The controllers of type `external` of a model, in the order of the file.
class ExternalInputs {
 public:
  /// Throws Error for one that jumps but drives a joint.
  explicit ExternalInputs(const Model& model);
  std::size_t size() const { return inputs_.size(); }
  std::vector<InputInfo> infos() const;
  /// New values from state.t on; values beyond their limits are brought within and counted.
  void apply(const double* values, State& state);
  void apply_initial(State& state) const;
  std::int64_t limited() const { return limited_; }

 private:
  struct Input {
    const ExternalInput* element;
    std::string name;
    int r_start;
  };
  std::vector<Input> inputs_;
  std::int64_t limited_ = 0;
};

}  // namespace monocoque::realtime
