// What is special to each tire law: closed forms, limits, ranges of the file.

#include <cmath>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "elements/tires/magic_formula.h"
#include "elements/tires/tire_law_types.h"
#include "support/paths.h"

namespace monocoque {
namespace {

const ElementType<TireLaw>& law_type(const std::string& name) {
  for (const ElementType<TireLaw>& type : tire_law_types())
    if (type.info.name == name) return type;
  throw std::runtime_error("there is no tire law " + name);
}

std::unique_ptr<TireLaw> make(const ElementType<TireLaw>& type,
                              const std::map<std::string, double>& changes) {
  io::ParameterSet p = io::example_parameters(type.info);
  for (const auto& [key, x] : changes) p.entries.at(key).number = x;
  return type.make(p);
}

TireInput rolling(double Fz, double kappa, double tan_alpha) {
  TireInput in;
  in.Fz = Fz;
  in.kappa = kappa;
  in.tan_alpha = tan_alpha;
  in.Vx = 20;
  return in;
}

MagicFormula magic(const std::string& file, MagicFormulaOptions options = {}) {
  return MagicFormula(io::read_tir(source_dir() + "/models/tires/" + file + ".tir"), options);
}

TEST(ReferenceTire, SlopeAtZeroIsBCDAndThePeakIsTheFriction) {
  const auto law = make(
      law_type("reference_tire"),
      {{"friction", 0.9}, {"stiffness_factor_B", 10}, {"shape_factor_C", 1.9}, {"curvature_factor_E", 0.97}});
  TireForces f;
  TireJacobian by;
  law->forces(rolling(4000, 0, 0), f, by);
  EXPECT_DOUBLE_EQ(by(0, 1), 10 * 1.9 * 0.9 * 4000);
  EXPECT_DOUBLE_EQ(by(1, 2), -10 * 1.9 * 0.9 * 4000);
  EXPECT_EQ(f.Fx, 0);
  double peak = 0;
  for (int i = 0; i < 4000; ++i) {
    law->forces(rolling(4000, 3e-4 * i, 4e-4 * i), f);
    const double F = std::hypot(f.Fx, f.Fy), sigma = 5e-4 * i, x = 10 * sigma;
    // The formula itself; the series below x = 1e-4 is good to 1e-16.
    EXPECT_NEAR(F, 3600 * std::sin(1.9 * std::atan(x - 0.97 * (x - std::atan(x)))), 1e-9);
    if (i > 0) {
      EXPECT_NEAR(f.Fy / f.Fx, -4.0 / 3, 1e-12);
    }
    peak = std::max(peak, F);
  }
  EXPECT_NEAR(peak, 3600, 1e-3);  // grid of the slip
}

TEST(ReferenceTire, SlipsAreFormedWithOneMetrePerSecondAtLeast) {
  const auto law = make(law_type("reference_tire"), {{"low_speed_m_per_s", 1}});
  const TireSlip fast = law->slip(-20, -2, 3), slow = law->slip(0, -0.5, 0.25);
  EXPECT_DOUBLE_EQ(fast.kappa, 0.1);
  EXPECT_DOUBLE_EQ(fast.tan_alpha, 0.15);
  EXPECT_DOUBLE_EQ(slow.kappa, 0.5);
  EXPECT_DOUBLE_EQ(slow.tan_alpha, 0.25);
  EXPECT_EQ(slow.kappa_by[0], 0);
  EXPECT_DOUBLE_EQ(slow.kappa_by[1], -1);
  EXPECT_DOUBLE_EQ(law->effective_radius({4000, 0.31, 60, 0}), 0.31);
}

TEST(LinearLoad, SpringAndDamperWithoutPull) {
  const auto law = make(law_type("reference_tire"),
                        {{"vertical_stiffness_N_per_m", 2e5}, {"vertical_damping_Ns_per_m", 500}});
  EXPECT_DOUBLE_EQ(law->vertical({0.02, 0.1, 0, 0, 0, 0, 0}), 4050);
  EXPECT_EQ(law->vertical({0.001, -1, 0, 0, 0, 0, 0}), 0);
  EXPECT_EQ(law->vertical({-0.001, 10, 0, 0, 0, 0, 0}), 0);
}

TEST(BrushTire, ClosedForms) {
  const double c = 9e6, a0 = 0.07, mu = 1.05;
  const auto law = make(law_type("brush_tire"), {{"friction_decay_s_per_m", 0}});
  for (const double Fz : {1500.0, 4000.0, 7000.0}) {
    const double a = a0 * std::sqrt(Fz / 4000), stiffness = 2 * c * a * a;
    TireForces f;
    TireJacobian by;
    law->forces(rolling(Fz, 0, 0), f, by);
    EXPECT_NEAR(by(0, 1), stiffness, 1e-9 * stiffness);
    EXPECT_NEAR(by(1, 2), -stiffness, 1e-9 * stiffness);
    EXPECT_NEAR(-by(4, 2) / by(1, 2), a / 3, 1e-12) << "trail a/3";
    // Full sliding: tan(alpha) beyond 3 mu Fz / (2 c a^2).
    const double limit = 3 * mu * Fz / stiffness;
    law->forces(rolling(Fz, 0, 1.0001 * limit), f);
    EXPECT_NEAR(f.Fy, -mu * Fz, 1e-9 * Fz);
    EXPECT_EQ(f.Mz, 0);
    law->forces(rolling(Fz, -1, 0.5), f);
    EXPECT_NEAR(std::hypot(f.Fx, f.Fy), mu * Fz, 1e-9 * Fz) << "locked wheel";
    EXPECT_NEAR(f.Fy / f.Fx, 0.5, 1e-12) << "friction against the sliding";
    // Half way: u = 1/2.
    law->forces(rolling(Fz, 0, 0.5 * limit), f);
    EXPECT_NEAR(f.Fy, -mu * Fz * (1 - 0.125), 1e-9 * Fz);
    EXPECT_NEAR(f.Mz, a / 3 * mu * Fz * 3 * 0.5 * 0.125, 1e-9 * Fz);
  }
}

TEST(BrushTire, FrictionFallsWithTheSlidingSpeed) {
  const auto law = make(law_type("brush_tire"), {{"friction_decay_s_per_m", 0.05}});
  TireForces f;
  law->forces(rolling(4000, -1, 0), f);
  EXPECT_NEAR(f.Fx, -1.05 * 4000 / (1 + 0.05 * 20), 1e-9);
}

TEST(MagicFormula, SlopesAreTheStiffnessesOfTheFile) {
  // Without shifts the slope at zero is K.
  io::TirFile file = io::read_tir(source_dir() + "/models/tires/touring.tir");
  for (double io::TirValues::*shift :
       {&io::TirValues::LHX, &io::TirValues::LVX, &io::TirValues::LHY, &io::TirValues::LVY})
    file.values.*shift = 0;
  const MagicFormula law(file, {});
  TireForces f;
  TireJacobian by;
  const TireInput in = rolling(4200, 0, 0);
  law.forces(in, f, by);
  const MagicFormulaDetails d = law.details(in, f);
  EXPECT_NEAR(by(0, 1), d.Kxk, 1e-6 * d.Kxk);
  EXPECT_NEAR(by(1, 2), d.Kya, 1e-6 * std::abs(d.Kya));
  EXPECT_LT(d.Kya, 0);
  EXPECT_NEAR(law.relaxation(4200, 0).longitudinal, d.Kxk / d.Cx, 1e-9);
  EXPECT_NEAR(law.relaxation(4200, 0).lateral, -d.Kya / d.Cy, 1e-9);
}

TEST(MagicFormula, RangesOfTheFileHoldTheInputsAndAreFlagged) {
  const MagicFormula law = magic("touring");
  const io::TirValues& v = law.values();
  const std::pair<double TireInput::*, std::pair<double, unsigned>> list[] = {
      {&TireInput::kappa, {v.KPUMAX, kTireKappaLimited}},
      {&TireInput::tan_alpha, {std::tan(v.ALPMAX), kTireAlphaLimited}},
      {&TireInput::gamma, {v.CAMMIN, kTireCamberLimited}},
      {&TireInput::pressure, {v.PRESMAX, kTirePressureLimited}}};
  for (const auto& [member, limit] : list) {
    TireInput at = rolling(4000, 0.05, 0.06), beyond = at;
    at.*member = limit.first;
    beyond.*member = limit.first * 1.2;
    TireForces f, g;
    TireJacobian by;
    law.forces(at, f);
    law.forces(beyond, g, by);
    EXPECT_NEAR(f.Fy, g.Fy, 1e-6) << limit.second;
    EXPECT_NEAR(f.Mz, g.Mz, 1e-6) << limit.second;
    EXPECT_EQ(g.flags, limit.second);
  }
  TireForces f, g;
  law.forces(rolling(v.FZMAX, 0.05, 0.06), f);
  law.forces(rolling(2 * v.FZMAX, 0.05, 0.06), g);
  EXPECT_EQ(f.Fx, g.Fx);
  EXPECT_EQ(g.flags, unsigned{kTireLoadLimited});
  MagicFormulaOptions free;
  free.limits = false;
  magic("touring", free).forces(rolling(2 * v.FZMAX, 0.05, 0.06), g);
  EXPECT_GT(g.Fx, f.Fx);
  EXPECT_EQ(g.flags, 0u);
}

TEST(MagicFormula, BackwardsTheForceStillOpposesTheSliding) {
  const MagicFormula law = magic("touring");
  for (const double Vx : {-20.0, 20.0}) {
    TireInput in = rolling(4000, 0.1, 0);
    in.Vx = Vx;
    TireForces f;
    law.forces(in, f);
    EXPECT_GT(f.Fx, 1000) << Vx;
    EXPECT_LT(f.My * Vx, 0) << "rolling resistance turns against the wheel";
    in.kappa = 0;
    in.tan_alpha = 0.1;
    law.forces(in, f);
    EXPECT_LT(f.Fy, -1000) << Vx;
    EXPECT_GT(f.Mz * Vx, 0) << "the trail lies behind";
  }
}

TEST(MagicFormula, FrictionOfTheRoadScalesThePeakNotTheStiffness) {
  const MagicFormula law = magic("touring");
  TireInput in = rolling(4000, 0.1, 0.05), wet = in;
  wet.mu = 0.5;
  TireForces f, g;
  const MagicFormulaDetails d = law.details(in, f), e = law.details(wet, g);
  EXPECT_NEAR(e.mux, 0.5 * d.mux, 1e-12);
  EXPECT_EQ(e.Kxk, d.Kxk);
  EXPECT_LT(std::hypot(g.Fx, g.Fy), 0.6 * std::hypot(f.Fx, f.Fy));
}

TEST(MagicFormula, AtStandstillSlipStillGivesForceUnlessAskedOtherwise) {
  TireInput in = rolling(4000, 0.05, 0.05);
  in.Vx = 0;
  TireForces f;
  magic("touring").forces(in, f);
  EXPECT_LT(f.Fy, -500);
  MagicFormulaOptions steady;
  steady.low_speed = MagicFormulaOptions::LowSpeed::slips;
  magic("touring", steady).forces(in, f);
  EXPECT_NEAR(f.Fx, 0, 1e-9);
  EXPECT_NEAR(f.Fy, 0, 1e-9);
  EXPECT_TRUE(f.flags & kTireLowSpeed);
}

TEST(MagicFormula, ForcesDoNotJumpWhereTheDirectionOfRollingChanges) {
  // A parked tire swings through zero speed with its tread deflected; a jump there keeps it swinging.
  for (const char* file : {"touring", "sport", "van"}) {
    const MagicFormula law = magic(file);
    for (const double kappa : {-0.04, 0.0, 0.012})
      for (const double tan_alpha : {-0.05, 0.02, 0.3}) {
        TireInput in = rolling(4000, kappa, tan_alpha);
        in.gamma = 0.03;
        TireForces forward, backward;
        in.Vx = 1e-9;
        law.forces(in, forward);
        in.Vx = -1e-9;
        law.forces(in, backward);
        EXPECT_NEAR(forward.Fx, backward.Fx, 1e-5) << file;
        EXPECT_NEAR(forward.Fy, backward.Fy, 1e-5) << file;
        EXPECT_NEAR(forward.Mx, backward.Mx, 1e-5) << file;
        EXPECT_NEAR(forward.My, backward.My, 1e-5) << file;
        EXPECT_NEAR(forward.Mz, backward.Mz, 1e-5) << file;
      }
  }
}

TEST(MagicFormula, TheOffsetMovesTheRoadNotTheSpring) {
  MagicFormulaOptions options;
  options.radius_offset = 0.004;
  const MagicFormula plain = magic("touring"), worn = magic("touring", options);
  EXPECT_DOUBLE_EQ(worn.unloaded_radius(), plain.unloaded_radius() + 0.004);
  TireVertical v;
  v.deflection = 0.02;
  TireVertical lower = v;
  lower.deflection = 0.024;  // same distance of the centre from the road
  EXPECT_DOUBLE_EQ(worn.unloaded_radius() - lower.deflection, plain.unloaded_radius() - v.deflection);
  EXPECT_NEAR(worn.vertical(lower), plain.vertical({.deflection = 0.024}), 0);
  EXPECT_GT(worn.vertical(lower), plain.vertical(v));
  const TireRolling r{4000, 0.3, 50, 0};
  EXPECT_NEAR(worn.effective_radius(r), plain.effective_radius(r) + 0.004, 1e-15);
}

TEST(MagicFormula, LoadOfADeflectionIsTheInverseOfTheLoadedRadius) {
  for (const char* file : {"touring", "sport"}) {
    const MagicFormula law = magic(file);
    TireInput in = rolling(4500, 0.03, 0.04);
    in.gamma = 0.03;
    TireForces f;
    const MagicFormulaDetails d = law.details(in, f);
    const double R0 = law.unloaded_radius();
    EXPECT_NEAR(law.vertical({R0 - d.Rl, 0, d.omega, f.Fx, f.Fy, 0.03, 0}), 4500, 1e-6) << file;
    EXPECT_NEAR(law.effective_radius({4500, d.Rl, d.omega, 0}), d.Re, 1e-12) << file;
    EXPECT_NEAR(d.omega * d.Re, 20 * 1.03, 1e-9) << file;
    EXPECT_NEAR(law.vertical({R0 - d.Rl, 0.1, d.omega, f.Fx, f.Fy, 0.03, 0}), 4500 + 42, 1e-6) << "damping";
  }
}

TEST(MagicFormula, OnTheRimTheTireIsStiff) {
  const MagicFormula law = magic("touring");
  const io::TirValues& v = law.values();
  const double touch = v.UNLOADED_RADIUS - v.RIM_RADIUS - v.BOTTOM_OFFST;
  TireVerticalDerivatives before, after;
  law.vertical({touch - 1e-6, 0, 0, 0, 0, 0, 0}, before);
  law.vertical({touch + 1e-6, 0, 0, 0, 0, 0, 0}, after);
  EXPECT_NEAR(after[0] - before[0], v.BOTTOM_STIFF, 1e-3 * v.BOTTOM_STIFF);
}

TEST(MagicFormula, AMeasuredLoadCurveReplacesThePolynomial) {
  const MagicFormula law = magic("van");
  EXPECT_NEAR(law.vertical({0.0085, 0, 0, 0, 0, 0, 0}), 0.5 * (1150 + 2900), 1e-9);
  EXPECT_NEAR(law.vertical({0.05, 0, 0, 0, 0, 0, 0}), 13100 + 0.005 * (13100 - 6500) / 0.02, 1e-6);
  EXPECT_NEAR(law.vertical({0.001, 0, 0, 0, 0, 0, 0}), 230, 1e-9);
}

TEST(MagicFormula, RelaxationOfMf52IsThatOfTheFile) {
  const MagicFormula law = magic("van");
  const io::TirValues& v = law.values();
  const TireRelaxation r = law.relaxation(v.FNOMIN, 0);
  EXPECT_NEAR(r.longitudinal, v.PTX1 * v.UNLOADED_RADIUS, 1e-12);
  EXPECT_NEAR(r.lateral, v.PTY1 * std::sin(2 * std::atan(1 / v.PTY2)) * v.UNLOADED_RADIUS, 1e-12);
}

TEST(MagicFormula, OnlyTheOtherSideMirrors) {
  for (const char* file : {"touring", "sport"})
    for (const char* side : {"left", "right", "as_measured"}) {
      io::ParameterSet p = io::example_parameters(law_type("magic_formula").info);
      p.entries["file"].text = (source_dir() + "/models/tires/") + file + ".tir";
      p.entries["mounted"].text = side;
      const bool measured_left = std::string(file) == "touring", mounted = std::string(side) != "as_measured";
      EXPECT_EQ(law_type("magic_formula").make(p)->mirrored(),
                mounted && (std::string(side) == "left") != measured_left);
    }
}

TEST(MagicFormula, TurnSlipTakesGripOnAverageOfBothTurns) {
  MagicFormulaOptions options;
  options.turn_slip = true;
  const MagicFormula law = magic("touring", options);
  TireInput straight = rolling(4000, 0, 0.3), left = straight, right = straight;
  left.turn_slip = 2;
  right.turn_slip = -2;
  TireForces f, g, h;
  law.forces(straight, f);
  law.forces(left, g);
  law.forces(right, h);
  EXPECT_LT(std::abs(g.Fy + h.Fy), 0.99 * std::abs(2 * f.Fy));
}

TEST(MagicFormula, CamberActsAsTheSpinThatItIs) {
  // With turn slip the effect of camber comes through its spin, and is the same for small angles; a yaw rate
  // of the same spin acts in the same sense, and the torque opposes it.
  MagicFormulaOptions options;
  const MagicFormula plain = magic("touring", options);
  options.turn_slip = true;
  const MagicFormula turning = magic("touring", options);
  const auto change = [](const MagicFormula& law, double gamma, double yaw_over_speed) {
    TireForces zero, f;
    TireInput in = rolling(4000, 0, 0);
    law.forces(in, zero);
    in.gamma = gamma;
    in.turn_slip = -yaw_over_speed;
    law.forces(in, f);
    return std::pair(f.Fy - zero.Fy, f.Mz - zero.Mz);
  };
  for (const double gamma : {-0.02, 0.02}) {
    const auto [Fy, Mz] = change(plain, gamma, 0);
    const auto [Fy_spin, Mz_spin] = change(turning, gamma, 0);
    EXPECT_NEAR(Fy_spin, Fy, 0.08 * std::abs(Fy));  // R0 / Re, and second order
    EXPECT_NEAR(Mz_spin, Mz, 0.15 * std::abs(Mz));
    // PECP1 = 0.5: half of a camber's spin counts.
    const auto [Fy_yaw, Mz_yaw] = change(turning, 0, 0.5 * std::sin(gamma) / 0.305);
    EXPECT_NEAR(Fy_yaw, Fy, 0.12 * std::abs(Fy));
    EXPECT_LT(Mz_yaw * gamma, 0);
  }
  for (const double yaw : {-0.5, 0.5})
    EXPECT_LT(change(turning, 0, yaw).second * yaw, 0) << "opposes the turn";
}

TEST(MagicFormula, WithoutCoefficientsOfTurnSlipAndCamberTheOptionChangesNothing) {
  // phi = 0: all zetas but zeta0 are one, and zeta0 acts on camber only.
  MagicFormulaOptions options;
  const MagicFormula plain = magic("touring", options);
  options.turn_slip = true;
  const MagicFormula turning = magic("touring", options);
  TireForces f, g;
  plain.forces(rolling(4000, 0.04, 0.05), f);
  turning.forces(rolling(4000, 0.04, 0.05), g);
  EXPECT_NEAR(f.Fx, g.Fx, 1e-9 * 4000);
  EXPECT_NEAR(f.Fy, g.Fy, 1e-9 * 4000);
}

}  // namespace
}  // namespace monocoque
