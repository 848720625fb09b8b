#pragma once
// Shapes for a reduced body: static modes, orthonormal form, frames, damping, choice of coordinates.

#include <functional>
#include <string>
#include <vector>

#include "reduce/constrained_solver.h"
#include "reduce/modes.h"

namespace monocoque::reduce {

/// Elastic coordinates in which Me = E and Ke = diag(omega2), free of rigid motion in the mean (Buckens
/// frame).
struct OrthonormalBasis {
  MatX Phi;
  VecX omega2;      ///< (rad/s)^2, rising
  int dropped = 0;  ///< columns that were rigid motions or sums of others
};

/// Takes the rigid motions out of the columns of `raw`, then diagonalises.
OrthonormalBasis orthonormal_basis(const FeSystem& fe, const NodeMap& map, MatX raw);

/// Constraint modes: column i has component i at one, the other components at zero. Statics of the body
/// between. Attachment modes: response to unit forces at the components, balanced by inertia forces of the
/// free body.
MatX attachment_modes(const FeSystem& fe, const NodeMap& map, const std::vector<NodeComponent>& components,
                      const CholeskyOptions& options);

/// Six components of up to three nodes, far apart, that hold a body without strain (3-2-1).
SparseMatrix determinate_support(const FeSystem& fe, const NodeMap& map);

/// F - M S (S^T M S)^-1 S^T F: loads of a free body with the inertia forces of its rigid acceleration.
MatX balanced_loads(const FeSystem& fe, const NodeMap& map, const MatX& F);

enum class FrameKind {
  buckens,  ///< mean deformation and rotation, weighed with mass, vanish: Ct = 0, Cr0 = 0
  tangent,  ///< deformation and rotation of one node vanish
  fixed  ///< two nodes: chord; three: first fixed, second on its line, third in its plane; more: mean of the
         ///< nodes
};
struct FrameChoice {
  FrameKind kind = FrameKind::buckens;
  std::vector<long> nodes;
};

/// Changes of the shapes: Phi' = Phi V - S B, the body's deformation as seen from the frame; V keeps Me' = E.
struct FrameChange {
  MatX Phi;
  VecX omega2;
  MatX V;
};
FrameChange apply_frame(const FeSystem& fe, const NodeMap& map, const OrthonormalBasis& basis,
                        const FrameChoice& frame);

struct Damping {
  double ratio = 0;                           ///< of every mode
  std::vector<double> ratios;                 ///< per mode; the last one serves for the rest
  std::function<double(double)> ratio_of_Hz;  ///< over both when given
  double alpha_per_s = 0, beta_s = 0;         ///< Rayleigh, added: D = alpha M + beta K
};
/// Diagonal of De in orthonormal coordinates.
VecX damping_of(const VecX& omega2, const Damping& damping);

/// Coordinates that the response at the inputs (columns of B = Phi^T forms^T) needs: those whose absence
/// changes the compliance at no frequency of the band by more than `bound` of its norm. Rising indices.
std::vector<int> important_coordinates(const VecX& omega2, const MatX& B, double band_Hz, double bound);

/// Block Krylov space span{F, P F, P^2 F, ...} with P = A^-1 M from A^-1 F, K-orthonormal from block to
/// block. Matches `order` moments of the response to the inputs F about the shift of A.
MatX krylov_basis(const FeSystem& fe, const std::function<MatX(const MatX&)>& solve, const MatX& F,
                  int order);

/// The same for a body that is reduced already: Phi W with W of at most order x inputs x shifts columns.
OrthonormalBasis krylov_reduced(const OrthonormalBasis& basis, const MatX& B, int order,
                                const std::vector<double>& shifts_Hz);

/// Only these coordinates.
OrthonormalBasis selected(const OrthonormalBasis& basis, const std::vector<int>& coordinates);

}  // namespace monocoque::reduce
