#include "fe/unknowns.h"
#include "core/decompositions.h"
#include "core/index.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace monocoque::fe {
namespace {

/// Diagonal blocks of nodes whose stiffness is not evident from their elements.
struct Blocks {
  std::vector<int> index;  ///< per node, -1: evident
  std::vector<Mat6> K, M;
};

/// Collects "17, 18, 19 and 240 more".
class Examples {
 public:
  void add(long id, double mass = 0) {
    if (++count_ <= 3) text_ += (count_ > 1 ? ", " : "") + std::to_string(id);
    mass_ += mass;
  }
  int count() const { return count_; }
  double mass() const { return mass_; }
  std::string text() const { return count_ > 3 ? fmt::format("{} and {} more", text_, count_ - 3) : text_; }

 private:
  int count_ = 0;
  double mass_ = 0;
  std::string text_;
};

class Finder {
 public:
  Finder(const io::FeMesh& mesh, const Items& items, const Dependencies& rigid,
         const std::vector<char>& exists)
      : mesh_(mesh),
        items_(items),
        rigid_(rigid),
        exists_(exists),
        nodes_(static_cast<int>(mesh.nodes.size())) {}

  Unknowns run(std::vector<std::string>& notes) {
    choose_special();
    add_blocks();
    out_.first.assign(at(nodes_) + 1, 0);
    out_.stiff.assign(at(nodes_), {});
    for (int n = 0; n < nodes_; ++n) {
      out_.first[at(n)] = out_.size();
      add_node(n);
    }
    out_.first[at(nodes_)] = out_.size();
    build_map();
    tell(notes);
    return std::move(out_);
  }

 private:
  bool free(int dof) const { return exists_[at(dof)] && !rigid_.depends(dof) && !rigid_.supported[at(dof)]; }

  void choose_special() {
    std::vector<char> held(6 * at(nodes_), 0);
    Item item;
    for (int i = 0; i < items_.size(); ++i) {
      if (!items_.holds_every_component(i)) continue;
      items_.dofs(i, item);
      for (int k = 0; k < item.size; ++k) held[at(item.dofs[k])] = 1;
    }
    blocks_.index.assign(at(nodes_), -1);
    const auto special = [&](int node) {
      int& index = blocks_.index[at(node)];
      if (index >= 0) return;
      index = static_cast<int>(blocks_.K.size());
      blocks_.K.push_back(Mat6::Zero());
      blocks_.M.push_back(Mat6::Zero());
    };
    for (int dof = 0; dof < 6 * nodes_; ++dof) {
      if (free(dof) && !held[at(dof)]) special(dof / 6);
    }
    for (const auto& row : rigid_.rows) {
      for (const Term& t : row) special(t.dof / 6);
    }
  }

  /// Rows of the motion of one nodal component in free components.
  template <class Visit>
  void expand(int dof, const Visit& visit) const {
    if (rigid_.depends(dof)) {
      for (const Term& t : rigid_.row(dof)) visit(t.dof, t.factor);
    } else if (free(dof)) {
      visit(dof, 1.0);
    }
  }

  bool touches_special(const Item& item) const {
    for (int k = 0; k < item.size; ++k) {
      if (rigid_.depends(item.dofs[k]) || blocks_.index[at(item.dofs[k] / 6)] >= 0) return true;
    }
    return false;
  }

  void add_blocks() {
    Item item;
    for (int i = 0; i < items_.size(); ++i) {
      items_.dofs(i, item);
      if (!touches_special(item)) continue;
      if (items_.compute(i, item)) continue;  // reported when everything is assembled
      add_item(item);
    }
  }

  /// Sum over pairs of components that end at the same node.
  void add_item(const Item& item) {
    struct Part {
      int node, component, local;
      double factor;
    };
    thread_local std::vector<Part> parts;
    parts.clear();
    for (int k = 0; k < item.size; ++k) {
      expand(item.dofs[k], [&](int dof, double f) {
        if (blocks_.index[at(dof / 6)] >= 0) parts.push_back({dof / 6, dof % 6, k, f});
      });
    }
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.node < b.node; });
    for (std::size_t begin = 0; begin < parts.size();) {
      std::size_t end = begin;
      while (end < parts.size() && parts[end].node == parts[begin].node) ++end;
      const std::size_t block = at(blocks_.index[at(parts[begin].node)]);
      for (std::size_t a = begin; a < end; ++a) {
        for (std::size_t b = begin; b < end; ++b) {
          const double f = parts[a].factor * parts[b].factor;
          blocks_.K[block](parts[a].component, parts[b].component) +=
              f * item.matrices.K(parts[a].local, parts[b].local);
          blocks_.M[block](parts[a].component, parts[b].component) +=
              f * item.matrices.M(parts[a].local, parts[b].local);
        }
      }
      begin = end;
    }
  }

  void add_unknown(int node, const Vec6& direction) { out_.list.push_back({node, direction}); }

  void add_node(int n) {
    std::vector<int> components;
    for (int k = 0; k < 6; ++k) {
      if (free(6 * n + k)) components.push_back(k);
      out_.stiff[at(n)][at(k)] = rigid_.supported[at(6 * n + k)] != 0;
    }
    const int index = blocks_.index[at(n)];
    if (index < 0) {
      for (const int k : components) {
        add_unknown(n, Vec6::Unit(k));
        out_.stiff[at(n)][at(k)] = true;
      }
      return;
    }
    if (!components.empty()) add_special(n, components, blocks_.K[at(index)], blocks_.M[at(index)]);
  }

  void add_special(int n, std::vector<int> components, const Mat6& K, const Mat6& M) {
    const Mat3 K_u = K.topLeftCorner<3, 3>(), K_r = K.bottomRightCorner<3, 3>();
    const double limit_u = 1e-13 * K_u.trace(), limit_r = 1e-13 * K_r.trace();
    const auto dead = [&](int k) { return !(K(k, k) > (k < 3 ? limit_u : limit_r)); };
    if (std::all_of(components.begin(), components.end(), dead)) {
      (M(0, 0) > 0 ? lost_ : loose_).add(mesh_.nodes[at(n)].id, M(0, 0));
      return;
    }
    // Components without any stiffness; translations with mass stay.
    std::vector<int> kept;
    for (const int k : components) {
      if (!dead(k)) {
        kept.push_back(k);
        out_.stiff[at(n)][at(k)] = true;
      } else if (k < 3 && M(k, k) > 0) {
        kept.push_back(k);
        mechanism_.add(mesh_.nodes[at(n)].id);
      } else if (k >= 3 && M(k, k) > 0) {
        inertia_.add(mesh_.nodes[at(n)].id);
      }
    }
    const MatX null = null_motions(kept, K, M, n);
    if (null.cols() == 0) {
      for (const int k : kept) add_unknown(n, Vec6::Unit(k));
      return;
    }
    const Eigen::HouseholderQR<MatX> qr(null);
    const MatX Q = MatX(qr.householderQ()).rightCols(null.rows() - null.cols());
    for (Eigen::Index c = 0; c < Q.cols(); ++c) {
      Vec6 direction = Vec6::Zero();
      for (std::size_t k = 0; k < kept.size(); ++k) direction[kept[k]] = Q(static_cast<Eigen::Index>(k), c);
      add_unknown(n, direction);
    }
  }

  /// Combinations of the kept components without energy, as columns: massless ones and pure rotations.
  MatX null_motions(const std::vector<int>& kept, const Mat6& K, const Mat6& M, int n) {
    const int size = static_cast<int>(kept.size());
    MatX k(size, size), m(size, size);
    VecX scale(size);
    for (int i = 0; i < size; ++i) {
      const double d = K(kept[at(i)], kept[at(i)]);
      scale[i] = d > 0 ? 1 / std::sqrt(d) : 1;
    }
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        k(i, j) = scale[i] * K(kept[at(i)], kept[at(j)]) * scale[j];
        m(i, j) = M(kept[at(i)], kept[at(j)]);
      }
    }
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(k);
    MatX null(size, 0);
    for (int c = 0; c < size; ++c) {
      if (eigen.eigenvalues()[c] > 1e-9) continue;
      VecX v = scale.asDiagonal() * eigen.eigenvectors().col(c);
      v.normalize();
      double translation = 0;
      for (int i = 0; i < size; ++i) {
        if (kept[at(i)] < 3) translation += v[i] * v[i];
      }
      const bool massive = v.dot(m * v) > 1e-9 * m.trace() && m.trace() > 0;
      if (massive && translation > 1e-12) {
        mechanism_.add(mesh_.nodes[at(n)].id);
        continue;
      }
      null.conservativeResize(size, null.cols() + 1);
      null.col(null.cols() - 1) = v;
    }
    return null;
  }

  void build_map() {
    out_.to_nodes.resize(6 * nodes_, out_.size());
    Eigen::VectorXi count = Eigen::VectorXi::Zero(6 * nodes_);
    const auto unknowns_of = [&](int dof, double factor, const auto& visit) {
      for (int u = out_.first[at(dof / 6)]; u < out_.first[at(dof / 6) + 1]; ++u) {
        const double v = out_.list[at(u)].direction[dof % 6];
        if (v != 0) visit(u, factor * v);
      }
    };
    const auto row = [&](int dof, const auto& visit) {
      expand(dof, [&](int source, double factor) { unknowns_of(source, factor, visit); });
    };
    for (int dof = 0; dof < 6 * nodes_; ++dof) row(dof, [&](int, double) { ++count[dof]; });
    out_.to_nodes.reserve(count);
    std::vector<std::pair<int, double>> entries;
    for (int dof = 0; dof < 6 * nodes_; ++dof) {
      entries.clear();
      row(dof, [&](int u, double f) { entries.emplace_back(u, f); });
      std::sort(entries.begin(), entries.end());
      for (std::size_t i = 0; i < entries.size(); ++i) {
        double sum = entries[i].second;
        while (i + 1 < entries.size() && entries[i + 1].first == entries[i].first) sum += entries[++i].second;
        out_.to_nodes.insert(dof, entries[i].first) = sum;
      }
      if (rigid_.depends(dof)) out_.stiff[at(dof / 6)][at(dof % 6)] = !entries.empty();
    }
    out_.to_nodes.makeCompressed();
  }

  void tell(std::vector<std::string>& notes) const {
    const auto add = [&](const Examples& e, const std::string& text) {
      if (e.count() > 0) notes.push_back(text);
    };
    add(loose_, fmt::format("{} nodes without stiffness and mass are left out (node {})", loose_.count(),
                            loose_.text()));
    add(lost_,
        fmt::format("{} nodes with {:.6g} kg have no stiffness and are left out with their mass (node {})",
                    lost_.count(), lost_.mass(), lost_.text()));
    add(mechanism_,
        fmt::format(
            "{} motions of nodes have mass but no stiffness: mechanisms with zero frequency (node {})",
            mechanism_.count(), mechanism_.text()));
    add(inertia_, fmt::format("rotary inertia at {} rotations without stiffness is left out (node {})",
                              inertia_.count(), inertia_.text()));
  }

  const io::FeMesh& mesh_;
  const Items& items_;
  const Dependencies& rigid_;
  const std::vector<char>& exists_;
  int nodes_;
  Blocks blocks_;
  Unknowns out_;
  Examples loose_, lost_, mechanism_, inertia_;
};

}  // namespace

Unknowns find_unknowns(const io::FeMesh& mesh, const Items& items, const Dependencies& rigid,
                       const std::vector<char>& exists, std::vector<std::string>& notes) {
  return Finder(mesh, items, rigid, exists).run(notes);
}

void report(const io::FeMesh& mesh, int i, const Fault& fault, Diagnostics& diagnostics) {
  const io::FeElement& e = mesh.elements[at(i)];
  diagnostics.error(Place{mesh.file, 0}, fmt::format("{} {}", kind_name(e.kind), e.id),
                    fmt::format("{} is {:.4g}, {}", fault.quantity, fault.value, fault.rule), fault.remedy);
}

}  // namespace monocoque::fe
