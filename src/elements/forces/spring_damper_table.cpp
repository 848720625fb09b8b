#include "elements/forces/spring_damper_table.h"

#include <fmt/format.h>

#include "elements/field_makers.h"

namespace monocoque {

SpringDamperTable::SpringDamperTable(const io::ParameterSet& p)
    : free_length_(p.number("free_length_m")),
      spring_(p.table("force_deflection")[0], p.table("force_deflection")[1]),
      damper_(p.table("damping_force")[0], p.table("damping_force")[1]) {
  const auto& [rate, force] = p.table("damping_force");
  bool through_zero = false;
  for (std::size_t i = 0; i < rate.size(); ++i) {
    through_zero = through_zero || (rate[i] == 0 && force[i] == 0);
    if (rate[i] * force[i] < 0)
      fields::refuse(p, "damping_force",
                     fmt::format("damping_force is {} N at {} m/s, it must have the sign of the velocity",
                                 force[i], rate[i]),
                     "a damper takes energy out: positive force while the line grows");
  }
  if (!through_zero)
    fields::refuse(p, "damping_force", "damping_force has no point [0, 0], it must pass through it",
                   "add the point [0, 0]");
  if (damper_.first_slope() < 0 || damper_.last_slope() < 0)
    fields::refuse(p, "damping_force",
                   "damping_force falls at an end of its table, it must not beyond the last point",
                   "add a point with a level or rising force at that end");
}

Tension SpringDamperTable::tension(const ForceInput&, double length, double rate) const {
  const double s = length - free_length_;
  return {spring_.value(s) + damper_.value(rate), spring_.slope(s), damper_.slope(rate)};
}

double SpringDamperTable::energy(const ForceInput& in) const {
  return spring_.integral(line_of(in).length - free_length_);
}

double SpringDamperTable::dissipation(const ForceInput& in) const {
  const double rate = line_of(in).rate;
  return damper_.value(rate) * rate;
}

ElementType<Force> spring_damper_table_type() {
  using namespace fields;
  return with(
      {io::Role::spring, io::Role::damper}, io::Drawing::spring,
      force<SpringDamperTable>(
          "spring_damper_table", "spring and damper by tables, along the line between two frames",
          {number("free_length_m", "length of zero deflection", "", "0.62", Rule::non_negative),
           table("force_deflection", "[deflection in m, tension in N], deflection positive when longer",
                 "[[-0.3, -21000], [-0.1, -4100], [0.02, 700], [0.2, 9000], [0.4, 30000]]"),
           make("damping_force", FieldKind::table,
                "[velocity in m/s, tension in N], velocity positive while it grows",
                "[[-1, 0], [0, 0], [1, 0]]",
                "[[-1.5, -1400], [-0.4, -900], [0, 0], [0.3, 1100], [1.2, 2300]]")}));
}

}  // namespace monocoque
