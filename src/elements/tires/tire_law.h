#pragma once
// Tire laws: force and moment of the road on the wheel at the contact point, as functions of load, slip and
// speed. A law knows no marker and no road; the tire element brings the contact kinematics.
//
// Axes ISO-W (TYDEX W) at the contact point: x forward along the wheel plane on the road, y to the left on
// the road, z up along the road's normal. Angles and moments are positive right-handed about these axes.
//   Fz         load, N, >= 0 where the tire presses on the road
//   kappa      longitudinal slip -Vsx / |Vx|, with Vsx = Vx - Re omega; > 0: the tire pushes forward (Fx > 0)
//   tan_alpha  side slip Vsy / |Vx|; > 0: the contact point moves to the left (Fy < 0)
//   gamma      camber, rad, rotation of the wheel about x; > 0: the top leans to the right
//   turn_slip  -psi_dot / V, 1/m, of the path; zero on a straight road
//   Vx         forward speed of the contact point, m/s, < 0 when rolling backwards
//   pressure   inflation, Pa; zero or less: the law's own value
//   mu         friction of the road relative to the road the tire was measured on
// Near standstill |Vx| in both slips is bounded below by low_speed(); slip() does so.
//
// All functions are pure, allocate nothing, do not throw, and give finite values and derivatives for any
// finite input. Without load (Fz <= 0) forces and moments are zero.
//
// Mirroring: a tire measured on the left and mounted on the right is the mirror image of itself in the x-z
// plane: tan_alpha, gamma, turn_slip change sign going in, Fy, Mx, Mz coming out.

#include <array>

#include <Eigen/Core>

#include "core/dual.h"

namespace monocoque {

template <class T>
struct TireInputOf {
  T Fz{0}, kappa{0}, tan_alpha{0}, gamma{0}, turn_slip{0}, Vx{0}, pressure{0}, mu{1};
};
constexpr int kTireInputs = 8;
constexpr int kTireOutputs = 5;
using TireInput = TireInputOf<double>;

/// What a law noticed on the way; bits of TireForcesOf::flags.
enum TireFlag : unsigned {
  kTireKappaLimited = 1,      ///< slip outside the range of the file
  kTireAlphaLimited = 2,      ///< slip angle outside
  kTireCamberLimited = 4,     ///< camber outside
  kTireLoadLimited = 8,       ///< load outside
  kTirePressureLimited = 16,  ///< pressure outside
  kTireLowSpeed = 32,         ///< below the speed where slip is well defined
  kTireNotFinite = 64         ///< coefficients that overflow; zero is returned
};

template <class T>
struct TireForcesOf {
  T Fx{0}, Fy{0}, Mx{0}, My{0}, Mz{0};
  unsigned flags = 0;
};
using TireForces = TireForcesOf<double>;
/// Rows Fx, Fy, Mx, My, Mz; columns in the order of TireInputOf.
using TireJacobian = Eigen::Matrix<double, kTireOutputs, kTireInputs, Eigen::RowMajor>;

/// For the load: deflection = unloaded radius - distance of the wheel centre from the road, m, > 0 in
/// contact; rate its time derivative; spin the angular speed of the wheel, rad/s; Fx, Fy the forces at the
/// contact.
template <class T>
struct TireVerticalOf {
  T deflection{0}, rate{0}, spin{0}, Fx{0}, Fy{0}, gamma{0}, pressure{0};
};
constexpr int kTireVerticalInputs = 7;
using TireVertical = TireVerticalOf<double>;
using TireVerticalDerivatives = std::array<double, kTireVerticalInputs>;

template <class T>
struct TireRollingOf {
  T Fz{0}, loaded_radius{0}, spin{0}, pressure{0};
};
constexpr int kTireRollingInputs = 4;
using TireRolling = TireRollingOf<double>;
using TireRollingDerivatives = std::array<double, kTireRollingInputs>;

/// Relaxation lengths, m, >= 0, and their derivatives by (Fz, gamma).
struct TireRelaxation {
  double longitudinal = 0, lateral = 0;
  std::array<double, 2> longitudinal_by{}, lateral_by{};
};

struct TireSlip {
  double kappa = 0, tan_alpha = 0;
  std::array<double, 3> kappa_by{}, tan_alpha_by{};  ///< by Vx, Vsx, Vsy
};

/// Where the tire element takes contact point and velocities from.
enum class ContactKind {
  below_center,  ///< the road point straight below the wheel centre; velocities of the wheel centre
  wheel_plane  ///< the lowest point of the wheel plane over the road; velocities of that point, not spinning
};

class TireLaw {
 public:
  virtual ~TireLaw() = default;
  virtual ContactKind contact() const { return ContactKind::wheel_plane; }

  void forces(const TireInput& in, TireForces& out) const;
  void forces(const TireInput& in, TireForces& out, TireJacobian& by) const;

  /// Load, N, >= 0: spring and damper, zero without contact, never pulling.
  double vertical(const TireVertical& in) const;
  double vertical(const TireVertical& in, TireVerticalDerivatives& by) const;

  /// Radius Re with Vx = Re omega in free rolling, m.
  double effective_radius(const TireRolling& in) const;
  double effective_radius(const TireRolling& in, TireRollingDerivatives& by) const;

  TireRelaxation relaxation(double Fz, double gamma, double pressure = 0) const;

  /// Slips from velocities: kappa = -Vsx / max(|Vx|, low), tan_alpha = Vsy / max(|Vx|, low).
  TireSlip slip(double Vx, double Vsx, double Vsy) const;

  double unloaded_radius() const { return unloaded_radius_; }
  double low_speed() const { return low_speed_; }
  bool mirrored() const { return mirrored_; }
  void set_mirrored(bool mirrored) { mirrored_ = mirrored; }

 protected:
  using ForceDual = Dual<kTireInputs>;
  using VerticalDual = Dual<kTireVerticalInputs>;
  using RollingDual = Dual<kTireRollingInputs>;
  using RelaxationDual = Dual<2>;

  TireLaw(double unloaded_radius, double low_speed)
      : unloaded_radius_(unloaded_radius), low_speed_(low_speed) {}

  // Written once as templates by each law (TireLawOf). Inputs are bounded and Fz > 0.
  virtual void evaluate(const TireInputOf<double>& in, TireForcesOf<double>& out) const = 0;
  virtual void evaluate(const TireInputOf<ForceDual>& in, TireForcesOf<ForceDual>& out) const = 0;
  virtual double evaluate(const TireVerticalOf<double>& in) const = 0;
  virtual VerticalDual evaluate(const TireVerticalOf<VerticalDual>& in) const = 0;
  virtual double evaluate(const TireRollingOf<double>& in) const = 0;
  virtual RollingDual evaluate(const TireRollingOf<RollingDual>& in) const = 0;
  virtual std::array<RelaxationDual, 2> evaluate(const RelaxationDual& Fz, const RelaxationDual& gamma,
                                                 double pressure) const = 0;

 private:
  double unloaded_radius_, low_speed_;
  bool mirrored_ = false;
};

/// Turns the templates of a law into the virtual functions. Law has:
///   template <class T> void forces_of(const TireInputOf<T>&, TireForcesOf<T>&) const;
///   template <class T> T vertical_of(const TireVerticalOf<T>&) const;
///   template <class T> T effective_radius_of(const TireRollingOf<T>&) const;
///   template <class T> std::array<T, 2> relaxation_of(const T& Fz, const T& gamma, double pressure) const;
template <class Law>
class TireLawOf : public TireLaw {
 protected:
  using TireLaw::TireLaw;

 private:
  const Law& law() const { return static_cast<const Law&>(*this); }
  void evaluate(const TireInputOf<double>& in, TireForcesOf<double>& out) const final {
    law().forces_of(in, out);
  }
  void evaluate(const TireInputOf<ForceDual>& in, TireForcesOf<ForceDual>& out) const final {
    law().forces_of(in, out);
  }
  double evaluate(const TireVerticalOf<double>& in) const final { return law().vertical_of(in); }
  VerticalDual evaluate(const TireVerticalOf<VerticalDual>& in) const final { return law().vertical_of(in); }
  double evaluate(const TireRollingOf<double>& in) const final { return law().effective_radius_of(in); }
  RollingDual evaluate(const TireRollingOf<RollingDual>& in) const final {
    return law().effective_radius_of(in);
  }
  std::array<RelaxationDual, 2> evaluate(const RelaxationDual& Fz, const RelaxationDual& gamma,
                                         double pressure) const final {
    return law().relaxation_of(Fz, gamma, pressure);
  }
};

}  // namespace monocoque
