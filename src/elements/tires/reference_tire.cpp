#include "elements/tires/reference_tire.h"

namespace monocoque {

ReferenceTire::ReferenceTire(const io::ParameterSet& p)
    : TireLawOf(p.number("radius_m"), p.number("low_speed_m_per_s")),
      vertical_(p),
      friction_(p.number("friction")),
      B_(p.number("stiffness_factor_B")),
      C_(p.number("shape_factor_C")),
      E_(p.number("curvature_factor_E")),
      relaxation_{p.number("relaxation_longitudinal_m"), p.number("relaxation_lateral_m")} {}

ElementType<TireLaw> reference_tire_type() {
  std::vector<io::Field> list = {
      fields::number("friction", "coefficient mu of the peak", "1", "0.95", io::Rule::positive),
      fields::number("stiffness_factor_B", "B of the Magic Formula", "10", "9.5", io::Rule::positive),
      fields::number("shape_factor_C", "C of the Magic Formula", "1.9", "1.7", io::Rule::positive),
      fields::number("curvature_factor_E", "E of the Magic Formula, <= 1", "0.97", "0.9"),
  };
  LinearVertical::add_fields(list);
  return fields::type<ReferenceTire, TireLaw>(
      io::Group::force, "reference_tire",
      "isotropic Magic Formula of the combined slip without moments, linear in the load", std::move(list));
}

}  // namespace monocoque
