#pragma once
// What can move a model from outside: signals and outputs of controllers, the height of the road below a
// tire, forces and torques on frames. Each has a name, and can be added to the model without building it
// anew.
//   signal or controller   its name; a signal that only one element has: ELEMENT/field
//   road/TIRE              height of the road below this tire, m (tires on the ground)
//   PART.frame/force/x     in world axes, N; /torque/x Nm; PART alone is the origin of the part

#include <string>
#include <vector>

#include "dynamics/workspace.h"
#include "io/model/specification.h"

namespace monocoque::analysis {

struct LinearInput {
  enum class Kind { signal, road, load };
  Kind kind = Kind::signal;
  std::string name, unit;
  bool usual = false;      ///< taken where nothing is asked for: named signals, controllers, roads
  std::vector<int> slots;  ///< signal: all places where it goes
  int tire = -1;           ///< road: index of the force
  MarkerIndex marker{};    ///< load
  int axis = 0;            ///< load: x, y, z of the force, then of the torque
  double step = 1e-5;      ///< for differences
  bool has_rate() const { return kind != Kind::load; }
  bool has_acceleration() const { return kind == Kind::signal; }
};

/// All of a model; `spec` is what it was built from.
std::vector<LinearInput> linear_inputs(const io::ModelSpec& spec, const Model& model);
/// Those that match a pattern with *, in the order of the patterns; none: the usual ones. Throws Error with a
/// suggestion where a pattern matches nothing.
std::vector<LinearInput> choose_inputs(const io::ModelSpec& spec, const Model& model,
                                       const std::vector<std::string>& patterns);

/// Adds inputs to the elements of a workspace while it lives; time stays.
class InputPort {
 public:
  InputPort(Workspace& ws, const State& s);
  ~InputPort();
  InputPort(const InputPort&) = delete;
  InputPort& operator=(const InputPort&) = delete;

  void move(const LinearInput& input, const Taylor2& by);
  void rest();

 private:
  VecX load(const LinearInput& input) const;

  Workspace& ws_;
  const State& s_;
  std::vector<Taylor2> base_, signals_;
  std::vector<MarkerKinematics> road_;  ///< per force: its first marker
};

}  // namespace monocoque::analysis
