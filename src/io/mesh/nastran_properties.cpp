// Materials and properties of Nastran.

#include <cmath>

#include <fmt/format.h>

#include "io/files/text_source.h"
#include "io/mesh/beam_sections.h"
#include "io/mesh/nastran_reader.h"

namespace monocoque::io {

void NastranReader::mat1(NastranCard& card) {
  FeMaterial m;
  m.id = card.positive(0, "id");
  const bool has_E = card.has(1), has_G = card.has(2), has_nu = card.has(3);
  m.young_Pa = card.real(1, "Young's modulus E", 0);
  m.shear_Pa = card.real(2, "shear modulus G", 0);
  m.poisson = card.real(3, "Poisson's ratio", 0);
  m.density_kg_per_m3 = card.real(4, "density", 0);
  if (!has_E && !has_G) card.mistake("neither E nor G is given", "give one of them at least");
  // Two of the three determine the third.
  if (!has_E) m.young_Pa = 2 * (1 + m.poisson) * m.shear_Pa;
  if (!has_nu && has_E && has_G && m.shear_Pa > 0) m.poisson = m.young_Pa / (2 * m.shear_Pa) - 1;
  if (!has_G) m.shear_Pa = m.young_Pa / (2 * (1 + m.poisson));
  if (has_E && has_G && has_nu && std::abs(m.young_Pa - 2 * (1 + m.poisson) * m.shear_Pa) > 0.01 * m.young_Pa)
    draft_.note(
        fmt::format("MAT1 {}: E, G and NU do not fit together; E and NU hold for shells and solids, E and G "
                    "for beams",
                    m.id));
  if (card.good()) draft_.material(m, card.where);
}

void NastranReader::pshell(NastranCard& card) {
  FeProperty p;
  p.id = card.positive(0, "id");
  p.kind = PropertyKind::shell;
  const long membrane = card.integer(1, "membrane material", 0),
             bending = card.integer(3, "bending material", 0);
  const long shear = card.integer(5, "shear material", 0);
  p.shell.thickness_m = card.real(2, "thickness", 0);
  p.shell.bending_ratio = bending > 0 ? card.real(4, "12I/T**3", 1) : 0;
  p.shell.shear_ratio = card.real(6, "TS/T", 5.0 / 6);
  p.shell.mass_kg_per_m2 = card.real(7, "nonstructural mass", 0);
  const long material = membrane > 0 ? membrane : bending;
  if (material <= 0) card.mistake("it has no material", "give the membrane material");
  if (membrane <= 0 && bending > 0)
    draft_.note(
        fmt::format("PSHELL {} has bending stiffness only; it is given its membrane stiffness too", p.id));
  if (membrane > 0 && bending > 0 && bending != membrane)
    draft_.note(
        fmt::format("PSHELL {}: bending takes the membrane material {} and not {}", p.id, membrane, bending));
  if (shear > 0 && shear != material)
    draft_.note(fmt::format("PSHELL {}: shear takes the material {} and not {}", p.id, material, shear));
  if (bending > 0 && shear <= 0)
    draft_.note(
        fmt::format("PSHELL {} has no shear material; it is given the usual shear stiffness 5/6 G t", p.id));
  if (bending == -1)
    draft_.note(fmt::format("PSHELL {}: plane strain (MID2 = -1) is read as no bending", p.id));
  if (card.integer(10, "coupling material", 0) > 0)
    draft_.note(fmt::format("PSHELL {}: coupling of membrane and bending (MID4) is left out", p.id));
  if (card.good()) draft_.property(p, material, "PSHELL", card.where);
}

void NastranReader::psolid(NastranCard& card) {
  FeProperty p;
  p.id = card.positive(0, "id");
  p.kind = PropertyKind::solid;
  const long material = card.positive(1, "material");
  if (same_word(card.text(6), "PFLUID")) card.mistake("a fluid is not supported");
  if (card.good()) draft_.property(p, material, "PSOLID", card.where);
}

void NastranReader::prod(NastranCard& card) {
  FeProperty p;
  p.id = card.positive(0, "id");
  p.kind = PropertyKind::rod;
  const long material = card.positive(1, "material");
  p.beam.area_m2 = card.real(2, "area", 0);
  p.beam.torsion_m4 = card.real(3, "torsion constant", 0);
  p.beam.mass_kg_per_m = card.real(5, "nonstructural mass", 0);
  if (card.good()) draft_.property(p, material, "PROD", card.where);
}

void NastranReader::ptube(NastranCard& card) {
  FeProperty p;
  p.id = card.positive(0, "id");
  p.kind = PropertyKind::rod;
  const long material = card.positive(1, "material");
  const double outer = card.real(2, "outer diameter") / 2, wall = card.real(3, "wall", outer);
  if (!(outer > 0 && wall >= 0 && wall <= outer))
    card.mistake(fmt::format("outer diameter {} and wall {} do not make a tube", 2 * outer, wall));
  p.beam = round_section(outer, wall > 0 ? outer - wall : 0);
  p.beam.mass_kg_per_m = card.real(4, "nonstructural mass", 0);
  if (card.good()) draft_.property(p, material, "PTUBE", card.where);
}

void NastranReader::pbar(NastranCard& card) {
  FeProperty p;
  p.id = card.positive(0, "id");
  p.kind = PropertyKind::beam;
  const long material = card.positive(1, "material");
  p.beam.area_m2 = card.real(2, "area", 0);
  p.beam.I_z_m4 = card.real(3, "I1", 0);
  p.beam.I_y_m4 = card.real(4, "I2", 0);
  p.beam.torsion_m4 = card.real(5, "torsion constant", 0);
  p.beam.mass_kg_per_m = card.real(6, "nonstructural mass", 0);
  // Lines two and three: stress points, then K1 K2 I12.
  p.beam.shear_y = card.real(16, "K1", 0);
  p.beam.shear_z = card.real(17, "K2", 0);
  p.beam.I_yz_m4 = card.real(18, "I12", 0);
  if (card.good()) draft_.property(p, material, "PBAR", card.where);
}

void NastranReader::pbarl(NastranCard& card) {
  FeProperty p;
  p.id = card.positive(0, "id");
  p.kind = PropertyKind::beam;
  const long material = card.positive(1, "material");
  const std::string shape = upper(card.text(3));
  const int count = dimension_count(shape);
  if (count == 0) {
    card.mistake(
        fmt::format("section '{}' is not known", shape.substr(0, 16)),
        "give its constants with PBAR, or use ROD, TUBE, BAR, BOX, I, T, L, CHAN, H, HAT, CROSS, HEXA");
    return;
  }
  std::vector<double> dimensions;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
    dimensions.push_back(card.real(8 + k, "dimension"));
  std::string reason;
  if (card.good() && !section_of_shape(shape, dimensions, p.beam, reason))
    card.mistake(fmt::format("section {}: {}", shape, reason));
  p.name = shape;
  p.beam.mass_kg_per_m = card.real(8 + static_cast<std::size_t>(count), "nonstructural mass", 0);
  if (card.good()) draft_.property(p, material, "PBARL", card.where);
}

void NastranReader::pbeam(NastranCard& card) {
  FeProperty p;
  p.id = card.positive(0, "id");
  p.kind = PropertyKind::beam;
  const long material = card.positive(1, "material");
  const auto station = [&card](std::size_t at, const BeamSection& otherwise) {
    BeamSection s = otherwise;
    s.area_m2 = card.real(at, "area", otherwise.area_m2);
    s.I_z_m4 = card.real(at + 1, "I1", otherwise.I_z_m4);
    s.I_y_m4 = card.real(at + 2, "I2", otherwise.I_y_m4);
    s.I_yz_m4 = card.real(at + 3, "I12", otherwise.I_yz_m4);
    s.torsion_m4 = card.real(at + 4, "torsion constant", otherwise.torsion_m4);
    s.mass_kg_per_m = card.real(at + 5, "nonstructural mass", otherwise.mass_kg_per_m);
    return s;
  };
  const auto is_flag = [&card](std::size_t i) {
    const std::string word = upper(card.text(i));
    return word == "YES" || word == "YESA" || word == "NO";
  };
  const BeamSection a = station(2, {});
  BeamSection b = a;
  // Line two holds stress points unless a flag opens it; a station with YES has a line of stress points of
  // its own.
  std::size_t at = is_flag(8) ? 8 : 16;
  for (int count = 0; at < card.size() && is_flag(at) && count < 16; ++count) {
    const double place = card.real(at + 1, "X/XB");
    if (place == 1)
      b = station(at + 2, a);
    else
      draft_.note(fmt::format("PBEAM {}: stations between its ends are left out", p.id));
    at += same_word(card.text(at), "YES") ? 16 : 8;
  }
  const auto mean = [](double x, double y) { return (x + y) / 2; };
  p.beam.area_m2 = mean(a.area_m2, b.area_m2);
  p.beam.I_y_m4 = mean(a.I_y_m4, b.I_y_m4);
  p.beam.I_z_m4 = mean(a.I_z_m4, b.I_z_m4);
  p.beam.I_yz_m4 = mean(a.I_yz_m4, b.I_yz_m4);
  p.beam.torsion_m4 = mean(a.torsion_m4, b.torsion_m4);
  p.beam.mass_kg_per_m = mean(a.mass_kg_per_m, b.mass_kg_per_m);
  if (a.area_m2 != b.area_m2 || a.I_y_m4 != b.I_y_m4 || a.I_z_m4 != b.I_z_m4)
    draft_.note(fmt::format("PBEAM {} is tapered; the mean of its ends is taken", p.id));
  p.beam.shear_y = card.real(at, "K1", 1);
  p.beam.shear_z = card.real(at + 1, "K2", 1);
  for (std::size_t k = at + 4; k < at + 8; ++k)
    if (card.has(k) && card.real(k, "NSI or CW", 0) != 0)
      draft_.note(
          fmt::format("PBEAM {}: rotary inertia of added mass (NSI) and warping (CW) are left out", p.id));
  for (std::size_t k = at + 8; k < at + 16; ++k)
    if (card.has(k) && card.real(k, "M or N", 0) != 0)
      draft_.note(fmt::format(
          "PBEAM {}: neutral axis and added mass are put into the shear centre (M, N left out)", p.id));
  if (card.good()) draft_.property(p, material, "PBEAM", card.where);
}

void NastranReader::pelas(NastranCard& card) {
  for (std::size_t at = 0; at < 8; at += 4) {
    if (!card.has(at)) continue;
    const long id = card.positive(at, "id");
    const double k = card.real(at + 1, "stiffness");
    if (card.good() && !spring_rates_.emplace(id, k).second)
      card.mistake(fmt::format("PELAS {} is already defined", id), "give each property its own id");
  }
}

}  // namespace monocoque::io
