#pragma once
// Condensation of elastic coordinates: they are eliminated from the unknowns of an implicit step, and the
// matrix of the others becomes a Schur complement. Where the block of a part's elastic coordinates is
// diagonal, D = m d2 + v d1 + p d0 with modal mass, damping and stiffness, they follow from the rest:
//   D dq = r_q - P^T b,   b = sum of what frame, multipliers and forces do at the ports,
// and every row that reads them through the ports, a^T P dq, gets -a^T F b with the dynamic compliance
// F = P D^-1 P^T of the step. F does not change while the step keeps its length: a step costs the same for
// any number of coordinates but for products of P with vectors.
//
// Force elements would fill the block. Their ports become unknowns instead: the displacement y = P dq, which
// the element's rows read, and the force mu on it, mu = K (dz, y), which stands for the element in the rows
// of q. Only for matrices without derivatives of reactions and inertia forces (JacobianTerms).
// docs/architecture.md follows the data through it.

#include "dynamics/assembly.h"

namespace monocoque {

class Condensation {
 public:
  /// Parts that can be condensed and have so many coordinates that it pays.
  static std::vector<char> parts(const Workspace& ws);

  Condensation(const Workspace& ws, const SystemLayout& layout);

  /// After assemble_iteration with the same arguments.
  void assemble(const Workspace& ws, const TangentWeights& k, ConstraintLevel level, BlockMatrix& A);
  /// Right-hand side of (z, c, lambda, w) to that of the layout (forward elimination).
  void reduce(const VecX& rhs, VecX& out);
  /// Solution of the layout to that of (z, c, lambda, w) (back substitution); rhs comes in, the solution goes
  /// out.
  void expand(const VecX& solution, VecX& rhs);

 private:
  struct PortOfRow {
    int marker, place, axes;  ///< rows of P; -1: not used
    Vec6 coefficients;
  };
  struct Row {
    std::size_t joint;
    int row, index;  ///< index: in the layout
    std::vector<PortOfRow> ports;
  };
  struct PortOfForce {
    int place, axes, y, mu;  ///< rows of P (-1: not used), first unknowns
    int axes_offset;
  };
  struct Body {
    std::size_t part;
    const FlexiblePart* cache;
    bool varying;  ///< the coupling with the frame changes with q
    int frame;     ///< first unknown
    std::vector<Row> rows;
    std::vector<PortOfForce> ports;
    int size = 0;  ///< 6, rows, ports
    TangentWeights weights;
    VecX inverse, scratch;  ///< D^-1
    MatX F, F_N;            ///< ports x ports, ports x 6
    Mat6 F_NN = Mat6::Zero();
    Mat6X N;  ///< (Ct; Cr)
    Mat3 R = Mat3::Identity();
    MatX H, Z;  ///< F times all columns; the Schur complement, taken off the matrix
    VecX port_values;
    std::vector<int> places, y_diagonal;  ///< in the matrix: of Z, of the diagonal of y
    double mass_factor = 0, row_factor = 0, column_factor = 0;
  };

  void update_compliance(const Workspace& ws, const TangentWeights& k, Body& b);
  void fill(Body& b);

  const Model& model_;
  const SystemLayout& layout_;
  std::vector<Body> bodies_;
};

}  // namespace monocoque
