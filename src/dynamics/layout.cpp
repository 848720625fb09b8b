#include "dynamics/layout.h"
#include "core/index.h"

namespace monocoque {

namespace {

int part_block(const Model& model, MarkerIndex marker) {
  return model.parts[model.markers[marker.at()].part.at()].block;
}

/// Blocks of ports on condensed parts.
template <class Visit>
void visit_ports(const Model& model, const ForceInstance& force, int c, int w, int lambda, ForceHandles& h,
                 Visit&& couple) {
  for (std::size_t k = 0; k < 2; ++k) {
    PortHandles& port = h.port[k];
    if (!port.valid()) continue;
    couple(port.mu, port.mu, port.diagonal);
    for (std::size_t l = 0; l < 2; ++l) {
      const int part = part_block(model, force.markers[l]);
      couple(part, port.y, port.part_y[l]);
      couple(port.mu, part, port.mu_part[l]);
      if (h.port[l].valid()) couple(port.mu, h.port[l].y, port.mu_y[l]);
    }
    couple(c, port.y, port.c_y);
    couple(port.mu, c, port.mu_c);
    couple(w, port.y, port.w_y);
    couple(port.mu, w, port.mu_w);
    couple(port.mu, lambda, port.mu_lambda);
  }
}

/// The condensed coordinates couple whatever touches their part: frame, multipliers, y and mu.
template <class Visit>
void visit_condensed(const Model& model, std::size_t part, const std::vector<int>& lambda_block,
                     const std::vector<ForceHandles>& forces, Visit&& couple) {
  std::vector<int> rows{model.parts[part].block}, columns = rows;
  const auto on_part = [&](MarkerIndex m) { return m.valid() && model.markers[m.at()].part.at() == part; };
  for (std::size_t n = 0; n < model.joints.size(); ++n)
    for (int k = 0; k < model.joints[n].joint->marker_count(); ++k)
      if (lambda_block[n] >= 0 && on_part(model.joints[n].markers[at(k)])) {
        rows.push_back(lambda_block[n]);
        columns.push_back(lambda_block[n]);
        break;
      }
  for (std::size_t n = 0; n < model.forces.size(); ++n)
    for (std::size_t k = 0; k < 2; ++k)
      if (forces[n].port[k].valid() && on_part(model.forces[n].markers[k])) {
        rows.push_back(forces[n].port[k].y);
        columns.push_back(forces[n].port[k].mu);
      }
  for (const int i : rows)
    for (const int j : columns) couple(i, j);
}

/// Calls visit(row block, column block, handle to set) for every block of the system, so that declaring the
/// pattern and fetching the handles cannot differ.
template <class Visit>
void visit_blocks(const Model& model, bool iteration, const std::vector<int>& c_block,
                  const std::vector<int>& lambda_block, const std::vector<int>& w_block,
                  std::vector<JointHandles>& joints, std::vector<ForceHandles>& forces, Visit&& visit) {
  const auto couple = [&](int i, int j, BlockHandle& h) {
    if (i >= 0 && j >= 0) visit(i, j, h);
  };
  for (std::size_t n = 0; n < model.joints.size(); ++n) {
    const JointInstance& joint = model.joints[n];
    const int lambda = lambda_block[n];
    couple(lambda, lambda, joints[n].diagonal);
    for (int k = 0; k < joint.joint->marker_count(); ++k) {
      const int part = part_block(model, joint.markers[at(k)]);
      couple(lambda, part, joints[n].G[k]);
      couple(part, lambda, joints[n].GT[k]);
      for (int l = 0; iteration && l < joint.joint->marker_count(); ++l)
        couple(part, part_block(model, joint.markers[at(l)]), joints[n].K[k][l]);
    }
  }
  for (std::size_t n = 0; n < model.forces.size(); ++n) {
    const ForceInstance& force = model.forces[n];
    ForceHandles& h = forces[n];
    const int c = iteration ? c_block[n] : -1, w = w_block[n];
    const int lambda = force.watched.valid() ? lambda_block[force.watched.at()] : -1;
    for (std::size_t k = 0; k < 2; ++k) {
      const int part = part_block(model, force.markers[k]);
      for (std::size_t l = 0; iteration && l < 2; ++l)
        couple(part, part_block(model, force.markers[l]), h.K[k][l]);
      couple(part, c, h.part_c[k]);
      couple(c, part, h.c_part[k]);
      couple(part, w, h.part_w[k]);
      if (iteration) couple(w, part, h.w_part[k]);
      couple(part, lambda, h.part_lambda[k]);
    }
    couple(c, c, h.cc);
    couple(w, w, h.ww);
    couple(c, w, h.cw);
    couple(w, c, h.wc);
    couple(c, lambda, h.c_lambda);
    couple(w, lambda, h.w_lambda);
    visit_ports(model, force, c, w, lambda, h, couple);
  }
}

}  // namespace

int SystemLayout::count(const Model& model, SystemKind kind) {
  return model.nz + model.nlambda + model.nw + (kind == SystemKind::iteration ? model.nc : 0);
}

SystemLayout::SystemLayout(const Model& model, SystemKind kind, bool dense, std::vector<char> condensed,
                           std::vector<char> rigid_to_forces)
    : mass(model.parts.size()),
      joints(model.joints.size()),
      forces(model.forces.size()),
      condensed_(std::move(condensed)),
      rigid_to_forces_(std::move(rigid_to_forces)) {
  const bool iteration = kind == SystemKind::iteration;
  std::vector<int> sizes, c_block(model.forces.size(), -1), w_block(model.forces.size(), -1);
  std::vector<int> lambda_block(model.joints.size(), -1);
  const auto add = [&](int size) {
    sizes.push_back(size);
    return static_cast<int>(sizes.size()) - 1;
  };
  int z_count = 0;
  for (std::size_t i = 0; i < model.parts.size(); ++i)
    if (model.parts[i].block >= 0) {
      add(this->condensed(i) ? 6 : model.parts[i].z_size);
      z_count += sizes.back();
    }
  c_start_ = z_count;
  for (std::size_t i = 0; iteration && i < model.forces.size(); ++i)
    if (model.forces[i].force->state_count() > 0) c_block[i] = add(model.forces[i].force->state_count());
  lambda_start_ = z_count + (iteration ? model.nc : 0);
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    if (model.joints[i].joint->rows() > 0) lambda_block[i] = add(model.joints[i].joint->rows());
  w_start_ = lambda_start_ + model.nlambda;
  for (std::size_t i = 0; i < model.forces.size(); ++i)
    if (model.forces[i].force->algebraic_count() > 0)
      w_block[i] = add(model.forces[i].force->algebraic_count());

  for (std::size_t i = 0; i < model.forces.size(); ++i)
    for (std::size_t k = 0; k < 2; ++k) {
      const Marker& marker = model.markers[model.forces[i].markers[k].at()];
      const std::size_t part = marker.part.at();
      if (marker.shape < 0 || !this->condensed(part) || this->rigid_to_forces(part)) continue;
      PortHandles& port = forces[i].port[k];
      port.bits = model.forces[i].force->uses() >> (2 * k) & 3;
      port.mu = add(port.size());
    }
  for (ForceHandles& force : forces)  // all mu, then all y: they come in groups
    for (PortHandles& port : force.port)
      if (port.mu >= 0) port.y = add(port.size());
  lambda_block_ = lambda_block;

  pattern_ = std::make_unique<BlockPattern>(std::move(sizes));
  visit_blocks(model, iteration, c_block, lambda_block, w_block, joints, forces,
               [&](int i, int j, BlockHandle&) { pattern_->couple(i, j); });
  for (std::size_t p = 0; p < condensed_.size(); ++p)
    if (condensed_[p])
      visit_condensed(model, p, lambda_block, forces, [&](int i, int j) { pattern_->couple(i, j); });
  pattern_->finish(dense);
  for (std::size_t i = 0; i < model.parts.size(); ++i)
    if (model.parts[i].block >= 0) mass[i] = pattern_->handle(model.parts[i].block, model.parts[i].block);
  visit_blocks(model, iteration, c_block, lambda_block, w_block, joints, forces,
               [&](int i, int j, BlockHandle& h) { h = pattern_->handle(i, j); });
}

}  // namespace monocoque
