#include "fe/rigid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/decompositions.h"
#include "core/index.h"
#include "fe/element.h"

namespace monocoque::fe {
namespace {

constexpr const char* kComponent[6] = {"u_x", "u_y", "u_z", "theta_x", "theta_y", "theta_z"};

class Resolver {
 public:
  Resolver(const io::FeMesh& mesh, const AssembleOptions& options, std::vector<char>& exists,
           std::vector<std::string>& notes, Diagnostics& d)
      : mesh_(mesh), options_(options), exists_(exists), notes_(notes), diagnostics_(d) {
    const std::size_t n = 6 * mesh.nodes.size();
    out_.row_of.assign(n, -1);
    out_.supported.assign(n, 0);
  }

  void add_supports() {
    for (const io::Support& s : mesh_.supports) {
      for (int k = 0; k < 6; ++k) {
        if (s.components >> k & 1) out_.supported[at(6 * s.node + k)] = 1;
      }
    }
  }

  void add(const io::RigidSpider& r) {
    const std::string name = fmt::format("RBE2 {}", r.id);
    const Vec3 origin = mesh_.nodes[at(r.independent)].p;
    for (const int d : r.dependent) {
      const Mat6 A = rigid_arm(mesh_.nodes[at(d)].p - origin);
      for (int k = 0; k < 6; ++k) {
        if (!(r.components >> k & 1)) continue;
        std::vector<Term> terms;
        for (int c = 0; c < 6; ++c) {
          if (A(k, c) != 0) terms.push_back({6 * r.independent + c, A(k, c)});
        }
        set(6 * d + k, std::move(terms), name);
      }
    }
  }

  void add(const io::MeanSpider& r);

  Dependencies finish() {
    state_.assign(out_.rows.size(), 0);
    for (int row = 0; row < static_cast<int>(out_.rows.size()); ++row) resolve(row);
    return std::move(out_);
  }

 private:
  void error(const std::string& element, std::string problem, std::string remedy) {
    diagnostics_.error(Place{mesh_.file, 0}, element, std::move(problem), std::move(remedy));
  }
  std::string dof_name(int dof) const {
    return fmt::format("{} of node {}", kComponent[dof % 6], mesh_.nodes[at(dof / 6)].id);
  }

  void set(int dof, std::vector<Term> terms, const std::string& name) {
    if (out_.depends(dof)) {
      const std::string& other = owner_[at(out_.row_of[at(dof)])];
      if (!told_.insert({name + other, dof / 6}).second) return;
      if (options_.first_rigid_wins) {
        notes_.push_back(
            fmt::format("{}: node {} follows {} already", name, mesh_.nodes[at(dof / 6)].id, other));
      } else {
        error(name, fmt::format("{} depends on {} already", dof_name(dof), other),
              "take the node out of one of the two, or join them into one");
      }
      return;
    }
    if (out_.supported[at(dof)]) {
      if (told_.insert({name, dof / 6}).second) {
        error(name, fmt::format("{} depends on it and is supported too", dof_name(dof)),
              "support the independent node instead");
      }
      return;
    }
    out_.row_of[at(dof)] = static_cast<int>(out_.rows.size());
    exists_[at(dof)] = 1;
    for (const Term& t : terms) exists_[at(t.dof)] = 1;
    out_.rows.push_back(std::move(terms));
    owner_.push_back(name);
  }

  void resolve(int row) {
    if (state_[at(row)] == 2) return;
    if (state_[at(row)] == 1) {
      if (told_.insert({"circle", 0}).second) {
        std::set<std::string> names(path_.begin(), path_.end());
        error(owner_[at(row)],
              fmt::format("its nodes depend on each other in a circle, through {}", fmt::join(names, ", ")),
              "let each node depend in one direction only");
      }
      return;
    }
    state_[at(row)] = 1;
    path_.push_back(owner_[at(row)]);
    std::map<int, double> sum;
    for (const Term& t : out_.rows[at(row)]) {
      if (out_.supported[at(t.dof)]) continue;
      if (!out_.depends(t.dof)) {
        sum[t.dof] += t.factor;
        continue;
      }
      resolve(out_.row_of[at(t.dof)]);
      for (const Term& inner : out_.row(t.dof)) sum[inner.dof] += t.factor * inner.factor;
    }
    std::vector<Term> terms;
    for (const auto& [dof, factor] : sum) {
      if (factor != 0) terms.push_back({dof, factor});
    }
    out_.rows[at(row)] = std::move(terms);
    path_.pop_back();
    state_[at(row)] = 2;
  }

  const io::FeMesh& mesh_;
  const AssembleOptions& options_;
  std::vector<char>& exists_;
  std::vector<std::string>& notes_;
  Diagnostics& diagnostics_;
  Dependencies out_;
  std::vector<std::string> owner_, path_;
  std::vector<char> state_;
  std::set<std::pair<std::string, int>> told_;
};

void Resolver::add(const io::MeanSpider& r) {
  const std::string name = fmt::format("RBE3 {}", r.id);
  const Vec3 origin = mesh_.nodes[at(r.reference)].p;
  double arm = 0, total = 0;
  for (const auto& leg : r.legs) {
    arm += leg.weight * (mesh_.nodes[at(leg.node)].p - origin).norm();
    total += leg.weight;
  }
  if (!(total > 0)) {
    error(name, fmt::format("the sum of its weights is {}, it must be > 0", total), "give weights > 0");
    return;
  }
  arm = arm > 0 ? arm / total : 1;
  struct LegRow {
    int dof;
    double weight;
    Vec6 s;  ///< d_leg = s . (u, arm theta) of the reference
  };
  std::vector<LegRow> rows;
  Mat6 gram = Mat6::Zero();
  int left_out = 0;
  for (const auto& leg : r.legs) {
    Mat6 S = rigid_arm(mesh_.nodes[at(leg.node)].p - origin);
    S.rightCols<3>() /= arm;
    for (int k = 0; k < 6; ++k) {
      if (!(leg.components >> k & 1)) continue;
      const int dof = 6 * leg.node + k;
      // A solid's node has no rotation that could be averaged.
      if (k >= 3 && !exists_[at(dof)]) {
        ++left_out;
        continue;
      }
      const double w = leg.weight * (k >= 3 ? arm * arm : 1);
      rows.push_back({dof, w, S.row(k).transpose()});
      gram += w * S.row(k).transpose() * S.row(k);
    }
  }
  if (left_out > 0) {
    notes_.push_back(
        fmt::format("{}: {} rotations of legs do not exist and are not averaged", name, left_out));
  }
  const Eigen::SelfAdjointEigenSolver<Mat6> eigen(gram);
  const double limit = 1e-10 * eigen.eigenvalues().maxCoeff();
  Mat6 inverse = Mat6::Zero(), null = Mat6::Zero();
  for (int k = 0; k < 6; ++k) {
    const Vec6 v = eigen.eigenvectors().col(k);
    if (eigen.eigenvalues()[k] > limit) {
      inverse += v * v.transpose() / eigen.eigenvalues()[k];
    } else {
      null += v * v.transpose();
    }
  }
  for (int k = 0; k < 6; ++k) {
    if (!(r.components >> k & 1)) continue;
    if (null(k, k) > 1e-8) {
      error(name, fmt::format("its legs do not determine {}", dof_name(6 * r.reference + k)),
            "add legs that are not on one line, or leave this component out");
      continue;
    }
    std::vector<Term> terms;
    const double unit = k >= 3 ? 1 / arm : 1;
    for (const LegRow& row : rows) {
      const double f = unit * row.weight * inverse.row(k).dot(row.s);
      if (f != 0) terms.push_back({row.dof, f});
    }
    set(6 * r.reference + k, std::move(terms), name);
  }
}

}  // namespace

Dependencies resolve_rigid(const io::FeMesh& mesh, const AssembleOptions& options, std::vector<char>& exists,
                           std::vector<std::string>& notes, Diagnostics& diagnostics) {
  Resolver resolver(mesh, options, exists, notes, diagnostics);
  if (options.use_supports) resolver.add_supports();
  // Rigid ones first: they may give rotations to nodes that an average needs.
  for (const io::RigidSpider& r : mesh.rigid) resolver.add(r);
  for (const io::MeanSpider& r : mesh.means) resolver.add(r);
  return resolver.finish();
}

}  // namespace monocoque::fe
