#pragma once
// Derivatives by poses and twists of markers, world axes, to derivatives by the coordinates of their parts.
// With
//   dp = T dx, dV = S dx + T dz,  T = [E, -r~ R; 0, R],  S = [0, -v_r~ R; 0, -w~ R]
// for the part's frame and T = [R, 0; 0, R L], S = [w~ R, 0; 0, R D] for the port (Phi q; Psi q) of a marker
// on a flexible part, the products are crosses and turns of 3 x 3 blocks; T and S are never written out.

#include <Eigen/Geometry>

#include "core/block_matrix.h"
#include "dynamics/layout.h"
#include "dynamics/workspace.h"

namespace monocoque {

struct MarkerOnPart {
  const Part* part = nullptr;
  const PartKinematics* kinematics = nullptr;
  const MarkerCache* marker = nullptr;
  const ElasticMarker* elastic = nullptr;  ///< null on rigid parts
  const MarkerShape* shape = nullptr;      ///< likewise
};

inline MarkerOnPart locate(const Workspace& ws, MarkerIndex index) {
  const Marker& marker = ws.model.markers[index.at()];
  MarkerOnPart m{&ws.model.parts[marker.part.at()], &ws.parts[marker.part.at()], &ws.markers[index.at()],
                 nullptr, nullptr};
  if (marker.shape >= 0) {
    m.elastic = &ws.elastic[static_cast<std::size_t>(marker.shape)];
    m.shape = &ws.model.shapes[static_cast<std::size_t>(marker.shape)];
  }
  return m;
}

/// Every row m of M to a x m: M times -a~.
inline Mat3 cross_rows(const Vec3& a, const Mat3& M) {
  Mat3 out;
  out.col(0) = a.y() * M.col(2) - a.z() * M.col(1);
  out.col(1) = a.z() * M.col(0) - a.x() * M.col(2);
  out.col(2) = a.x() * M.col(1) - a.y() * M.col(0);
  return out;
}

/// Every column m of M to a x m: a~ M.
inline Mat3 cross_columns(const Vec3& a, const Mat3& M) {
  Mat3 out;
  for (int c = 0; c < 3; ++c) out.col(c) = a.cross(M.col(c));
  return out;
}

/// Derivatives of the wrench on one marker by the coordinates of another's part, in coordinates of both
/// parts. First index 0: force, place; 1: moment, turn. f: frame, p: port.
struct PairBlocks {
  Mat3 ff[2][2], fp[2][2], pf[2][2], pp[2][2];
};

/// x d/dpose + v d/dtwist + (turning of the twist with the pose) of the 6 x 6 block of `pose` and `twist`
/// that begins at (6 row, 6 col). rows, cols: two bits each, place and axes; the other parts of the block are
/// zero.
template <bool kTwist, class Matrix>
void pair_blocks(const MarkerOnPart& a, const MarkerOnPart& b, const Matrix& pose, const Matrix& twist,
                 int row, int col, unsigned rows, unsigned cols, double x, double v, PairBlocks& out) {
  const Mat3& R = b.kinematics->R;
  const bool place = cols & 1, axes = cols & 2, turns = b.part->turns(), elastic = b.elastic != nullptr;
  const int first_row = rows & 1 ? 0 : 1, last_row = rows & 2 ? 2 : 1, first_col = place ? 0 : 1;
  Mat3 X[2][2], Y[2][2];
  for (int i = first_row; i < last_row; ++i) {
    Mat3 turn;
    if (place) {
      Mat3& P = X[i][0];
      P = x * pose.template block<3, 3>(row + 3 * i, col);
      if constexpr (kTwist) P += v * twist.template block<3, 3>(row + 3 * i, col);
      if (turns) turn = cross_rows(b.marker->r, P);
      if (elastic) Y[i][0].noalias() = P * R;
      if constexpr (kTwist) {
        if (turns) {
          const Mat3 S = x * twist.template block<3, 3>(row + 3 * i, col);
          turn += cross_rows(b.marker->relative_velocity, S);
          if (elastic) Y[i][0] -= cross_rows(b.kinematics->w, S) * R;
        }
      }
    } else {
      turn.setZero();
      if (elastic) Y[i][0].setZero();
    }
    if (axes && turns) {
      Mat3 P = x * pose.template block<3, 3>(row + 3 * i, col + 3);
      if constexpr (kTwist) P += v * twist.template block<3, 3>(row + 3 * i, col + 3);
      turn += P;
      if (elastic) Y[i][1].noalias() = (P * R) * b.elastic->L;
      if constexpr (kTwist) {
        const Mat3 S = x * twist.template block<3, 3>(row + 3 * i, col + 3);
        turn += cross_rows(b.marker->k.w, S);
        if (elastic) Y[i][1].noalias() += (S * R) * b.elastic->D;
      }
    } else if (elastic) {
      Y[i][1].setZero();
    }
    if (turns) X[i][1].noalias() = turn * R;
  }
  const bool force = rows & 1, moment = rows & 2;
  const auto to_rows = [&](const Mat3(&Z)[2][2], Mat3(&f)[2][2], Mat3(&p)[2][2], int first, int last) {
    for (int j = first; j < last; ++j) {
      if (force) f[0][j] = Z[0][j];
      if (a.part->turns()) {
        if (!force)
          f[1][j].noalias() = a.kinematics->R.transpose() * Z[1][j];
        else if (!moment)
          f[1][j].noalias() = a.kinematics->R.transpose() * cross_columns(a.marker->r, Z[0][j]);
        else
          f[1][j].noalias() = a.kinematics->R.transpose() * (Z[1][j] + cross_columns(a.marker->r, Z[0][j]));
      }
      if (a.elastic == nullptr) continue;
      if (force)
        p[0][j].noalias() = a.kinematics->R.transpose() * Z[0][j];
      else
        p[0][j].setZero();
      if (moment)
        p[1][j].noalias() = a.elastic->L.transpose() * (a.kinematics->R.transpose() * Z[1][j]);
      else
        p[1][j].setZero();
    }
  };
  to_rows(X, out.ff, out.pf, first_col, turns ? 2 : 1);
  if (!elastic) return;
  if (!force)
    for (Mat3& block : out.fp[0]) block.setZero();
  to_rows(Y, out.fp, out.pp, 0, 2);
}

/// Adds the derivative of T^T wrench by the position with the wrench fixed in world axes. With f, m in body
/// axes and r the place: rotation rows (r~ f~ + m~, -f~ Phi), elastic rows (Phi^T f~ + (L Psi)^T m~, Psi^T
/// d(L^T m)/dtheta Psi).
void add_load_stiffness(const MarkerOnPart& m, const Vec6& wrench, double factor, PairBlocks& out);

/// A += factor (blocks). Ports are expanded to elastic coordinates, or, on condensed parts, are unknowns y in
/// the columns and forces mu in the rows. rows, cols: bits as in pair_blocks.
struct PairHandles {
  BlockHandle K;
  const PortHandles *row_port = nullptr, *col_port = nullptr;  ///< null: not condensed
  int row = 0, col = 0;                                        ///< numbers of the markers
};
void add_blocks(const PairBlocks& blocks, const MarkerOnPart& a, const MarkerOnPart& b, double factor,
                unsigned rows, unsigned cols, const PairHandles& h, BlockMatrix& A);

/// One row of derivatives by pose (p) and twist (s, for its turning with the pose): place and axes each.
struct MarkerRow {
  Vec3 place, axes;
};
/// The same by the coordinates of the part.
struct PartRow {
  Vec3 place, turn, port_place, port_axes;
};
PartRow part_row(const MarkerOnPart& m, const MarkerRow& p, const MarkerRow& s);
/// Row n of a block += factor (row); port: null, or the marker's with y the block of its columns.
void add_row(const PartRow& row, const MarkerOnPart& m, double factor, int n, BlockHandle h,
             const PortHandles* port, BlockHandle y, BlockMatrix& A);
/// Column n += factor T^T wrench; mu: block of the port's rows.
void add_load(const MarkerOnPart& m, const Vec6& wrench, double factor, int n, BlockHandle h,
              const PortHandles* port, BlockHandle mu, BlockMatrix& A);

}  // namespace monocoque
