#include "fe/items.h"
#include "core/index.h"

namespace monocoque::fe {
namespace {

Mat6 mass_block(const io::PointMass& m) {
  Mat6 M = Mat6::Zero();
  M.topLeftCorner<3, 3>().diagonal().setConstant(m.mass_kg);
  M.bottomRightCorner<3, 3>() = m.inertia_kg_m2;
  const Mat6 A = rigid_arm(m.offset_m);
  return A.transpose() * M * A;
}

}  // namespace

int Items::size() const {
  return static_cast<int>(mesh_.elements.size() + mesh_.masses.size() + mesh_.springs.size());
}

ElementData element_data(const io::FeMesh& mesh, int element, const AssembleOptions& options) {
  const io::FeElement& e = mesh.elements[at(element)];
  ElementData d;
  d.kind = e.kind;
  const int* nodes = mesh.nodes_of(e);
  for (int k = 0; k < io::node_count(e.kind); ++k) d.p[at(k)] = mesh.nodes[at(nodes[k])].p;
  const io::FeProperty& property = mesh.properties[at(e.property)];
  const io::FeMaterial& m = mesh.materials[at(property.material)];
  // Field by field: the name would be a copy on the heap.
  d.material.young_Pa = m.young_Pa;
  d.material.shear_Pa = m.shear_Pa;
  d.material.poisson = m.poisson;
  d.material.density_kg_per_m3 = m.density_kg_per_m3;
  d.beam = property.beam;
  d.shell = property.shell;
  if (e.placement >= 0) d.placement = mesh.beams[at(e.placement)];
  d.drilling = options.drilling;
  return d;
}

ElementData Items::data(int element) const {
  return element_data(mesh_, element, options_);
}

void Items::dofs(int i, Item& item) const {
  const int elements = static_cast<int>(mesh_.elements.size()),
            masses = static_cast<int>(mesh_.masses.size());
  item.size = 0;
  if (i < elements) {
    const io::FeElement& e = mesh_.elements[at(i)];
    const int* nodes = mesh_.nodes_of(e);
    const int per_node = dofs_per_node(e.kind);
    for (int n = 0; n < io::node_count(e.kind); ++n) {
      for (int k = 0; k < per_node; ++k) item.dofs[item.size++] = 6 * nodes[n] + k;
    }
    return;
  }
  if (i < elements + masses) {
    const io::PointMass& m = mesh_.masses[at(i - elements)];
    // Without offset and inertia the rotations stay out, so a mass on a solid does not ask for them.
    const int count = m.offset_m.isZero(0) && m.inertia_kg_m2.isZero(0) ? 3 : 6;
    for (int k = 0; k < count; ++k) item.dofs[item.size++] = 6 * m.node + k;
    return;
  }
  const io::PointSpring& s = mesh_.springs[at(i - elements - masses)];
  if (s.node_a >= 0) item.dofs[item.size++] = 6 * s.node_a + s.component_a;
  if (s.node_b >= 0) item.dofs[item.size++] = 6 * s.node_b + s.component_b;
}

Fault Items::compute(int i, Item& item) const {
  dofs(i, item);
  const int elements = static_cast<int>(mesh_.elements.size()),
            masses = static_cast<int>(mesh_.masses.size());
  if (i < elements) return element_matrices(data(i), mass_, item.matrices);
  item.matrices.K.setZero(item.size, item.size);
  item.matrices.M.setZero(item.size, item.size);
  if (i < elements + masses) {
    item.matrices.M = mass_block(mesh_.masses[at(i - elements)]).topLeftCorner(item.size, item.size);
    return {};
  }
  const io::PointSpring& s = mesh_.springs[at(i - elements - masses)];
  for (int r = 0; r < item.size; ++r) {
    for (int c = 0; c < item.size; ++c) item.matrices.K(r, c) = r == c ? s.stiffness : -s.stiffness;
  }
  return {};
}

bool Items::holds_every_component(int i) const {
  if (i >= static_cast<int>(mesh_.elements.size())) return false;
  const io::FeElement& e = mesh_.elements[at(i)];
  if (e.kind == io::ElementKind::rod2) return false;
  if (e.kind != io::ElementKind::beam2 && e.kind != io::ElementKind::beam3) return true;
  const bool released = e.placement >= 0 && (mesh_.beams[at(e.placement)].release_a |
                                             mesh_.beams[at(e.placement)].release_b) != 0;
  return !released && mesh_.properties[at(e.property)].beam.torsion_m4 > 0;
}

}  // namespace monocoque::fe
