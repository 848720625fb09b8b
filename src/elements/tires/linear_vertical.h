#pragma once
// Load of a tire as a linear spring and damper: Fz = max(0, k rho + c rho_dot) for rho > 0, else zero.
// Shared by the laws that have no load law of their own.

#include <vector>

#include "elements/field_makers.h"
#include "elements/tires/tire_law.h"

namespace monocoque {

struct LinearVertical {
  double stiffness, damping;

  explicit LinearVertical(const io::ParameterSet& p)
      : stiffness(p.number("vertical_stiffness_N_per_m")), damping(p.number("vertical_damping_Ns_per_m")) {}

  template <class T>
  T load(const TireVerticalOf<T>& in) const {
    if (!(in.deflection > 0)) return T(0);
    const T Fz = stiffness * in.deflection + damping * in.rate;
    return Fz > 0 ? Fz : T(0);
  }

  static void add_fields(std::vector<io::Field>& list) {
    list.push_back(fields::number("radius_m", "unloaded radius", "", "0.33", io::Rule::positive));
    list.push_back(
        fields::number("vertical_stiffness_N_per_m", "radial stiffness", "", "210000", io::Rule::positive));
    list.push_back(
        fields::number("vertical_damping_Ns_per_m", "radial damping", "0", "350", io::Rule::non_negative));
    list.push_back(fields::number("relaxation_longitudinal_m", "relaxation length of Fx; 0: none", "0",
                                  "0.12", io::Rule::non_negative));
    list.push_back(fields::number("relaxation_lateral_m", "relaxation length of Fy; 0: none", "0", "0.45",
                                  io::Rule::non_negative));
    list.push_back(fields::number("low_speed_m_per_s", "lower bound of |Vx| in the slips", "1", "0.8",
                                  io::Rule::positive));
  }
};

}  // namespace monocoque
