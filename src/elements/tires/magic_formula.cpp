#include "elements/tires/magic_formula.h"

#include "elements/field_makers.h"
#include "elements/tires/magic_formula_equations.h"
#include "elements/tires/magic_formula_radii.h"
#include "io/files/text_source.h"

namespace monocoque {

template class TireLawOf<MagicFormula>;

MagicFormula::MagicFormula(const io::TirFile& file, const MagicFormulaOptions& options)
    : TireLawOf(file.values.UNLOADED_RADIUS + options.radius_offset, file.values.VXLOW),
      v_(file.values),
      version_(file.version),
      options_(options),
      Fz0_(file.values.LFZO * file.values.FNOMIN),
      bottoming_(file.given("RIM_RADIUS")),
      relaxation_given_(file.version == io::TirVersion::mf52 && file.values.PTX1 != 0 &&
                        file.values.PTY1 != 0 && file.values.PTY2 != 0),
      curve_(file.deflection_load) {
  const double slope = v_.VERTICAL_STIFFNESS * v_.UNLOADED_RADIUS / v_.FNOMIN;
  Q_FZ1_ =
      file.given("Q_FZ1") ? v_.Q_FZ1 : std::sqrt(std::max(slope * slope - 4 * v_.Q_FZ2, 0.0));  // paper (4)
}

MagicFormula::~MagicFormula() = default;

MagicFormulaDetails MagicFormula::details(const TireInput& in, TireForces& out) const {
  MagicFormulaDetails d;
  forces(in, out);
  TireInput x = in;
  if (mirrored()) {
    x.tan_alpha = -x.tan_alpha;
    x.gamma = -x.gamma;
    x.turn_slip = -x.turn_slip;
  }
  x.Fz = std::max(x.Fz, 0.0);
  TireForces raw;
  evaluate_all(x, raw, &d);
  if (x.Fz == 0) d.mux = d.muy = 0;
  unsigned flags = 0;
  contact_and_radii(prepare(x, flags), raw, d);
  return d;
}

/// Steady rolling: spin, radii, contact patch and stiffnesses that belong to the load.
void MagicFormula::contact_and_radii(const State<double>& s, const TireForces& f,
                                     MagicFormulaDetails& out) const {
  const double R0 = v_.UNLOADED_RADIUS, load = s.Fz_input;
  out.omega = rolling_spin(load, s.dpi, s.Vx * (1 + s.kappa_input));
  out.Re = rolling_radius(load, s.dpi, out.omega);
  const double Romega = free_radius(out.omega);
  const double Fz = version_ == io::TirVersion::mf62 ? load : s.Fz_low;
  // Secant on the load; the spring is nearly straight.
  double rho = 0, Rl = Romega;
  const auto rest = [&](double radius) {
    return spring_load(radius, out.omega, f.Fx, f.Fy, s.gamma, s.dpi, rho) - Fz;
  };
  double a = 0, b = Romega + 0.5 * R0;  // the load falls from a to b
  for (int i = 0; i < 200 && b - a > 1e-15 * R0; ++i) {
    Rl = 0.5 * (a + b);
    (rest(Rl) > 0 ? a : b) = Rl;
  }
  rest(Rl);
  out.Rl = Fz > 0 ? Rl : Romega;
  out.rho = rho;
  out.Cz = s.Fz > 0 && rho > 0 ? (version_ == io::TirVersion::mf62 ? s.Fz : Fz) / rho : 0;

  const double stiffness = v_.VERTICAL_STIFFNESS * (1 + v_.PFZ1 * s.dpi);
  // On the rim the contact grows no more.
  const double patch_load = std::min(load, (R0 - v_.RIM_RADIUS - v_.BOTTOM_OFFST) * stiffness);
  if (five()) {
    double a1 = v_.Q_A1, a2 = v_.Q_A2;
    if (a1 == 0 && a2 == 0) {
      // MFeval's fit for files that leave them out.
      const double y = std::log10(R0 * v_.VERTICAL_STIFFNESS / v_.FNOMIN);
      a1 = ((-0.0388 * y + 0.2509) * y - 0.6283) * y + 0.6279;
      a2 = 1.693 * a1 * a1;
    }
    const double x = patch_load / v_.FNOMIN;
    out.contact_length = 2 * R0 * (a2 * x + a1 * std::sqrt(x));
    out.contact_width = v_.WIDTH;
  } else {
    const double x = patch_load / (stiffness * R0);
    out.contact_length = 2 * R0 * (v_.Q_RA2 * x + v_.Q_RA1 * std::sqrt(x));       // paper (9)
    out.contact_width = 2 * v_.WIDTH * (v_.Q_RB2 * x + v_.Q_RB1 * std::cbrt(x));  // paper (10)
  }
  const auto [Cx, Cy] = carcass_stiffness(s.dfz, s.dpi);
  out.Cx = Cx;
  out.Cy = Cy;
  if (five() && !relaxation_given_) return;  // as MFeval: zero; relaxation() falls back on the stiffnesses
  const auto [x, y] = relaxation_of(s.Fz, s.gamma, s.pressure);
  out.sigma_x = x;
  out.sigma_y = five() ? y : std::abs(out.Kya / Cy);
}

namespace {

MagicFormulaOptions options_of(const io::ParameterSet& p) {
  MagicFormulaOptions o;
  o.slip_angle = p.text("slip_angle") == "angle" ? MagicFormulaOptions::SlipAngle::angle
                                                 : MagicFormulaOptions::SlipAngle::tangent;
  o.limits = p.boolean("limits");
  const std::string& low = p.text("low_speed");
  o.low_speed = low == "off"     ? MagicFormulaOptions::LowSpeed::off
                : low == "slips" ? MagicFormulaOptions::LowSpeed::slips
                                 : MagicFormulaOptions::LowSpeed::shifts;
  o.turn_slip = p.boolean("turn_slip");
  o.radius_offset = p.number("radius_offset_m");
  return o;
}

std::unique_ptr<TireLaw> make(const io::ParameterSet& p) {
  const io::TirFile file = io::read_tir(io::beside(p.place("file").file, p.text("file")));
  auto law = std::make_unique<MagicFormula>(file, options_of(p));
  const std::string& mounted = p.text("mounted");
  law->set_mirrored((mounted == "left" && file.side == io::TireSide::right) ||
                    (mounted == "right" && file.side == io::TireSide::left));
  return law;
}

}  // namespace

ElementType<TireLaw> magic_formula_type() {
  using fields::choice, fields::make, fields::text;
  ElementType<TireLaw> t;
  t.info.name = "magic_formula";
  t.info.group = io::Group::force;
  t.info.doc = "Magic Formula 5.2, 6.1 or 6.2 with the coefficients of a tyre property file";
  t.info.fields = {
      text("file", "tyre property file (.tir), seen from this file", "models/tires/touring.tir"),
      choice("mounted", "side of the vehicle; the other side than TYRESIDE mirrors the tire", "as_measured",
             "right", {"as_measured", "left", "right"}),
      choice("slip_angle", "the formulas use tan(alpha) or alpha", "tangent", "tangent",
             {"tangent", "angle"}),
      make("limits", io::FieldKind::boolean, "hold the inputs within the ranges of the file", "true", "true"),
      choice("low_speed", "what fades out below VXLOW: nothing, shifts and moments, or also the slips",
             "shifts", "shifts", {"off", "shifts", "slips"}),
      make("turn_slip", io::FieldKind::boolean, "include the turn slip", "false", "true"),
      fields::number("radius_offset_m", "added to the file's radius: wear, or found by `nominal`", "0",
                     "0.002"),
  };
  t.info.roles = {io::Role::tir_file};
  t.make = &monocoque::make;
  return t;
}

}  // namespace monocoque
