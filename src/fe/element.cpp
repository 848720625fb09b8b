#include "fe/element.h"

#include "fe/beam.h"
#include "fe/shell3.h"
#include "fe/shell4.h"
#include "fe/solid.h"

namespace monocoque::fe {

using io::ElementKind;

const char* kind_name(ElementKind kind) {
  constexpr const char* names[] = {"rod2", "beam2", "beam3",  "shell3", "shell4",
                                   "tet4", "tet10", "wedge6", "brick8", "brick20"};
  return names[static_cast<int>(kind)];
}

bool is_solid(ElementKind kind) {
  return kind >= ElementKind::tet4;
}
bool is_shell(ElementKind kind) {
  return kind == ElementKind::shell3 || kind == ElementKind::shell4;
}

double shear_modulus(const io::FeMaterial& m) {
  return m.shear_Pa > 0 ? m.shear_Pa : m.young_Pa / (2 * (1 + m.poisson));
}

Fault element_matrices(const ElementData& e, MassKind mass, ElementMatrices& out) {
  switch (e.kind) {
    case ElementKind::rod2:
      return rod2_matrices(e, mass, out);
    case ElementKind::beam2:
      return beam2_matrices(e, mass, out);
    case ElementKind::beam3:
      return beam3_matrices(e, mass, out);
    case ElementKind::shell3:
      return shell3_matrices(e, mass, out);
    case ElementKind::shell4:
      return shell4_matrices(e, mass, out);
    default:
      return solid_matrices(e, mass, out);
  }
}

Fault element_stress(const ElementData& e, StressMatrix& out) {
  switch (e.kind) {
    case ElementKind::rod2:
      return rod2_stress(e, out);
    case ElementKind::beam2:
      return beam2_stress(e, out);
    case ElementKind::beam3:
      return beam3_stress(e, out);
    case ElementKind::shell3:
      return shell3_stress(e, out);
    case ElementKind::shell4:
      return shell4_stress(e, out);
    default:
      return solid_stress(e, out);
  }
}

int stress_points(ElementKind kind) {
  return is_shell(kind) ? 2 * io::node_count(kind) : io::node_count(kind);
}

Mat6 rigid_arm(const Vec3& arm) {
  Mat6 A = Mat6::Identity();
  A.topRightCorner<3, 3>() = -skew(arm);
  return A;
}

}  // namespace monocoque::fe
