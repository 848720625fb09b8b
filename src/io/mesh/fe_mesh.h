#pragma once
// A finite-element mesh as read from a file: nodes, elements, properties, rigid elements. Plain data in SI
// units (readers convert), node positions in the file's basic axes. Indices count from 0; ids are the file's
// own.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/types.h"

namespace monocoque::io {

enum class ElementKind : std::uint8_t {
  rod2,   ///< axial and torsional stiffness only
  beam2,  ///< Timoshenko
  beam3,  ///< quadratic, middle node last
  shell3,
  shell4,
  tet4,
  tet10,  ///< corners, then 12 23 31 14 24 34
  wedge6,
  brick8,
  brick20,  ///< corners, bottom edges, top edges, vertical edges (Abaqus order)
};
constexpr int node_count(ElementKind kind) {
  constexpr int counts[] = {2, 2, 3, 3, 4, 4, 10, 6, 8, 20};
  return counts[static_cast<int>(kind)];
}
const char* name_of(ElementKind kind);

struct FeMaterial {
  long id = 0;
  std::string name;
  double young_Pa = 0, shear_Pa = 0, poisson = 0, density_kg_per_m3 = 0;
};

/// Section of rods and beams in the element's axes: x along, y and z across.
struct BeamSection {
  double area_m2 = 0;
  double I_y_m4 = 0;  ///< about y: bending in the x-z plane (Nastran I2)
  double I_z_m4 = 0;  ///< about z: bending in the x-y plane (Nastran I1)
  double I_yz_m4 = 0;
  double torsion_m4 = 0;
  double shear_y = 0, shear_z = 0;  ///< share of the area that carries shear; 0: Euler-Bernoulli
  double mass_kg_per_m = 0;         ///< beyond the material's
};

struct ShellSection {
  double thickness_m = 0;
  double bending_ratio = 1;      ///< 12 I / t^3
  double shear_ratio = 5.0 / 6;  ///< transverse shear thickness over t
  double mass_kg_per_m2 = 0;     ///< beyond the material's
  double offset_m = 0;           ///< of the middle surface from the nodes along the normal
};

enum class PropertyKind : std::uint8_t { rod, beam, shell, solid };

struct FeProperty {
  long id = 0;
  std::string name;
  PropertyKind kind = PropertyKind::solid;
  int material = -1;
  BeamSection beam;
  ShellSection shell;
};

/// What a beam has beyond its section.
struct BeamPlacement {
  Vec3 y_axis = Vec3::Zero();  ///< a vector in the element's x-y plane; zero: any (round section)
  Vec3 offset_a_m = Vec3::Zero(),
       offset_b_m = Vec3::Zero();  ///< from node to the section's centre, basic axes
  std::uint8_t release_a = 0,
               release_b = 0;  ///< bit k: component k of (u, theta), element axes, carries nothing
};

struct FeElement {
  long id = 0;
  ElementKind kind = ElementKind::tet4;
  int property = -1;
  int first_node = 0;  ///< into FeMesh::connectivity
  int placement = -1;  ///< into FeMesh::beams
};

struct FeNode {
  long id = 0;
  Vec3 p = Vec3::Zero();
};

constexpr std::uint8_t kAllSix = 63;  ///< bits 0..5: u_x u_y u_z theta_x theta_y theta_z

/// Dependent nodes follow the independent one as a rigid body in the components named (RBE2, nodal rigid
/// body).
struct RigidSpider {
  long id = 0;
  int independent = -1;
  std::vector<int> dependent;
  std::uint8_t components = kAllSix;
};

/// The reference node follows the weighted mean motion of the others (RBE3, distributing coupling).
struct MeanSpider {
  struct Leg {
    int node = -1;
    double weight = 1;
    std::uint8_t components = 7;
  };
  long id = 0;
  int reference = -1;
  std::uint8_t components = kAllSix;
  std::vector<Leg> legs;
};

struct PointMass {
  long id = 0;
  int node = -1;
  double mass_kg = 0;
  Vec3 offset_m = Vec3::Zero();
  Mat3 inertia_kg_m2 = Mat3::Zero();  ///< about the mass' own centre, basic axes
};

/// k (u_a - u_b) between single components; node_b = -1 is the ground.
struct PointSpring {
  long id = 0;
  int node_a = -1, node_b = -1;
  int component_a = 0, component_b = 0;
  double stiffness = 0;  ///< N/m or Nm/rad
};

struct Support {
  int node = -1;
  std::uint8_t components = kAllSix;
};

/// A card or keyword that the reader does not know.
struct UnknownCard {
  std::string name;
  long count = 0;
  int first_line = 0;
  bool carries = false;  ///< mass or stiffness would be lost
};

struct FeMesh {
  std::string file;
  std::vector<FeNode> nodes;
  std::vector<FeElement> elements;
  std::vector<int> connectivity;  ///< node indices of all elements, one after the other
  std::vector<BeamPlacement> beams;
  std::vector<FeMaterial> materials;
  std::vector<FeProperty> properties;
  std::vector<RigidSpider> rigid;
  std::vector<MeanSpider> means;
  std::vector<PointMass> masses;
  std::vector<PointSpring> springs;
  std::vector<Support> supports;
  std::map<std::string, std::vector<int>> node_sets, element_sets;
  std::vector<UnknownCard> unknown;
  std::vector<std::string> notes;  ///< what the reader assumed, for the user

  const int* nodes_of(const FeElement& e) const { return connectivity.data() + e.first_node; }
};

/// Units of the file; lengths times length_m are metres.
struct FeUnits {
  double length_m = 1, mass_kg = 1, time_s = 1;
};

struct FeReadOptions {
  FeUnits units;
  bool lenient = false;  ///< unknown cards that carry mass or stiffness are only listed
};

/// By the ending: .nas .bdf .dat .nastran, .inp, .k .key .dyn; throws Error with every mistake of the file.
FeMesh read_fe_mesh(const std::string& path, const FeReadOptions& options);

}  // namespace monocoque::io
