#include "dynamics/frozen_tangents.h"

namespace monocoque {

namespace {

/// Rows come in vectors of three in world axes: each is turned.
template <class Matrix>
void turn_rows(const Mat3& Q, Matrix& m) {
  for (int row = 0; row < m.rows(); row += 3)
    for (int col = 0; col < m.cols(); ++col) {
      const Vec3 v = m.col(col).template segment<3>(row);
      m.col(col).template segment<3>(row) = Q * v;
    }
}

template <class Matrix>
void turn_columns(const Mat3& Q, Matrix& m) {
  for (int col = 0; col < m.cols(); col += 3)
    for (int row = 0; row < m.rows(); ++row) {
      const Vec3 v = m.row(row).template segment<3>(col).transpose();
      m.row(row).template segment<3>(col) = (Q * v).transpose();
    }
}

template <class Rows>
void turn_inputs(const Mat3& Q, Rows& rows) {
  turn_columns(Q, rows.pose);
  turn_columns(Q, rows.twist);
  turn_columns(Q, rows.reaction);
}

}  // namespace

FrozenTangents::FrozenTangents(const Model& model) : entries_(model.forces.size()) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    for (std::size_t k : {std::size_t{1}, std::size_t{0}}) {
      const std::size_t part = model.markers[model.forces[i].markers[k].at()].part.at();
      if (model.parts[part].moves()) entries_[i].part = part;
    }
    model.forces[i].force->resize_tangent(entries_[i].tangent);
  }
}

void FrozenTangents::capture(const Workspace& ws) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    ws.model.forces[i].force->resize_tangent(entries_[i].tangent);
    ws.model.forces[i].force->tangent(ws.forces[i].in, entries_[i].tangent);
    entries_[i].R_WP = ws.parts[entries_[i].part].R;
  }
  captured_ = true;
}

void FrozenTangents::apply(const Workspace& ws, std::size_t i, ForceTangent& out) const {
  out = entries_[i].tangent;
  const Mat3 Q = ws.parts[entries_[i].part].R * entries_[i].R_WP.transpose();
  for (auto* m : {&out.wrench.pose, &out.wrench.twist}) turn_rows(Q, *m);
  for (auto* m : {&out.wrench.c, &out.wrench.w}) turn_rows(Q, *m);
  turn_rows(Q, out.wrench.reaction);
  turn_inputs(Q, out.wrench);
  turn_inputs(Q, out.rate);
  turn_inputs(Q, out.algebraic);
}

}  // namespace monocoque
