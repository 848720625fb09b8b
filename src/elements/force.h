#pragma once
// Applied forces between two markers. A force element writes the wrench on each marker in world axes:
// (force on A, moment on A about A's origin, force on B, moment on B about B's origin).
// It may own inner states c with c_dot = state_rate (Arnold eq. 16), algebraic variables w defined by
// algebraic(...) = 0 with nonsingular d/dw (eq. 29), and may depend on the reaction of a joint (eq. 23).
//
// Power balance, tested for every element: wrench . twists = - d(energy)/dt - dissipation + supply,
// where energy depends on pose and c, dissipation >= 0, and supply is the power brought in by signals.

#include <memory>
#include <span>

#include "elements/marker.h"

namespace monocoque {

struct ForceInput {
  double t = 0;
  const MarkerKinematics* m[2] = {};
  const double* c = nullptr;       ///< inner states
  const double* w = nullptr;       ///< algebraic variables
  const Vec6* reaction = nullptr;  ///< wrench of the watched joint on its second marker, world axes
  const Taylor2* u = nullptr;      ///< values of the element's signals
};

/// Derivatives with respect to (pose, twist, c, w, reaction); sizes 12, 12, nc, nw, 6.
template <int Rows, int MaxRows>
struct DerivativeRows {
  Eigen::Matrix<double, Rows, 12, Eigen::RowMajor, MaxRows, 12> pose, twist;
  Eigen::Matrix<double, Rows, Eigen::Dynamic, Eigen::RowMajor, MaxRows, kMaxInner> c, w;
  Eigen::Matrix<double, Rows, 6, Eigen::RowMajor, MaxRows, 6> reaction;
};

struct ForceTangent {
  DerivativeRows<12, 12> wrench;
  DerivativeRows<Eigen::Dynamic, kMaxInner> rate;       ///< of c_dot
  DerivativeRows<Eigen::Dynamic, kMaxInner> algebraic;  ///< of the algebraic equations
};

/// A quantity of its own that an element shows in the results, e.g. a tire's slip.
struct ForceChannel {
  const char *name, *unit;
};

class Road;

class Force {
 public:
  virtual ~Force() = default;

  int state_count() const { return states_; }
  int algebraic_count() const { return algebraic_; }
  int signal_count() const { return signals_; }
  bool needs_reaction() const { return needs_reaction_; }
  unsigned uses() const { return uses_; }  ///< kPlaceA ...

  virtual void wrench(const ForceInput& in, Vec12& out) const = 0;
  /// Every member is set, also where it is zero (sized by resize_tangent before the call).
  virtual void tangent(const ForceInput& in, ForceTangent& out) const = 0;
  virtual void state_rate(const ForceInput& in, InnerVector& rate) const;
  virtual void algebraic(const ForceInput& in, InnerVector& residual) const;
  virtual void initial_state(const ForceInput& in, double* c) const;      ///< default zero
  virtual void initial_algebraic(const ForceInput& in, double* w) const;  ///< guess; default zero

  virtual double energy(const ForceInput& in) const = 0;       ///< stored, J
  virtual double dissipation(const ForceInput& in) const = 0;  ///< W, >= 0
  virtual double supply(const ForceInput& in) const;           ///< W; default zero

  virtual std::span<const ForceChannel> channels() const { return {}; }
  virtual void channel_values(const ForceInput&, double*) const {}  ///< one per channel

  /// The road of the model, which outlives the element; called once, before anything else.
  virtual void use_road(const Road*) {}

  /// Sizes all members of `out` for this element; their values are anything.
  void resize_tangent(ForceTangent& out) const;

 protected:
  explicit Force(int states = 0, int algebraic = 0, int signals = 0, bool needs_reaction = false)
      : states_(states), algebraic_(algebraic), signals_(signals), needs_reaction_(needs_reaction) {}
  void restrict_to(unsigned uses) { uses_ = uses; }

 private:
  int states_, algebraic_, signals_;
  bool needs_reaction_;
  unsigned uses_ = kUsesAll;
};

}  // namespace monocoque
