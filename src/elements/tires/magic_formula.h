#pragma once
// Magic Formula of MF 5.2, 6.1 and 6.2, with the coefficients of a tyre property file (io/tire/tir.h).
// Pure and combined slip, aligning moment from pneumatic trail and residual torque, overturning moment,
// rolling resistance, camber, load, pressure, turn slip, scaling factors.
//
// Source: Pacejka, Tire and Vehicle Dynamics (3rd ed. 2012), eq. 4.E1-4.E78, and Besselink, Schmeitz,
// Pacejka, An improved Magic Formula/Swift tyre model that can handle inflation pressure changes (VSD 48,
// 2010), called "paper" in the code. Where the sources differ, and for the differences between 5.2 and 6.1,
// the choice is that of the MFeval solver, with whose tables this law agrees (docs/tires.md has the list).
//
// Sign of kappa: here -Vsx / |Vx| in both directions of travel. MFeval's kappa is -Vsx / Vx; the two differ
// in sign when rolling backwards. Options:
//   slip_angle  tangent: alpha* = tan(alpha), gamma* = sin(gamma) (MFeval's modes x2x); angle: alpha and
//   gamma (x1x) limits      inputs are held within the ranges of the file, and curvatures E at 1 (modes 1xx);
//   flags say so low_speed   off; shifts: below VXLOW shifts, trail and residual torque fade out; slips:
//   kappa, alpha and turn
//               slip fade too (as MFeval does in steady state; not for transients, where slip is a state)
//   turn_slip   influence of the turn slip (modes xx2)

#include <memory>

#include "elements/tires/tire_law.h"
#include "io/tire/tir.h"

namespace monocoque {

struct MagicFormulaOptions {
  enum class SlipAngle { tangent, angle };
  enum class LowSpeed { off, shifts, slips };
  SlipAngle slip_angle = SlipAngle::tangent;
  bool limits = true;
  LowSpeed low_speed = LowSpeed::shifts;
  bool turn_slip = false;
  double radius_offset = 0;  ///< m, added to the file's radius: wear, or a nominal problem's unknown
};

/// Quantities on the way, as MFeval puts them out.
struct MagicFormulaDetails {
  double mux = 0, muy = 0, Kxk = 0, Kya = 0;
  double trail = 0, Mzr = 0;
  double Re = 0, omega = 0, Rl = 0, rho = 0, Cz = 0;
  double contact_length = 0, contact_width = 0;
  double Cx = 0, Cy = 0, sigma_x = 0, sigma_y = 0;
};

class MagicFormula final : public TireLawOf<MagicFormula> {
 public:
  MagicFormula(const io::TirFile& file, const MagicFormulaOptions& options);
  ~MagicFormula() override;

  /// Forces and what led to them; steady rolling at the speed and slip of `in`. Not for the hot path.
  MagicFormulaDetails details(const TireInput& in, TireForces& out) const;

  const io::TirValues& values() const { return v_; }

  template <class T>
  void forces_of(const TireInputOf<T>& in, TireForcesOf<T>& out) const;
  template <class T>
  T vertical_of(const TireVerticalOf<T>& in) const;
  template <class T>
  T effective_radius_of(const TireRollingOf<T>& in) const;
  template <class T>
  std::array<T, 2> relaxation_of(const T& Fz, const T& gamma, double pressure) const;

 private:
  template <class T>
  struct State;  // inputs within their limits and what all formulas share
  template <class T>
  struct Lateral;  // pure side force and its factors
  template <class T>
  struct Aligning;

  bool five() const { return version_ == io::TirVersion::mf52; }

  template <class T>
  State<T> prepare(const TireInputOf<T>& in, unsigned& flags) const;
  template <class T>
  void prepare_turn_slip(State<T>& s) const;
  template <class T>
  void evaluate_all(const TireInputOf<T>& in, TireForcesOf<T>& out, MagicFormulaDetails* details) const;
  template <class T>
  T longitudinal(const State<T>& s, T& Kxk, T& mux) const;
  template <class T>
  Lateral<T> lateral(const State<T>& s, const T& gamma) const;
  template <class T>
  T reduction_x(const State<T>& s) const;
  template <class T>
  T reduction_y(const State<T>& s) const;
  template <class T>
  T kappa_side_force(const State<T>& s, const Lateral<T>& y) const;
  template <class T>
  Aligning<T> aligning(const State<T>& s, const Lateral<T>& y, const T& Kxk, const T& Gyk) const;
  template <class T>
  T residual_spin(const State<T>& s, const Lateral<T>& y, const T& Gyk, T& zeta7) const;
  template <class T>
  T overturning(const State<T>& s, const T& Fy) const;
  template <class T>
  T rolling_resistance(const State<T>& s, const T& Fx) const;

  // Slip stiffnesses and overall stiffnesses, for the relaxation lengths.
  template <class T>
  T slip_stiffness(const T& Fz, const T& dfz, const T& dpi) const;
  template <class T>
  T cornering_stiffness(const T& Fz, const T& dpi, const T& gamma) const;
  template <class T>
  std::array<T, 2> carcass_stiffness(const T& dfz, const T& dpi) const;

  template <class T>
  T pressure_change(const T& pressure, unsigned* flags) const;
  template <class T>
  T free_radius(const T& spin) const;
  template <class T>
  T rolling_radius(const T& Fz, const T& dpi, const T& spin) const;
  template <class T>
  T rolling_spin(const T& Fz, const T& dpi, const T& speed) const;
  template <class T>
  T spring_load(const T& Rl, const T& spin, const T& Fx, const T& Fy, const T& gamma, const T& dpi,
                T& deflection) const;
  void contact_and_radii(const State<double>& s, const TireForces& f, MagicFormulaDetails& out) const;

  io::TirValues v_;
  io::TirVersion version_;
  MagicFormulaOptions options_;
  double Fz0_;      // nominal load scaled by LFZO
  double Q_FZ1_;    // linear term of the load, which files seldom have
  bool bottoming_;  // the file gives the rim
  bool relaxation_given_;
  std::array<std::vector<double>, 2> curve_;
};

extern template class TireLawOf<MagicFormula>;

}  // namespace monocoque
