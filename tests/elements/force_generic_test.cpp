// Laws that every force type must obey, at random generic states, for its examples and for every choice.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "force_test_support.h"

namespace monocoque {
namespace {

using namespace force_test;
constexpr int kStates = 24;

/// One force with a full set of inputs.
struct ForceCase {
  std::string name;
  std::shared_ptr<const Force> force;
  MarkerKinematics m[2];
  std::array<double, kMaxInner> c{}, w{};
  std::array<Taylor2, kMaxInner> u{};
  Vec6 reaction;
  bool world_fixed = false;  ///< holds a field in world axes: not invariant under a common rotation

  ForceInput input() const {
    ForceInput in;
    in.t = 0.7;
    in.m[0] = &m[0];
    in.m[1] = &m[1];
    in.c = c.data();
    in.w = w.data();
    in.u = u.data();
    in.reaction = &reaction;
    return in;
  }
  Vec12 wrench() const {
    Vec12 f = Vec12::Constant(std::nan(""));
    force->wrench(input(), f);
    return f;
  }
  InnerVector rate() const {
    InnerVector r;
    force->state_rate(input(), r);
    return r;
  }
  InnerVector algebraic() const {
    InnerVector r;
    force->algebraic(input(), r);
    return r;
  }
  Vec12 twists() const {
    Vec12 t;
    t << m[0].v, m[0].w, m[1].v, m[1].w;
    return t;
  }
};

struct Variant {
  std::string name;
  std::shared_ptr<const Force> force;
  bool world_fixed = false;
};

/// The examples of a type, then the examples with every other value of every choice.
std::vector<Variant> variants_of(const ElementType<Force>& type) {
  std::vector<Variant> list;
  list.push_back({type.info.name, type.make(examples(type.info)), false});
  list.push_back({type.info.name + " (defaults)", type.make(defaults(type.info)), false});
  for (const io::Field& field : type.info.fields)
    for (const std::string& choice : field.choices) {
      io::ParameterSet p = examples(type.info);
      set(p, type.info, field.name, choice);
      list.push_back(
          {fmt::format("{} ({}: {})", type.info.name, field.name, choice), type.make(p), choice == "world"});
    }
  // The defaults of an element may include world axes, too.
  for (const io::Field& field : type.info.fields)
    if (field.kind == io::FieldKind::choice && field.default_text == "world") list[1].world_fixed = true;
  return list;
}

std::vector<ForceCase> make_cases() {
  std::vector<ForceCase> list;
  Random random(20240607);
  for (const auto& type : force_types())
    for (const Variant& variant : variants_of(type))
      for (int i = 0; i < kStates; ++i) {
        ForceCase x;
        x.name = fmt::format("{}, state {}", variant.name, i);
        x.force = variant.force;
        x.world_fixed = variant.world_fixed;
        x.m[0] = random_marker(random);
        x.m[1] = random_marker(random);
        // From a third of to twice the example lengths, with the axes turned by up to about 80 degrees.
        x.m[1].p = x.m[0].p + random(0.2, 1.3) * random.vector(1).normalized();
        x.m[1].R = x.m[0].R * random.rotation(0.8);
        for (double& c : x.c) c = random(-0.2, 0.2);
        for (double& w : x.w) w = random(100, 900);
        for (Taylor2& u : x.u) u.value = random(-700, 700);
        x.reaction << random.vector(800), random.vector(60);
        list.push_back(x);
      }
  return list;
}

const std::vector<ForceCase>& cases() {
  static const std::vector<ForceCase> list = make_cases();
  return list;
}

/// Central differences, fourth order.
template <class Function>
auto difference(double h, Function f) {
  return ((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)).eval();
}

ForceCase perturbed(const ForceCase& x, int column, double h, bool pose) {
  ForceCase y = x;
  const int marker = column / 6, k = column % 6;
  const Vec3 step = h * Vec3::Unit(k % 3);
  MarkerKinematics& m = y.m[marker];
  if (pose)
    m = k < 3 ? moved(m, step, Vec3::Zero()) : moved(m, Vec3::Zero(), step);
  else if (k < 3)
    m.v += step;
  else
    m.w += step;
  return y;
}

template <class Rows, class Evaluate>
void check_rows(const ForceCase& x, const char* what, const Rows& rows, Evaluate evaluate) {
  // A kink of the law within reach of the difference shows as an error that a smaller step does not have.
  const auto compare = [&](const char* by, int column, const auto& given, double step, double scale,
                           const auto& function) {
    if (given.size() == 0) return;
    auto expected = difference(step, function);
    double error = (given - expected).cwiseAbs().maxCoeff(), bound = 1e-6 * std::max(scale, 1e-3);
    if (error > bound) {
      expected = difference(1e-3 * step, function);
      error = (given - expected).cwiseAbs().maxCoeff();
      bound = 1e-4 * std::max(scale, 1e-3);
    }
    EXPECT_LE(error, bound) << x.name << ": d(" << what << ")/d(" << by << "), column " << column
                            << "\n given    " << given.transpose() << "\n expected " << expected.transpose();
  };
  const auto scale_of = [](const auto& m) { return m.size() ? m.cwiseAbs().maxCoeff() : 0.0; };
  constexpr double h = 1e-4;
  for (int k = 0; k < 12; ++k) {
    compare("pose", k, rows.pose.col(k), h, scale_of(rows.pose),
            [&](double s) { return evaluate(perturbed(x, k, s, true)); });
    compare("twist", k, rows.twist.col(k), h, scale_of(rows.twist),
            [&](double s) { return evaluate(perturbed(x, k, s, false)); });
  }
  const auto inner = [&](const char* by, int k, const auto& column, double scale, double step, auto member) {
    compare(by, k, column, step, scale, [&](double s) {
      ForceCase y = x;
      member(y) += s;
      return evaluate(y);
    });
  };
  ASSERT_EQ(rows.c.cols(), x.force->state_count());
  ASSERT_EQ(rows.w.cols(), x.force->algebraic_count());
  for (int k = 0; k < rows.c.cols(); ++k)
    inner("c", k, rows.c.col(k), scale_of(rows.c), h,
          [k](ForceCase& y) -> double& { return y.c[static_cast<std::size_t>(k)]; });
  for (int k = 0; k < rows.w.cols(); ++k)
    inner("w", k, rows.w.col(k), scale_of(rows.w), 0.1,
          [k](ForceCase& y) -> double& { return y.w[static_cast<std::size_t>(k)]; });
  for (int k = 0; k < 6; ++k)
    inner("reaction", k, rows.reaction.col(k), scale_of(rows.reaction), 0.1,
          [k](ForceCase& y) -> double& { return y.reaction[k]; });
}

template <class Rows>
void fill_nan(Rows& rows) {
  rows.pose.fill(std::nan(""));
  rows.twist.fill(std::nan(""));
  rows.c.fill(std::nan(""));
  rows.w.fill(std::nan(""));
  rows.reaction.fill(std::nan(""));
}

TEST(ForceGeneric, TangentAgreesWithDifferences) {
  for (const ForceCase& x : cases()) {
    ForceTangent t;
    x.force->resize_tangent(t);
    fill_nan(t.wrench);
    fill_nan(t.rate);
    fill_nan(t.algebraic);
    x.force->tangent(x.input(), t);
    // Secants on purpose; tests/vehicle/lift_off_test.cpp shows what they do.
    if (x.name.find("(derivatives: global)") != std::string::npos) continue;
    check_rows(x, "wrench", t.wrench, [](const ForceCase& y) { return y.wrench(); });
    check_rows(x, "rate", t.rate, [](const ForceCase& y) { return y.rate(); });
    check_rows(x, "algebraic", t.algebraic, [](const ForceCase& y) { return y.algebraic(); });
    if (HasFailure()) return;
  }
}

TEST(ForceGeneric, PowerIsBalanced) {
  for (const ForceCase& x : cases()) {
    const InnerVector rate = x.rate();
    const auto energy_after = [&](double h) {
      ForceCase y = x;
      for (MarkerKinematics& m : y.m) m = moved(m, h * m.v, h * m.w);
      for (int k = 0; k < rate.size(); ++k) y.c[static_cast<std::size_t>(k)] += h * rate[k];
      return Eigen::Matrix<double, 1, 1>(y.force->energy(y.input()));
    };
    const double stored = difference(1e-4, energy_after)[0];
    const double power = x.wrench().dot(x.twists());
    const double lost = x.force->dissipation(x.input()), supplied = x.force->supply(x.input());
    const double scale = x.wrench().cwiseAbs().dot(x.twists().cwiseAbs()) + std::abs(stored) + lost;
    EXPECT_NEAR(power + stored + lost - supplied, 0, 1e-8 * scale + 1e-9) << x.name;
    EXPECT_GE(lost, 0) << x.name;
    if (HasFailure()) return;
  }
}

TEST(ForceGeneric, ActionIsReaction) {
  for (const ForceCase& x : cases()) {
    const Vec12 f = x.wrench();
    const Vec3 force = f.segment<3>(0) + f.segment<3>(6);
    const Vec3 moment =
        f.segment<3>(3) + f.segment<3>(9) + x.m[0].p.cross(f.segment<3>(0)) + x.m[1].p.cross(f.segment<3>(6));
    EXPECT_LE(force.norm(), 1e-12 * f.norm()) << x.name;
    EXPECT_LE(moment.norm(), 1e-12 * f.norm()) << x.name;
  }
}

TEST(ForceGeneric, CommonRotationAndShiftChangeNothing) {
  Random random(7);
  for (const ForceCase& x : cases()) {
    if (x.world_fixed) continue;
    const Mat3 Q = random.rotation(2);
    const Vec3 shift = random.vector(3);
    ForceCase y = x;
    for (MarkerKinematics& m : y.m) {
      m.p = Q * m.p + shift;
      m.R = Q * m.R;
      m.v = Q * m.v;
      m.w = Q * m.w;
    }
    y.reaction << Q * x.reaction.head<3>(), Q * x.reaction.tail<3>();
    Vec12 expected;
    const Vec12 f = x.wrench();
    for (int k = 0; k < 12; k += 3) expected.segment<3>(k) = Q * f.segment<3>(k);
    EXPECT_LE((y.wrench() - expected).norm(), 1e-9 * (f.norm() + 1)) << x.name;
    EXPECT_NEAR(y.force->energy(y.input()), x.force->energy(x.input()), 1e-9 * (f.norm() + 1)) << x.name;
    EXPECT_LE((y.rate() - x.rate()).norm(), 1e-9 * (x.rate().norm() + 1)) << x.name;
    EXPECT_LE((y.algebraic() - x.algebraic()).norm(), 1e-9 * (x.algebraic().norm() + 1)) << x.name;
  }
}

TEST(ForceGeneric, EveryTypeHasUsableExamples) {
  for (const auto& type : force_types()) {
    EXPECT_FALSE(type.info.doc.empty()) << type.info.name;
    EXPECT_EQ(type.info.group, io::Group::force) << type.info.name;
    int signals = 0;
    for (const io::Field& f : type.info.fields) {
      EXPECT_FALSE(f.doc.empty()) << type.info.name << " " << f.name;
      EXPECT_FALSE(f.example.empty()) << type.info.name << " " << f.name << " has no example";
      if (f.kind == io::FieldKind::signal) ++signals;
      if (f.kind == io::FieldKind::table) continue;
      for (const double x : numbers_in(f.example))
        EXPECT_NE(x, 0) << type.info.name << " " << f.name << " hides a sign";
    }
    EXPECT_EQ(type.make(examples(type.info))->signal_count(), signals) << type.info.name;
    // A force that never acts would pass every law.
    double largest = 0;
    for (const ForceCase& x : cases())
      if (x.name.starts_with(type.info.name + ",")) largest = std::max(largest, x.wrench().norm());
    EXPECT_GT(largest, 1) << type.info.name << " does nothing with its examples";
  }
}

TEST(ForceGeneric, CoincidentMarkersAtRestGiveNumbers) {
  for (const auto& type : force_types())
    for (const Variant& variant : variants_of(type)) {
      ForceCase x;
      x.force = variant.force;
      x.m[0] = x.m[1] =
          marker_at_rest(Vec3(0.3, -0.2, 0.5), rotation_from_rotation_vector(Vec3(0.2, 0.1, -0.4)));
      x.reaction.setZero();
      ForceTangent t;
      x.force->resize_tangent(t);
      x.force->tangent(x.input(), t);
      EXPECT_TRUE(x.wrench().allFinite()) << variant.name;
      EXPECT_TRUE(t.wrench.pose.allFinite() && t.wrench.twist.allFinite()) << variant.name;
      EXPECT_TRUE(t.algebraic.reaction.allFinite()) << variant.name;
      EXPECT_TRUE(std::isfinite(x.force->energy(x.input()))) << variant.name;
    }
}

TEST(ForceGeneric, InitialValuesSolveTheirEquations) {
  for (ForceCase x : cases()) {
    x.force->initial_state(x.input(), x.c.data());
    x.force->initial_algebraic(x.input(), x.w.data());
    const InnerVector residual = x.algebraic();
    EXPECT_LE(residual.norm(), 1e-9) << x.name;
  }
}

}  // namespace
}  // namespace monocoque
