#include "integrate/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/decompositions.h"
#include "core/error_kinds.h"
#include "core/rotation.h"
#include "dynamics/assembly.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"
#include "integrate/consistent.h"
#include "solve/acceleration_system.h"
#include "solve/rank_analysis.h"

namespace monocoque {

namespace {

constexpr int kMostRestIterations = 60;
constexpr double kRestBalance = 1e-7;    ///< N or Nm, beside rounding
constexpr double kRestRounding = 1e-13;  ///< of the largest force
constexpr double kClosed = 1e-10;        ///< m or rad
constexpr double kLargestMove = 0.05;    ///< m or rad in one iteration
constexpr double kSingular = 1e-13;      ///< reciprocal condition of the scaled matrix
constexpr double kMostDamping = 200;     ///< 1/s^2
constexpr double kLooseAlpha = 1e-3;     ///< 1/s^2; what nothing holds stays, all else hardly feels it
constexpr int kLargeSystem = 400;        ///< above it orthogonal decompositions take seconds

class RestProblem {
 public:
  RestProblem(Workspace& ws, State& s, std::vector<char> held)
      : ws_(ws),
        s_(s),
        held_(std::move(held)),
        layout_(ws.model, SystemKind::iteration, true),
        A_(layout_.pattern()) {
    const Model& model = ws.model;
    rest_ = VecX::Zero(model.nz);
    s.z.setZero();
    evaluate(ws_, s_);
    TangentWeights mass;
    mass.mass = 1;
    assemble_iteration(ws_, s_, rest_, mass, ConstraintLevel::position, layout_, A_);
    const VecX masses = A_.to_dense().diagonal();
    scale_ = VecX::Ones(layout_.size());
    for (Eigen::Index i = 0; i < model.nz; ++i) scale_[i] = 1 / std::sqrt(std::max(masses[i], 1e-9));
  }

  /// (-f + G^T lambda, -c_dot, g, b) in the order of the layout.
  VecX residual() {
    evaluate(ws_, s_);
    const Model& model = ws_.model;
    VecX R = VecX::Zero(layout_.size());
    VecX reaction = VecX::Zero(model.nz);
    add_constraint_forces(ws_, s_.lambda, 1, reaction);
    R.head(model.nz) = reaction - ws_.f;
    largest_ = model.nz > 0 ? ws_.f.lpNorm<Eigen::Infinity>() + reaction.lpNorm<Eigen::Infinity>() : 0;
    for (std::size_t i = 0; i < held_.size(); ++i)
      if (held_[i]) R[static_cast<Eigen::Index>(i)] = 0;
    R.segment(layout_.c_start(), model.nc) = -ws_.c_dot;
    R.segment(layout_.lambda_start(), model.nlambda) = ws_.g;
    R.segment(layout_.w_start(), model.nw) = ws_.b;
    return R;
  }

  double unbalanced(const VecX& R) const {
    return ws_.model.nz > 0 ? R.head(ws_.model.nz).lpNorm<Eigen::Infinity>() : 0;
  }
  bool solved(const VecX& R) const {
    const int nl = ws_.model.nlambda;
    const double open = nl > 0 ? R.segment(layout_.lambda_start(), nl).lpNorm<Eigen::Infinity>() : 0;
    return unbalanced(R) < kRestBalance + kRestRounding * largest_ && open < kClosed;
  }

  /// One step of (alpha M + K) d = -R; its largest move, negative when it leads nowhere.
  double step(const VecX& R, double alpha) {
    const Model& model = ws_.model;
    VecX d = solve(R, alpha);
    double move = 0;
    for (const Part& part : model.parts)
      if (part.moves())
        move = std::max(move, d.segment(part.z_start, part.rigid_size()).lpNorm<Eigen::Infinity>());
    if (!(move < 1e6) || !d.allFinite()) return -1;
    if (move > kLargestMove) d *= kLargestMove / move;
    retract(model, s_.x, d.head(model.nz), s_.x);
    s_.c += d.segment(layout_.c_start(), model.nc);
    s_.lambda += d.segment(layout_.lambda_start(), model.nlambda);
    s_.w += d.segment(layout_.w_start(), model.nw);
    if (redundant_ > 0) choose_rows();
    return std::min(move, kLargestMove);
  }

  /// From now on every step chooses which redundant rows are left out: those left out at the start may be
  /// needed elsewhere (Bricard's mechanism). False: there are none.
  bool let_rows_change() {
    redundant_ = std::count(ws_.active.begin(), ws_.active.end(), char{0});
    return redundant_ > 0;
  }

  MatX matrix(double alpha) {
    TangentWeights k;
    k.pos = k.algebraic = 1;
    k.mass = alpha;
    assemble_iteration(ws_, s_, rest_, k, ConstraintLevel::position, layout_, A_);
    MatX J = A_.to_dense();
    let_inner_states_follow(J);
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (!held_[i]) continue;
      const auto at = static_cast<Eigen::Index>(i);
      J.row(at).setZero();
      J.col(at).setZero();
      J(at, at) = 1;
    }
    return J;
  }

  const SystemLayout& layout() const { return layout_; }
  State& state() { return s_; }

 private:
  VecX solve(const VecX& R, double alpha) {
    MatX J = matrix(alpha) * scale_.asDiagonal();
    // Rows differ by the units of what they balance; a row of zeros stays one.
    VecX rows = J.rowwise().norm();
    for (double& r : rows) r = r > 0 ? 1 / r : 1;
    J = rows.asDiagonal() * J;
    const VecX b = rows.asDiagonal() * R;
    const Eigen::PartialPivLU<MatX> lu(J);
    if (lu.rcond() > kSingular) return -(scale_.asDiagonal() * VecX(lu.solve(b)));
    if (J.rows() > kLargeSystem && alpha == 0) return solve(R, kLooseAlpha);
    Eigen::CompleteOrthogonalDecomposition<MatX> qr;
    qr.setThreshold(1e-12);
    qr.compute(J);
    return -(scale_.asDiagonal() * VecX(qr.solve(b)));
  }

  /// As many rows as before; the reactions stay, whichever rows bring them about.
  void choose_rows() {
    evaluate(ws_, s_);
    const auto G = constraint_matrix(ws_);
    for (const double tolerance :
         {1e-6, 1e-4, 1e-2, 0.1}) {  // an open mechanism has dependent rows only nearly
      const RankReport rank = analyse_rank(G, tolerance);
      if (static_cast<std::ptrdiff_t>(rank.dependent.size()) < redundant_) continue;
      std::vector<char> active(ws_.active.size(), char{1});
      for (const DependentRow& row : rank.dependent) active[static_cast<std::size_t>(row.row)] = 0;
      if (static_cast<std::ptrdiff_t>(rank.dependent.size()) > redundant_ || active == ws_.active) return;
      VecX reaction = VecX::Zero(ws_.model.nz);
      add_constraint_forces(ws_, s_.lambda, 1, reaction);
      ws_.active = active;
      const std::vector<int>& kept = rank.independent;
      const VecX lambda = MatX(MatX(G)(kept, Eigen::all).transpose()).colPivHouseholderQr().solve(reaction);
      s_.lambda.setZero();
      for (std::size_t k = 0; k < kept.size(); ++k) s_.lambda[kept[k]] = lambda[static_cast<Eigen::Index>(k)];
      return;
    }
  }

  /// An inner state that rests wherever it is (the tread of a tire at standstill) has got there by the
  /// motion: c' = C_v z, so dc = C_v dx. It then pulls back like the spring that it is.
  void let_inner_states_follow(MatX& J) {
    const int nc = ws_.model.nc, start = layout_.c_start();
    std::vector<Eigen::Index> follow;
    for (Eigen::Index i = start; i < start + nc; ++i)
      if (J.row(i).isZero(0)) follow.push_back(i);
    if (follow.empty()) return;
    TangentWeights k;
    k.vel = 1;
    assemble_iteration(ws_, s_, rest_, k, ConstraintLevel::position, layout_, A_);
    const MatX by_rate = A_.to_dense();
    for (const Eigen::Index i : follow) {
      J.row(i).head(ws_.model.nz) = by_rate.row(i).head(ws_.model.nz);
      J(i, i) = 1;
    }
  }

  Workspace& ws_;
  State& s_;
  std::vector<char> held_;
  SystemLayout layout_;
  BlockMatrix A_;
  VecX rest_, scale_;
  double largest_ = 0;
  std::ptrdiff_t redundant_ = 0;
};

/// Newton for R(x) = (1 - tau) R_0 from where the state is.
bool newton_to_rest(RestProblem& problem, const VecX& shift, int most, int& iterations, double alpha = 0) {
  VecX R = problem.residual() - shift;
  for (int k = 0; k < most; ++k, ++iterations) {
    if (problem.solved(R)) return true;
    if (problem.step(R, alpha) < 0) return false;
    R = problem.residual() - shift;
    if (!R.allFinite()) return false;
  }
  return problem.solved(R);
}

bool load_steps_to_rest(RestProblem& problem, int& iterations) {
  const VecX R0 = problem.residual();
  State good = problem.state();
  for (double tau = 0, step = 0.125; tau < 1;) {
    const double next = std::min(1.0, tau + step);
    if (newton_to_rest(problem, (1 - next) * R0, 15, iterations)) {
      tau = next;
      step *= 2;
      good = problem.state();
      continue;
    }
    problem.state() = good;
    if ((step /= 4) < 1e-4) return false;
  }
  return true;
}

/// Moves that grow lead away from an unstable position: only those that shrink allow less damping. Once the
/// load has passed its peak and fallen well below it, the way leads down into a rest that Newton may finish.
bool damp_to_rest(RestProblem& problem, int& iterations) {
  VecX R = problem.residual();
  const VecX none = VecX::Zero(R.size());
  double alpha = kMostDamping, before = 0, peak = 0;
  for (int k = 0; k < 600; ++k, ++iterations) {
    if (problem.solved(R)) return true;
    const double left = problem.unbalanced(R);
    if (k > 1) peak = std::max(peak, left);  // the first ones still look for the reactions
    if (k % 8 == 7 && left < 0.3 * peak) {
      const State good = problem.state();
      if (newton_to_rest(problem, none, 20, iterations, kLooseAlpha)) return true;
      problem.state() = good;
      R = problem.residual();
    }
    const double move = problem.step(R, alpha);
    if (move < 0) return false;
    alpha = k > 1 && move < 0.9 * before ? 0.5 * alpha : std::clamp(1.5 * alpha, 1e-3, kMostDamping);
    if (alpha < 1e-6) alpha = 0;
    before = move;
    R = problem.residual();
    if (!R.allFinite()) return false;
  }
  return false;
}

std::string direction_words(const Part& part, int k) {
  constexpr const char* names[] = {"along x",     "along y",     "along z",
                                   "about its x", "about its y", "about its z"};
  if (k < 6) return names[k];
  if (!part.rotors.empty()) return fmt::format("turn of '{}'", part.rotors[static_cast<std::size_t>(k - 6)]);
  return fmt::format("elastic coordinate {}", k - 5);
}

/// Orthonormal motions that the constraints (and the rig) allow.
MatX allowed_motions(Workspace& ws, const std::vector<char>& held) {
  const Model& model = ws.model;
  std::vector<Eigen::Index> free;
  for (Eigen::Index i = 0; i < model.nz; ++i)
    if (held.empty() || !held[static_cast<std::size_t>(i)]) free.push_back(i);
  const auto n = static_cast<Eigen::Index>(free.size());
  const MatX G = MatX(constraint_matrix(ws));
  std::vector<Eigen::Index> rows;
  for (Eigen::Index r = 0; r < model.nlambda; ++r)
    if (ws.active[static_cast<std::size_t>(r)]) rows.push_back(r);
  MatX GT = G(rows, free).transpose();
  for (Eigen::Index c = 0; c < GT.cols(); ++c) GT.col(c) /= std::max(GT.col(c).norm(), 1e-300);
  MatX Q = MatX::Zero(model.nz, n);
  if (GT.cols() == 0) {
    for (Eigen::Index i = 0; i < n; ++i) Q(free[static_cast<std::size_t>(i)], i) = 1;
    return Q;
  }
  Eigen::ColPivHouseholderQR<MatX> qr(GT);
  qr.setThreshold(1e-9);
  const MatX full = qr.householderQ();
  const MatX N = full.rightCols(n - qr.rank());
  Q = MatX::Zero(model.nz, N.cols());
  for (Eigen::Index i = 0; i < n; ++i) Q.row(free[static_cast<std::size_t>(i)]) = N.row(i);
  return Q;
}

/// A basis of the loose motions in which each stands for one coordinate, the one with the most energy first.
std::vector<LooseDirection> loose_in_words(const Model& model, MatX N, const VecX& weight, const VecX& load) {
  std::vector<LooseDirection> out;
  for (Eigen::Index k = 0; k < N.cols(); ++k) {
    Eigen::Index row = 0, column = 0;
    (weight.asDiagonal() * N.rightCols(N.cols() - k)).cwiseAbs().maxCoeff(&row, &column);
    N.col(k).swap(N.col(k + column));
    N.col(k) /= N(row, k);
    for (Eigen::Index j = 0; j < N.cols(); ++j)
      if (j != k) N.col(j) -= N(row, j) * N.col(k);
    LooseDirection d;
    d.parts = 0;
    d.load = N.col(k).dot(load);
    double most = 0;
    for (const Part& part : model.parts)
      if (part.moves())
        most = std::max(most, N.col(k).segment(part.z_start, part.z_size).lpNorm<Eigen::Infinity>());
    for (const Part& part : model.parts) {
      if (!part.moves()) continue;
      d.parts += N.col(k).segment(part.z_start, part.z_size).lpNorm<Eigen::Infinity>() > 1e-3 * most;
      if (row < part.z_start || row >= part.z_start + part.z_size) continue;
      d.part = part.name;
      d.direction = direction_words(part, static_cast<int>(row) - part.z_start);
    }
    out.push_back(d);
  }
  return out;
}

/// Directions without stiffness, and the least of all others.
struct Principal {
  MatX loose;
  double least = std::numeric_limits<double>::infinity();
};

/// Of a stiffness scaled by mass. Tires make it unsymmetric (the slip knows the rolling radius, the force
/// acts at the loaded one), and then its symmetric part would show directions that push where there are none.
Principal principal_stiffnesses(const MatX& K) {
  Principal out;
  const double largest = K.cwiseAbs().maxCoeff();
  if ((K - K.transpose()).cwiseAbs().maxCoeff() < 1e-12 * largest) {
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(0.5 * (K + K.transpose()));
    const double zero = 1e-6 + 1e-13 * eigen.eigenvalues().cwiseAbs().maxCoeff();
    std::vector<Eigen::Index> null;
    for (Eigen::Index i = 0; i < K.rows(); ++i)
      if (std::abs(eigen.eigenvalues()[i]) < zero)
        null.push_back(i);
      else
        out.least = std::min(out.least, eigen.eigenvalues()[i]);
    out.loose = eigen.eigenvectors()(Eigen::all, null);
    return out;
  }
  const Eigen::BDCSVD<MatX> svd(K, Eigen::ComputeFullV);
  const double zero = 1e-6 + 1e-13 * svd.singularValues()[0];
  const auto null = (svd.singularValues().array() < zero).count();
  out.loose = svd.matrixV().rightCols(null);
  Eigen::VectorXcd values = Eigen::EigenSolver<MatX>(K, false).eigenvalues();
  // As many eigenvalues belong to the loose directions as there are, the smallest ones.
  std::sort(values.begin(), values.end(), [](auto a, auto b) { return std::abs(a) < std::abs(b); });
  if (null < values.size()) out.least = values.tail(values.size() - null).real().minCoeff();
  return out;
}

[[noreturn]] void throw_restless(Workspace& ws, const State& s, RestProblem& problem,
                                 const std::vector<char>& held) {
  const Model& model = ws.model;
  const VecX R = problem.residual();
  for (const LooseDirection& d : equilibrium_stiffness(ws, s, held).loose)
    if (std::abs(d.load) > 1e-6) {
      Place place;
      for (const Part& part : model.parts)
        if (part.name == d.part) place = part.place;
      throw NumericError(
          place, fmt::format("part '{}'", d.part),
          fmt::format("there is no equilibrium: nothing holds {}, and {:.4g} N (or Nm) are left there",
                      d.text(), std::abs(d.load)),
          "hold it by a spring or a joint, or take the load away");
    }
  int row = 0;
  const double left = R.head(model.nz).cwiseAbs().maxCoeff(&row);
  constexpr const char* names[] = {"force along x",  "force along y",  "force along z",
                                   "moment about x", "moment about y", "moment about z"};
  for (const Part& part : model.parts)
    if (row >= part.z_start && row < part.z_start + part.z_size) {
      const int k = row - part.z_start;
      throw NumericError(part.place, fmt::format("part '{}'", part.name),
                         fmt::format("no equilibrium was found: it keeps {:.4g} ({})", left,
                                     k < 6 ? names[k] : direction_words(part, k)),
                         "hold it by springs or joints, or start nearer to rest");
    }
  throw NumericError(model.name, "no equilibrium was found", "");
}

}  // namespace

std::string LooseDirection::text() const {
  const std::string others =
      parts > 1 ? fmt::format(" (with {} more part{})", parts - 1, parts > 2 ? "s" : "") : "";
  return fmt::format("part '{}' {}{}", part, direction, others);
}

EquilibriumStiffness equilibrium_stiffness(Workspace& ws, const State& s, const std::vector<char>& held) {
  const Model& model = ws.model;
  EquilibriumStiffness out;
  State at = s;
  RestProblem problem(ws, at, {});
  const VecX R = problem.residual();
  const MatX Q = allowed_motions(ws, held);
  if (Q.cols() == 0) return out;
  const int nz = model.nz, nc = model.nc, nw = model.nw;
  const MatX J = problem.matrix(0);
  MatX K = J.topLeftCorner(nz, nz);
  if (nc + nw > 0) {
    // Inner states and algebraic variables follow: they are eliminated.
    std::vector<Eigen::Index> z, inner;
    for (int i = 0; i < nz; ++i) z.push_back(i);
    for (int i = 0; i < nc; ++i) inner.push_back(problem.layout().c_start() + i);
    for (int i = 0; i < nw; ++i) inner.push_back(problem.layout().w_start() + i);
    const MatX inside = J(inner, inner), down = J(inner, z);
    K -= J(z, inner) * MatX(inside.completeOrthogonalDecomposition().solve(down));
  }
  const MatX M = problem.matrix(1).topLeftCorner(nz, nz) - J.topLeftCorner(nz, nz);
  MatX M_r = Q.transpose() * M * Q;
  M_r.diagonal().array() += 1e-12 * std::max(1e-9, M_r.diagonal().maxCoeff());
  const Eigen::LLT<MatX> cholesky(M_r);
  MatX K_r = cholesky.matrixL().solve(MatX(Q.transpose() * K * Q));
  K_r = cholesky.matrixL().solve(MatX(K_r.transpose())).transpose();
  const Principal principal = principal_stiffnesses(K_r);
  if (principal.least < std::numeric_limits<double>::infinity()) out.least_per_s2 = principal.least;
  if (principal.loose.cols() > 0) {
    const MatX N = Q * MatX(cholesky.matrixU().solve(principal.loose));
    const VecX weight = M.diagonal().cwiseMax(1e-9).cwiseSqrt();
    out.loose = loose_in_words(model, N, weight, R.head(nz));
  }
  return out;
}

EquilibriumReport find_equilibrium(Workspace& ws, State& s, const EquilibriumOptions& options) {
  const State start = s;
  RestProblem problem(ws, s, options.held);
  EquilibriumReport report;
  const VecX none = VecX::Zero(problem.layout().size());
  bool found = newton_to_rest(problem, none, kMostRestIterations, report.iterations);
  const auto again = [&](const char* method, auto&& act) {
    s = start;
    s.z.setZero();
    s.lambda.setZero();
    report.method = method;
    found = act(problem, report.iterations);
  };
  if (!found && options.continuation) again("load steps", load_steps_to_rest);
  if (!found && options.continuation) again("damped", damp_to_rest);
  const std::vector<char> rows = ws.active;
  if (!found && options.continuation && problem.let_rows_change()) again("damped", damp_to_rest);
  if (!found) {
    if (!s.x.allFinite()) s = start;
    try {
      throw_restless(ws, s, problem, options.held);
    } catch (const Error&) {
      s = start;
      ws.active = rows;
      throw;
    }
  }
  if (options.stable && !equilibrium_stiffness(ws, s, options.held).stable()) {
    const State unstable = s;
    const EquilibriumReport first = report;
    again("damped", damp_to_rest);
    if (!found || !equilibrium_stiffness(ws, s, options.held).stable()) {
      s = unstable;
      report = first;
    }
  }
  report.residual = problem.unbalanced(problem.residual());
  return report;
}

void start_from(const Model& model, const State& s, io::ModelSpec& spec) {
  for (std::size_t i = 1; i < spec.parts.size(); ++i) {
    io::PartSpec& p = spec.parts[i];
    const Part& part = model.parts[i];
    if (!part.moves()) continue;
    p.position_m = s.x.segment<3>(part.x_start);
    if (!part.turns()) continue;
    p.quaternion = s.x.segment<4>(part.x_start + 3);
    if (part.flexible < 0) p.position_m -= rotation_from_quaternion(p.quaternion) * part.center_of_mass;
    if (part.kind != io::PartKind::flexible) continue;
    const auto q = s.x.segment(part.x_start + 7, part.nq());
    p.elastic_position.assign(q.begin(), q.end());
  }
}

EquilibriumReport start_in_equilibrium(io::ModelSpec& spec) {
  const auto model = build_model(spec);
  Workspace ws(*model);
  State s = initial_state(*model);
  s.z.setZero();
  start_joint_memory(ws, s.t, s.r);
  make_consistent(ws, s, LinearSolverKind::automatic);
  s.z.setZero();
  start_force_states(ws, s);
  const EquilibriumReport report = find_equilibrium(ws, s);
  start_from(*model, s, spec);
  return report;
}

}  // namespace monocoque
