#include "dynamics/marker_products.h"

#include "core/rotation.h"

namespace monocoque {

void add_load_stiffness(const MarkerOnPart& m, const Vec6& wrench, double factor, PairBlocks& out) {
  if (!m.part->turns()) return;
  const Mat3& R = m.kinematics->R;
  const Vec3 r = R.transpose() * m.marker->r, f = factor * (R.transpose() * wrench.head<3>()),
             moment = factor * (R.transpose() * wrench.tail<3>());
  out.ff[1][1] += f * r.transpose() + skew(moment);
  out.ff[1][1].diagonal().array() -= r.dot(f);
  if (m.elastic == nullptr) return;
  const Mat3 by_force = skew(f);
  out.fp[1][0] -= by_force;
  out.pf[0][1] += by_force;
  if (!m.elastic->turns) return;
  out.pf[1][1] += m.elastic->L.transpose() * skew(moment);
  // L^T(theta) = L(-theta)
  out.pp[1][1] -= left_tangent_derivative(-m.elastic->theta, moment);
}

namespace {

/// Expands port rows (place, axes) of a marker to its elastic coordinates in one column.
void add_elastic(const MarkerShape& shape, const Vec3& place, const Vec3& axes, double factor, double* v) {
  for (Eigen::Index k = 0; k < shape.Phi.cols(); ++k)
    v[k] += factor * (shape.Phi.col(k).dot(place) + shape.Psi.col(k).dot(axes));
}

double* column(BlockMatrix& A, BlockHandle h, int row, int col) {
  return A.values() + h.base + static_cast<std::ptrdiff_t>(col) * h.stride + row;
}

/// Rows of a's elastic coordinates or of its mu, against columns that exist: (place, axes) rows x 3 columns.
void add_port_rows(const Mat3& place, const Mat3& axes, const MarkerOnPart& a, const PortHandles* port,
                   double factor, BlockHandle h, int col, BlockMatrix& A) {
  if (port == nullptr) {
    for (int c = 0; c < 3; ++c)
      add_elastic(*a.shape, place.col(c), axes.col(c), factor, column(A, h, 6, col + c));
    return;
  }
  if (port->bits & 1) A.add(inside(h, 0, col), place, -factor);
  if (port->bits & 2) A.add(inside(h, port->axes_offset(), col), axes, -factor);
}

}  // namespace

void add_blocks(const PairBlocks& blocks, const MarkerOnPart& a, const MarkerOnPart& b, double factor,
                unsigned rows, unsigned cols, const PairHandles& h, BlockMatrix& A) {
  if (!h.K.valid()) return;
  // Zero: force rows without a force, columns of places that do not matter.
  const int first_row = rows & 1 ? 0 : 1, first_col = cols & 1 ? 0 : 1;
  const int row_parts = a.part->turns() ? 2 : 1, col_parts = b.part->turns() ? 2 : 1;
  for (int i = first_row; i < row_parts; ++i)
    for (int j = first_col; j < col_parts; ++j) A.add(inside(h.K, 3 * i, 3 * j), blocks.ff[i][j], factor);
  const PortHandles *pa = h.row_port, *pb = h.col_port;
  if (a.elastic != nullptr)
    for (int j = first_col; j < col_parts; ++j)
      add_port_rows(blocks.pf[0][j], blocks.pf[1][j], a, pa, factor, pa ? pa->mu_part[h.col] : h.K, 3 * j, A);
  if (b.elastic == nullptr) return;
  if (pb != nullptr) {
    for (int j = 0; j < 2; ++j) {
      if (!(pb->bits >> j & 1)) continue;
      const int col = j == 0 ? 0 : pb->axes_offset();
      for (int i = 0; i < row_parts; ++i)
        A.add(inside(pb->part_y[h.row], 3 * i, col), blocks.fp[i][j], factor);
      if (a.elastic != nullptr)
        add_port_rows(blocks.pp[0][j], blocks.pp[1][j], a, pa, factor,
                      pa ? pa->mu_y[h.col] : pb->part_y[h.row], col, A);
    }
    return;
  }
  for (int c = 0; c < b.part->nq(); ++c) {
    const auto phi = b.shape->Phi.col(c), psi = b.shape->Psi.col(c);
    for (int i = 0; i < row_parts; ++i) {
      const Vec3 of = blocks.fp[i][0] * phi + blocks.fp[i][1] * psi;
      A.add(inside(h.K, 3 * i, 6 + c), of, factor);
    }
    if (a.elastic == nullptr) continue;
    const Vec3 place = blocks.pp[0][0] * phi + blocks.pp[0][1] * psi,
               axes = blocks.pp[1][0] * phi + blocks.pp[1][1] * psi;
    if (pa == nullptr) {
      add_elastic(*a.shape, place, axes, factor, column(A, h.K, 6, 6 + c));
    } else {
      if (pa->bits & 1) A.add(inside(pa->mu_part[h.col], 0, 6 + c), place, -factor);
      if (pa->bits & 2) A.add(inside(pa->mu_part[h.col], pa->axes_offset(), 6 + c), axes, -factor);
    }
  }
}

PartRow part_row(const MarkerOnPart& m, const MarkerRow& p, const MarkerRow& s) {
  PartRow out;
  out.place = p.place;
  if (!m.part->turns()) return out;
  const Mat3& R = m.kinematics->R;
  out.turn = R.transpose() * (p.axes + m.marker->r.cross(p.place) +
                              m.marker->relative_velocity.cross(s.place) + m.marker->k.w.cross(s.axes));
  if (m.elastic == nullptr) return out;
  out.port_place = R.transpose() * (p.place + s.place.cross(m.kinematics->w));
  out.port_axes = m.elastic->L.transpose() * (R.transpose() * p.axes) +
                  m.elastic->D.transpose() * (R.transpose() * s.axes);
  return out;
}

void add_row(const PartRow& row, const MarkerOnPart& m, double factor, int n, BlockHandle h,
             const PortHandles* port, BlockHandle y, BlockMatrix& A) {
  double* v = column(A, h, n, 0);
  const std::ptrdiff_t stride = h.stride;
  for (int c = 0; c < 3; ++c) v[c * stride] += factor * row.place[c];
  if (!m.part->turns()) return;
  for (int c = 0; c < 3; ++c) v[(3 + c) * stride] += factor * row.turn[c];
  if (m.elastic == nullptr) return;
  if (port != nullptr) {
    for (int c = 0; c < 3; ++c) {
      if (port->bits & 1) A.entry(y, n, c) += factor * row.port_place[c];
      if (port->bits & 2) A.entry(y, n, port->axes_offset() + c) += factor * row.port_axes[c];
    }
    return;
  }
  for (Eigen::Index c = 0; c < m.shape->Phi.cols(); ++c)
    v[(6 + c) * stride] +=
        factor * (m.shape->Phi.col(c).dot(row.port_place) + m.shape->Psi.col(c).dot(row.port_axes));
}

void add_load(const MarkerOnPart& m, const Vec6& wrench, double factor, int n, BlockHandle h,
              const PortHandles* port, BlockHandle mu, BlockMatrix& A) {
  const Vec3 force = factor * wrench.head<3>(), moment = factor * wrench.tail<3>();
  double* v = column(A, h, 0, n);
  for (int c = 0; c < 3; ++c) v[c] += force[c];
  if (!m.part->turns()) return;
  const Mat3& R = m.kinematics->R;
  const Vec3 turn = R.transpose() * (moment + m.marker->r.cross(force));
  for (int c = 0; c < 3; ++c) v[3 + c] += turn[c];
  if (m.elastic == nullptr) return;
  const Vec3 place = R.transpose() * force, axes = m.elastic->L.transpose() * (R.transpose() * moment);
  if (port == nullptr) {
    add_elastic(*m.shape, place, axes, 1, v + 6);
    return;
  }
  for (int c = 0; c < 3; ++c) {
    if (port->bits & 1) A.entry(mu, c, n) -= place[c];
    if (port->bits & 2) A.entry(mu, port->axes_offset() + c, n) -= axes[c];
  }
}

}  // namespace monocoque
