#pragma once
// Shared by shell3 and shell4: material matrices, mass, offsets, and the way from strains to surface
// stresses.

#include "fe/element.h"

namespace monocoque::fe {

/// Plane stress, Voigt (11, 22, 12 with engineering shear).
Mat3 plane_stress(const io::FeMaterial& material);

/// 12 D_bending / D_shear in m^2, 0 for a section that cannot shear.
double shear_parameter(const ElementData& e);

/// Columns e_1, e_2, n.
using Frame = Mat3;

/// Stress (11, 22, 12) in the frame to the six components in basic axes.
Eigen::Matrix<double, 6, 3> surface_stress_to_basic(const Frame& frame);

/// Consistent or lumped mass from int N_i N_j dA and the corner directors.
void shell_mass(const ElementData& e, MassKind mass, int nodes, const Eigen::Matrix4d& NN,
                const Vec3* directors, ElementMatrix& M);

/// Moves the unknowns from the middle surface to the nodes: d_mid = A d.
void shell_offset(int nodes, const Vec3* arms, ElementMatrix& K);
void shell_offset_columns(int nodes, const Vec3* arms, StressMatrix& S);

}  // namespace monocoque::fe
