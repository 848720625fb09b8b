#include "dynamics/condensation.h"
#include "core/index.h"
#include "core/row_products.h"

#include <cmath>

namespace monocoque {

namespace {

constexpr int kMinCondensedModes = 12;  ///< elastic coordinates of a part from which condensing pays

/// Steps of one length differ by the rounding of the time.
bool same_block(const TangentWeights& a, const TangentWeights& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-9 * std::abs(x); };
  return near(a.mass * a.z_row, b.mass * b.z_row) && near(a.vel * a.z_row, b.vel * b.z_row) &&
         near(a.pos * a.z_row, b.pos * b.z_row);
}

}  // namespace

std::vector<char> Condensation::parts(const Workspace& ws) {
  std::vector<char> out(ws.model.parts.size(), 0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Part& part = ws.model.parts[i];
    out[i] = part.flexible >= 0 && part.nq() >= kMinCondensedModes && ws.flexible[at(part.flexible)].diagonal;
  }
  return out;
}

Condensation::Condensation(const Workspace& ws, const SystemLayout& layout)
    : model_(ws.model), layout_(layout) {
  for (std::size_t p = 0; p < model_.parts.size(); ++p) {
    if (!layout.condensed(p)) continue;
    const Part& part = model_.parts[p];
    Body b;
    b.part = p;
    b.cache = &ws.flexible[at(part.flexible)];
    const FlexibleBody& body = model_.flexible[at(part.flexible)];
    b.varying = body.Cr1[0].size() > 0 || body.Ct1[0].size() > 0;
    b.frame = layout.pattern().block_start(part.block);
    const auto port_row = [&](int row) { return row < b.cache->step_rows ? row : -1; };
    for (std::size_t n = 0; n < model_.joints.size(); ++n) {
      const JointInstance& joint = model_.joints[n];
      for (int row = 0; row < joint.joint->rows(); ++row) {
        Row r{n, row, layout.lambda_start() + joint.lambda_start + row, {}};
        for (int k = 0; k < joint.joint->marker_count(); ++k) {
          const Marker& marker = model_.markers[joint.markers[at(k)].at()];
          if (marker.part.at() != p || marker.shape < 0) continue;
          const ElasticMarker& e = ws.elastic[at(marker.shape)];
          r.ports.push_back({k, port_row(e.place), port_row(e.axes), Vec6::Zero()});
        }
        if (!r.ports.empty()) b.rows.push_back(std::move(r));
      }
    }
    b.size = 6 + static_cast<int>(b.rows.size());
    for (std::size_t n = 0; n < model_.forces.size(); ++n)
      for (std::size_t k = 0; k < 2; ++k) {
        const PortHandles& h = layout.forces[n].port[k];
        const Marker& marker = model_.markers[model_.forces[n].markers[k].at()];
        if (!h.valid() || marker.part.at() != p) continue;
        const ElasticMarker& e = ws.elastic[at(marker.shape)];
        b.ports.push_back({h.bits & 1 ? e.place : -1, h.bits & 2 ? e.axes : -1,
                           layout.pattern().block_start(h.y), layout.pattern().block_start(h.mu),
                           h.axes_offset()});
        b.size += h.size();
      }
    const Eigen::Index rows = b.cache->step_rows, nq = part.nq();
    b.inverse.setZero(nq);
    b.scratch.setZero(nq);
    b.F.setZero(rows, rows);
    b.F_N.setZero(rows, 6);
    b.N.setZero(6, nq);
    b.H.setZero(rows + 6, b.size);
    b.Z.setZero(b.size, b.size);
    b.port_values.setZero(rows);
    bodies_.push_back(std::move(b));
    // Where Z goes: unknown of each row and of each column.
    Body& own = bodies_.back();
    std::vector<int> row_index, column_index;
    for (int i = 0; i < 6; ++i) row_index.push_back(own.frame + i);
    for (const Row& r : own.rows) row_index.push_back(r.index);
    column_index = row_index;
    for (const PortOfForce& port : own.ports)
      for (int i = 0; i < (port.place >= 0 ? 3 : 0) + (port.axes >= 0 ? 3 : 0); ++i) {
        row_index.push_back(port.y + i);
        column_index.push_back(port.mu + i);
      }
    const BlockPattern& pattern = layout.pattern();
    const auto block_of = [&](int index) {
      int block = 0;
      while (index >= pattern.block_start(block) + pattern.block_size(block)) ++block;
      return block;
    };
    for (const int j : column_index)
      for (const int i : row_index) {
        const int bi = block_of(i), bj = block_of(j);
        const BlockHandle h = pattern.handle(bi, bj);
        own.places.push_back(h.base + (j - pattern.block_start(bj)) * h.stride + i - pattern.block_start(bi));
      }
    for (const PortOfForce& port : own.ports) {
      const int block = block_of(port.y);
      const BlockHandle h = pattern.handle(block, block);
      for (int i = 0; i < pattern.block_size(block); ++i) own.y_diagonal.push_back(h.base + i * h.stride + i);
    }
  }
}

void Condensation::update_compliance(const Workspace& ws, const TangentWeights& k, Body& b) {
  const FlexiblePart& cache = *b.cache;
  const auto P = cache.P.topRows(cache.step_rows);
  const bool fresh = !same_block(b.weights, k);
  b.R = ws.parts[b.part].R;
  if (fresh) {
    b.weights = k;
    b.inverse =
        (k.z_row * (k.mass * cache.mass + k.vel * cache.damping + k.pos * cache.stiffness)).cwiseInverse();
    for (Eigen::Index j = 0; j < b.F.cols(); ++j) {
      b.scratch = b.inverse.cwiseProduct(P.row(j).transpose());
      b.F.col(j).noalias() = P * b.scratch;
    }
  }
  if (!fresh && !b.varying) return;
  b.N.topRows<3>() = cache.Ct;
  b.N.bottomRows<3>() = cache.Cr;
  for (Eigen::Index j = 0; j < 6; ++j) {
    b.scratch = b.inverse.cwiseProduct(b.N.row(j).transpose());
    b.F_N.col(j).noalias() = P * b.scratch;
    b.F_NN.col(j).noalias() = b.N * b.scratch;
  }
}

/// H = F b of all columns (ports, then N), Z = a^T H of all rows.
void Condensation::fill(Body& b) {
  const Eigen::Index ports = b.F.rows();
  auto H_P = b.H.topRows(ports);
  auto H_N = b.H.bottomRows<6>();
  const double m = b.mass_factor;
  const Mat3 R_m = m * b.R;
  H_P.leftCols<3>().noalias() = b.F_N.leftCols<3>().lazyProduct(R_m.transpose());
  H_P.middleCols<3>(3) = m * b.F_N.rightCols<3>();
  H_N.leftCols<3>().noalias() = b.F_NN.leftCols<3>() * R_m.transpose();
  H_N.middleCols<3>(3) = m * b.F_NN.rightCols<3>();
  Eigen::Index j = 6;
  for (const Row& row : b.rows) {
    auto column = H_P.col(j);
    auto column_N = H_N.col(j);
    column.setZero();
    column_N.setZero();
    const auto add = [&](int first, const Vec3& f) {
      for (int c = 0; c < 3; ++c) {
        column += f[c] * b.F.col(first + c);
        column_N += f[c] * b.F_N.row(first + c).transpose();
      }
    };
    for (const PortOfRow& port : row.ports) {
      if (port.place >= 0) add(port.place, b.column_factor * port.coefficients.head<3>());
      if (port.axes >= 0) add(port.axes, b.column_factor * port.coefficients.tail<3>());
    }
    ++j;
  }
  const auto copy = [&](int first) {
    if (first < 0) return;
    H_P.middleCols<3>(j) = b.F.middleCols<3>(first);
    H_N.middleCols<3>(j) = b.F_N.middleRows<3>(first).transpose();
    j += 3;
  };
  for (const PortOfForce& port : b.ports) {
    copy(port.place);
    copy(port.axes);
  }
  for (Eigen::Index c = 0; c < b.size; ++c) {
    const double* h = b.H.col(c).data();
    double* z = b.Z.col(c).data();
    const Eigen::Map<const Vec3> along(h + ports), about(h + ports + 3);
    Eigen::Map<Vec3>(z).noalias() = R_m * along;
    Eigen::Map<Vec3>(z + 3) = m * about;
    z += 6;
    for (const Row& row : b.rows) {
      double sum = 0;
      for (const PortOfRow& port : row.ports) {
        const Vec6& a = port.coefficients;
        if (port.place >= 0)
          sum += a[0] * h[port.place] + a[1] * h[port.place + 1] + a[2] * h[port.place + 2];
        if (port.axes >= 0) sum += a[3] * h[port.axes] + a[4] * h[port.axes + 1] + a[5] * h[port.axes + 2];
      }
      *z++ = b.row_factor * sum;
    }
    for (const PortOfForce& port : b.ports)
      for (const int first : {port.place, port.axes})
        for (int i = 0; first >= 0 && i < 3; ++i) *z++ = -h[first + i];
  }
}

void Condensation::assemble(const Workspace& ws, const TangentWeights& k, ConstraintLevel level,
                            BlockMatrix& A) {
  const double of_level = level == ConstraintLevel::position ? k.pos : k.vel;
  for (Body& b : bodies_) {
    update_compliance(ws, k, b);
    b.mass_factor = k.mass * k.z_row;
    b.row_factor = of_level * k.lambda_row;
    b.column_factor = k.algebraic * k.z_row * k.lambda_column;
    for (Row& row : b.rows)
      for (PortOfRow& port : row.ports)
        port.coefficients = ws.joints[row.joint].port(port.marker).row(row.row).transpose();
    fill(b);
    double* values = A.values();
    const double* z = b.Z.data();
    for (std::size_t i = 0; i < b.places.size(); ++i) values[b.places[i]] -= z[i];
    for (const int place : b.y_diagonal) values[place] += 1;
  }
}

void Condensation::reduce(const VecX& rhs, VecX& out) {
  for (std::size_t p = 0; p < model_.parts.size(); ++p) {
    const Part& part = model_.parts[p];
    if (part.block < 0) continue;
    const int n = layout_.pattern().block_size(part.block);
    out.segment(layout_.pattern().block_start(part.block), n) = rhs.segment(part.z_start, n);
  }
  const int rest = model_.nc + model_.nlambda + model_.nw;
  out.segment(layout_.c_start(), rest) = rhs.segment(model_.nz, rest);
  out.tail(out.size() - layout_.c_start() - rest).setZero();
  for (Body& b : bodies_) {
    const Part& part = model_.parts[b.part];
    b.scratch = b.inverse.cwiseProduct(rhs.segment(part.z_start + 6, part.nq()));
    if ((b.scratch.array() == 0).all()) continue;  // projections
    rows_times(b.cache->P.data(), b.cache->step_rows, part.nq(), b.scratch.data(), b.port_values.data());
    const Vec6 along = b.N * b.scratch;
    out.segment<3>(b.frame) -= b.mass_factor * (b.R * along.head<3>());
    out.segment<3>(b.frame + 3) -= b.mass_factor * along.tail<3>();
    for (const Row& row : b.rows)
      for (const PortOfRow& port : row.ports) {
        if (port.place >= 0)
          out[row.index] -=
              b.row_factor * port.coefficients.head<3>().dot(b.port_values.segment<3>(port.place));
        if (port.axes >= 0)
          out[row.index] -=
              b.row_factor * port.coefficients.tail<3>().dot(b.port_values.segment<3>(port.axes));
      }
    for (const PortOfForce& port : b.ports) {
      if (port.place >= 0) out.segment<3>(port.y) += b.port_values.segment<3>(port.place);
      if (port.axes >= 0) out.segment<3>(port.y + port.axes_offset) += b.port_values.segment<3>(port.axes);
    }
  }
}

void Condensation::expand(const VecX& solution, VecX& rhs) {
  for (Body& b : bodies_) {
    const Part& part = model_.parts[b.part];
    VecX& force = b.port_values;
    force.setZero();
    for (const Row& row : b.rows) {
      const double lambda = b.column_factor * solution[row.index];
      for (const PortOfRow& port : row.ports) {
        if (port.place >= 0) force.segment<3>(port.place) += lambda * port.coefficients.head<3>();
        if (port.axes >= 0) force.segment<3>(port.axes) += lambda * port.coefficients.tail<3>();
      }
    }
    for (const PortOfForce& port : b.ports) {
      if (port.place >= 0) force.segment<3>(port.place) += solution.segment<3>(port.mu);
      if (port.axes >= 0) force.segment<3>(port.axes) += solution.segment<3>(port.mu + port.axes_offset);
    }
    Vec6 frame;
    frame << b.R.transpose() * solution.segment<3>(b.frame), solution.segment<3>(b.frame + 3);
    frame *= b.mass_factor;
    auto q = rhs.segment(part.z_start + 6, part.nq());
    add_rows(b.cache->P.data(), b.cache->step_rows, part.nq(), -1, force.data(), q.data());
    q.noalias() -= b.N.transpose().lazyProduct(frame);
    q.array() *= b.inverse.array();
  }
  for (const Part& part : model_.parts) {
    if (part.block < 0) continue;
    const int n = layout_.pattern().block_size(part.block);
    rhs.segment(part.z_start, n) = solution.segment(layout_.pattern().block_start(part.block), n);
  }
  const int rest = model_.nc + model_.nlambda + model_.nw;
  rhs.segment(model_.nz, rest) = solution.segment(layout_.c_start(), rest);
}

}  // namespace monocoque
