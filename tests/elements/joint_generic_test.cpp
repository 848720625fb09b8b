// Laws that every joint of the registry must satisfy; a new type is tested here without further code.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <functional>

#include "core/decompositions.h"
#include "elements/registry.h"
#include "joint_test_state.h"

namespace monocoque::test {
namespace {

constexpr double kStep = 1e-5, kTol = 1e-7;

struct Case {
  std::unique_ptr<Joint> joint;
  JointState s;
  int n() const { return joint->twist_size(); }
};

RowVector residual(const Joint& j, const JointState& s) {
  RowVector g;
  j.residual(s.input(), g);
  return g;
}

RowsByTwist matrix(const Joint& j, const JointState& s) {
  RowsByTwist W;
  j.velocity_matrix(s.input(), W);
  return W;
}

RowVector velocity(const Joint& j, const JointState& s) {
  RowVector r;
  j.rate(s.input(), r);
  return matrix(j, s) * s.twists(j.marker_count()) + r;
}

RowVector convective(const Joint& j, const JointState& s) {
  RowVector c;
  j.convective(s.input(), c);
  return c;
}

RowVector acceleration(const Joint& j, const JointState& s) {
  return matrix(j, s) * s.accelerations(j.marker_count()) + convective(j, s);
}

/// Newton's method with least change of the pose onto g = 0.
JointState assembled(const Joint& j, JointState s) {
  for (int i = 0; i < 60 && j.holonomic_rows() > 0; ++i) {
    const MatX W = matrix(j, s).topRows(j.holonomic_rows());
    const VecX x = W.transpose() * (W * W.transpose()).ldlt().solve(-residual(j, s));
    s = s.perturbed(TwistVector(x * std::min(1.0, 0.5 / x.norm())));
    j.update_memory(s.input(), s.memory.data());
  }
  return s;
}

/// One type with the examples of its fields; further variants take every other choice of each choice or
/// boolean.
struct Variant {
  const ElementType<Joint>* type;
  io::ParameterSet parameters;
  std::string name;
  unsigned seed = 0;
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const ElementType<Joint>& type : joint_types()) {
    const io::ParameterSet examples = io::example_parameters(type.info);
    all.push_back({&type, examples, type.info.name});
    for (const io::Field& f : type.info.fields) {
      std::vector<std::string> others = f.choices;
      if (f.kind == io::FieldKind::boolean) others = {"true", "false"};
      for (const std::string& other : others) {
        if (other == f.example) continue;
        all.push_back({&type, examples, type.info.name + "_" + f.name + "_" + other});
        all.back().parameters.entries[f.name] = io::parse_field(f, other);
      }
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].seed = 1000u * static_cast<unsigned>(i);
  return all;
}

void PrintTo(const Variant& v, std::ostream* out) {
  *out << v.name;
}

class EveryJoint : public ::testing::TestWithParam<Variant> {
 protected:
  const ElementType<Joint>& type() const { return *GetParam().type; }

  /// An assembled state in general position.
  Case assembled_case(unsigned seed) const {
    RandomStates random(GetParam().seed + seed);
    Case c{type().make(GetParam().parameters), random.state()};
    for (Taylor2& u : c.s.u) u.value = 0.5 + u.value / 2;  // lengths among them stay positive
    c.joint->start_memory(c.s.input(), c.s.memory.data());
    c.s = assembled(*c.joint, c.s);
    return c;
  }

  /// Violated constraints: a curve point must be near its curve, the others may be anywhere.
  Case violated_case(unsigned seed) const {
    Case c = assembled_case(seed);
    RandomStates random(7777u + seed);
    const double size = type().info.name == "point_on_curve" ? 0.02 : 0.3;
    TwistVector x(c.n());
    for (int k = 0; k < x.size(); ++k) x[k] = random.number(size);
    c.s = c.s.perturbed(x);
    return c;
  }

  void on_states(const std::function<void(const Joint&, const JointState&)>& check) const {
    for (unsigned seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(GetParam().name + " seed " + std::to_string(seed));
      const Case at = assembled_case(seed), off = violated_case(seed);
      check(*at.joint, at.s);
      check(*off.joint, off.s);
    }
  }
};

template <class Matrix>
void expect_near(const Matrix& a, const Matrix& b, const char* what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  if (a.size() == 0) return;
  const double scale = 1 + b.cwiseAbs().maxCoeff();
  EXPECT_TRUE(a.allFinite()) << what;
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), kTol * scale) << what << "\n" << a << "\n--- differences:\n" << b;
}

/// Central differences of f over pose (or twist) columns.
template <class F, class Move>
MatX differences(const JointState& s, int columns, Eigen::Index rows, const F& f, const Move& move) {
  MatX D(rows, columns);
  for (int c = 0; c < columns; ++c) D.col(c) = (f(move(s, c, kStep)) - f(move(s, c, -kStep))) / (2 * kStep);
  return D;
}

const auto pose_move = [](const JointState& s, int c, double h) { return s.perturbed(c, h); };
const auto twist_move = [](const JointState& s, int c, double h) { return s.twist_perturbed(c, h); };

TEST_P(EveryJoint, DeclaresItsFields) {
  const io::TypeInfo& info = type().info;
  EXPECT_EQ(info.group, io::Group::joint);
  EXPECT_FALSE(info.doc.empty()) << info.name;
  int signals = 0;
  for (const io::Field& f : info.fields) {
    EXPECT_FALSE(f.example.empty()) << info.name << ": " << f.name << " has no example";
    EXPECT_FALSE(f.doc.empty()) << info.name << ": " << f.name << " has no text";
    signals += f.kind == io::FieldKind::signal;
  }
  const auto joint = type().make(GetParam().parameters);
  EXPECT_EQ(joint->signal_count(), signals);
  const auto frames = io::frame_keys(info.attachment).size();
  EXPECT_EQ(joint->marker_count(), frames > 0 ? static_cast<int>(frames) : 4);
  EXPECT_LE(joint->rows(), kMaxRows);
  EXPECT_LE(joint->memory_size(), 8);
  for (int i = 0; i < joint->rows(); ++i) EXPECT_EQ(joint->row_name(i).find("row"), std::string::npos);
}

TEST_P(EveryJoint, VelocityIsDerivativeOfPosition) {
  on_states([](const Joint& j, const JointState& s) {
    const int h = j.holonomic_rows();
    const auto g = [&](const JointState& x) -> VecX { return residual(j, x); };
    EXPECT_EQ(residual(j, s).size(), h);
    EXPECT_EQ(matrix(j, s).rows(), j.rows());
    expect_near<MatX>(matrix(j, s).topRows(h), differences(s, j.twist_size(), h, g, pose_move), "W");
    RowVector r;
    j.rate(s.input(), r);
    const VecX d = (g(s.signals_after(kStep)) - g(s.signals_after(-kStep))) / (2 * kStep);
    expect_near<VecX>(r.head(h), d, "rate");
  });
}

TEST_P(EveryJoint, AccelerationIsDerivativeOfVelocity) {
  on_states([](const Joint& j, const JointState& s) {
    const VecX d = (velocity(j, s.after(kStep)) - velocity(j, s.after(-kStep))) / (2 * kStep);
    expect_near<VecX>(acceleration(j, s), d, "W A + convective");
  });
}

TEST_P(EveryJoint, TangentsAreDerivatives) {
  on_states([](const Joint& j, const JointState& s) {
    const int n = j.twist_size();
    RowVector lambda(j.rows());
    for (int i = 0; i < j.rows(); ++i) lambda[i] = 0.7 - 0.4 * i;
    JointTangent t;
    j.tangent(s.input(), lambda, t);
    const auto force = [&](const JointState& x) -> VecX { return matrix(j, x).transpose() * lambda; };
    const auto vel = [&](const JointState& x) -> VecX { return velocity(j, x); };
    const auto acc = [&](const JointState& x) -> VecX { return acceleration(j, x); };
    expect_near<MatX>(t.force_pose, differences(s, n, n, force, pose_move), "force_pose");
    expect_near<MatX>(t.velocity_pose, differences(s, n, j.rows(), vel, pose_move), "velocity_pose");
    expect_near<MatX>(t.acceleration_pose, differences(s, n, j.rows(), acc, pose_move), "acceleration_pose");
    expect_near<MatX>(t.acceleration_twist, differences(s, n, j.rows(), acc, twist_move),
                      "acceleration_twist");
  });
}

// Rows in world axes turn among themselves, so norms and W^T W are compared.
TEST_P(EveryJoint, DoesNotDependOnTheObserver) {
  on_states([](const Joint& j, const JointState& s) {
    RandomStates random(99);
    const Mat3 Q = random.rotation();
    const JointState o = s.seen_from(Q, random.vector(3), random.vector(3));
    EXPECT_NEAR(residual(j, s).norm(), residual(j, o).norm(), 1e-10);
    EXPECT_NEAR(velocity(j, s).norm(), velocity(j, o).norm(), 1e-9);
    EXPECT_NEAR(acceleration(j, s).norm(), acceleration(j, o).norm(), 1e-8);
    MatX QQ = MatX::Zero(j.twist_size(), j.twist_size());
    for (int k = 0; k < j.twist_size(); k += 3) QQ.block<3, 3>(k, k) = Q;
    const MatX W = matrix(j, s), Wo = matrix(j, o);
    expect_near<MatX>(Wo.transpose() * Wo, QQ * (W.transpose() * W) * QQ.transpose(), "W^T W");
  });
}

// Newton's third law: reactions of an assembled joint have no resultant; moving all markers as one rigid body
// does not change any residual, violated or not, except that point rows in world axes see a rotation of d.
TEST_P(EveryJoint, ReactionsCancel) {
  on_states([](const Joint& j, const JointState& s) {
    const MatX W = matrix(j, s);
    const bool is_assembled = residual(j, s).size() == 0 || residual(j, s).norm() < 1e-10;
    for (int i = 0; i < j.rows(); ++i) {
      Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
      for (int k = 0; k < j.marker_count(); ++k) {
        const Vec3 f = W.row(i).segment<3>(6 * k).transpose();
        force += f;
        moment += s.m[static_cast<std::size_t>(k)].p.cross(f) + W.row(i).segment<3>(6 * k + 3).transpose();
      }
      EXPECT_LT(force.norm(), 1e-12) << j.row_name(i);
      const bool world_row = j.row_name(i).find("(world)") != std::string::npos;
      if (is_assembled || !world_row) {
        EXPECT_LT(moment.norm(), 1e-9) << j.row_name(i);
      }
    }
  });
}

TEST_P(EveryJoint, AssemblesWithFullRank) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Case c = assembled_case(seed);
    const RowVector g = residual(*c.joint, c.s);
    EXPECT_LT(g.size() ? g.norm() : 0, 1e-12) << type().info.name;
    if (c.joint->rows() == 0) continue;
    const Eigen::JacobiSVD<MatX> svd(matrix(*c.joint, c.s));
    EXPECT_GT(svd.singularValues().minCoeff(), 0.02) << type().info.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryJoint, ::testing::ValuesIn(variants()),
                         [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace monocoque::test
