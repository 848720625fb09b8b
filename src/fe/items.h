#pragma once
// Everything that has stiffness or mass, in one numbering: elements, then point masses, then springs.

#include <string>
#include <vector>

#include "fe/assemble.h"
#include "fe/element.h"

namespace monocoque::fe {

struct Item {
  int dofs[kMaxElementDofs];  ///< 6 node + component
  int size = 0;
  ElementMatrices matrices;
};

class Items {
 public:
  Items(const io::FeMesh& mesh, MassKind mass, const AssembleOptions& options)
      : mesh_(mesh), mass_(mass), options_(options) {}
  int size() const;
  /// Components that item i couples.
  void dofs(int i, Item& item) const;
  /// Those and the matrices.
  Fault compute(int i, Item& item) const;
  /// Whether moving any one node in any component of the item strains it: true for all but rods, springs,
  /// masses, beams with releases or without torsional stiffness.
  bool holds_every_component(int i) const;
  ElementData data(int element) const;

 private:
  const io::FeMesh& mesh_;
  MassKind mass_;
  AssembleOptions options_;
};

/// Element with what belongs to it, for matrices or stresses.
ElementData element_data(const io::FeMesh& mesh, int element, const AssembleOptions& options = {});

/// Indices, properties, materials, coordinates; every mistake is added.
void check_mesh(const io::FeMesh& mesh, std::vector<std::string>& notes, Diagnostics& diagnostics);

}  // namespace monocoque::fe
