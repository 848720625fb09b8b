#pragma once
// Other coordinates for the same parts. The equations are evaluated in the mixed frame; a formulation is the
// map of its coordinates into those, with first and second derivatives:
//   mixed       x = (p world, quaternion, q)   z = (v world, w body, q_dot)               (2.146)
//   floating    x = (p body, quaternion, q)    z = (v body, w body, q_dot)                (2.134, 2.136)
//               p_body_dot = v - w x p_body, so the kinematic matrix grows with the place (2.137)
//   quaternion  x = (p world, quaternion, q)   z = x_dot, with |quaternion| = 1           (3.4)
// Particles have no axes of their own: their coordinates are the same in all three.

#include <string>
#include <vector>

#include "model/model.h"
#include "model/state.h"

namespace monocoque {

enum class Formulation { mixed, floating, quaternion };

/// 1/s, rate at which |p| = 1 and p^T p_dot = 0 are restored where quaternions are integrated as four
/// numbers.
inline constexpr double kNormPull = 10;

const std::vector<std::string>& formulation_names();
Formulation formulation_from(const std::string& name);  ///< one of the names; the reader has checked it

class FormulationMap {
 public:
  FormulationMap(const Model& model, Formulation formulation);

  int nz() const { return nz_; }

  /// Coordinates of a consistent state.
  void from_mixed(const VecX& x, const VecX& z, VecRef x_own, VecRef z_own) const;
  /// Back; quaternions of any length are taken as directions.
  void to_mixed(const ConstVecRef& x_own, const ConstVecRef& z_own, VecX& x, VecX& z) const;
  /// x_dot and z_dot of these coordinates from the accelerations in the mixed frame.
  void rates(const ConstVecRef& x_own, const ConstVecRef& z_own, const VecX& z_dot, VecRef x_own_rate,
             VecRef z_own_rate) const;

  /// Rates in the mixed frame from those of these coordinates, not necessarily along a solution.
  void rates_to_mixed(const ConstVecRef& x_own, const ConstVecRef& z_own, const ConstVecRef& x_own_rate,
                      const ConstVecRef& z_own_rate, VecRef x_rate, VecRef z_rate) const;
  /// Residuals of kinematics (rows of x) and dynamics (rows of z) brought into these coordinates. What keeps
  /// quaternions at unit length comes in here: the mixed state has only their direction.
  void residuals_from_mixed(const ConstVecRef& x_own, const ConstVecRef& z_own, const ConstVecRef& x_own_rate,
                            const ConstVecRef& z_own_rate, const ConstVecRef& r_x, const ConstVecRef& r_z,
                            VecRef r_x_own, VecRef r_z_own) const;

 private:
  const Model& model_;
  Formulation formulation_;
  std::vector<int> starts_;
  int nz_ = 0;
};

}  // namespace monocoque
