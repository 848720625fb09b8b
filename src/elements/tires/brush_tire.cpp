#include "elements/tires/brush_tire.h"

namespace monocoque {

BrushTire::BrushTire(const io::ParameterSet& p)
    : TireLawOf(p.number("radius_m"), p.number("low_speed_m_per_s")),
      vertical_(p),
      c_(p.number("bristle_stiffness_N_per_m2")),
      half_length_(p.number("contact_half_length_m")),
      load_(p.number("nominal_load_N")),
      friction_(p.number("friction")),
      decay_(p.number("friction_decay_s_per_m")),
      relaxation_{p.number("relaxation_longitudinal_m"), p.number("relaxation_lateral_m")} {}

ElementType<TireLaw> brush_tire_type() {
  std::vector<io::Field> list = {
      fields::number("bristle_stiffness_N_per_m2", "stiffness of the tread per length of contact", "",
                     "9.0e6", io::Rule::positive),
      fields::number("contact_half_length_m", "half contact length at the nominal load", "", "0.07",
                     io::Rule::positive),
      fields::number("nominal_load_N", "load of that contact length", "", "4000", io::Rule::positive),
      fields::number("friction", "coefficient mu at rest", "1", "1.05", io::Rule::positive),
      fields::number("friction_decay_s_per_m", "d in mu = friction / (1 + d |sliding speed|)", "0", "0.02",
                     io::Rule::non_negative),
  };
  LinearVertical::add_fields(list);
  return fields::type<BrushTire, TireLaw>(
      io::Group::force, "brush_tire",
      "brush model with parabolic pressure, combined slip and aligning moment", std::move(list));
}

}  // namespace monocoque
