#pragma once
// Time integration methods behind one interface. A method advances a consistent State; it never throws while
// stepping but returns a status, which step_failure() turns into names and a remedy.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/workspace.h"
#include "io/model/specification.h"
#include "solve/acceleration_system.h"

namespace monocoque {

enum class StepStatus { ok, singular, not_finite, not_converged, step_too_small, too_many_steps };

/// Counts of work done, for reports and for tests that gate on counts.
struct IntegratorCounts {
  long steps = 0, evaluations = 0, factorisations = 0, newton_iterations = 0, error_test_failures = 0;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// (Re)starts from a consistent state: at the beginning and after every discontinuity.
  virtual void start(const State& s) = 0;
  /// A controller has given new outputs: forces change, the state does not.
  virtual void new_forces(const State& s) { start(s); }
  /// Advances s to time t exactly. A fixed-step method makes one step; one with error control makes as many
  /// as it needs and does not look beyond `stop` (the next discontinuity).
  virtual StepStatus advance(State& s, double t, double stop) = 0;
  virtual const IntegratorCounts& counts() const { return counts_; }

 protected:
  IntegratorCounts counts_;
};

/// Names of the ways constraints can be treated.
inline constexpr const char* kIndex1 = "index-1";
/// Velocity constraints with multipliers that are time derivatives of unknowns Psi (Prescott).
inline constexpr const char* kIndex1Psi = "index-1-psi";
inline constexpr const char* kIndex2 = "index-2";
inline constexpr const char* kIndex3 = "index-3";
inline constexpr const char* kStabilised = "stabilised-index-2";
inline constexpr const char* kNone = "none";
inline constexpr const char* kBaumgarte = "baumgarte";
inline constexpr const char* kProjection = "projection";

struct IntegratorType {
  std::string name, doc;
  int order = 1;  ///< 0: variable
  bool fixed_step = true;
  bool explicit_method = false;
  /// Admissible (constraints, stabilisation); the first is the default.
  std::vector<std::pair<std::string, std::string>> levels;
  bool any_formulation = false;  ///< takes floating frame and quaternion derivatives beside the mixed frame
  /// The workspace's model and the redundant-row mask must be final, the settings completed.
  std::function<std::unique_ptr<Integrator>(Workspace&, const io::SimulationSpec&)> make;
};

/// The one list of all methods.
const std::vector<IntegratorType>& integrator_types();
/// By name, with a suggestion in the error.
const IntegratorType& find_integrator(const std::string& name, const Place& place = {});
/// Fills in the defaults for constraints and stabilisation, or throws Error naming the admissible pairs.
void complete_settings(const IntegratorType& type, io::SimulationSpec& settings);

}  // namespace monocoque
