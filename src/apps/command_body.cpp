#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/command.h"
#include "apps/common.h"
#include "apps/exit_status.h"
#include "apps/mesh_loading.h"
#include "apps/options.h"
#include "body/assess.h"
#include "body/body_in_white.h"
#include "fe/assemble.h"
#include "fe/rigid_body.h"
#include "io/files/text_source.h"
#include "io/mesh/mesh_readers.h"
#include "results/mesh_picture.h"

namespace monocoque {

namespace {

struct BodyOptions : ResultOptions {
  std::optional<double> size_m, weld_pitch_m, thickness_scale, knockdown, bond_scale, mass_kg, centre_x_m,
      centre_z_m;              ///< none: as body::BodyParameters has it
  std::string weld = "rigid";  ///< or shared
  bool no_glass = false, closed_bulkhead = false;
  bool report = false;  ///< modes and static stiffness
  int modes = 10;       ///< of the report
};

constexpr long kSilentBelow = 5000;  ///< shells; what takes less than 2 s needs no progress
constexpr double kFineSize_m = 0.015;
constexpr double kDrawnMotion_m = 0.25;

body::BodyParameters parameters_of(const BodyOptions& o) {
  body::BodyParameters p;
  p.size_m = o.size_m.value_or(p.size_m);
  p.weld = o.weld == "shared" ? body::WeldKind::shared : body::WeldKind::rigid;
  p.weld_pitch_m = o.weld_pitch_m.value_or(p.weld_pitch_m);
  p.thickness_scale = o.thickness_scale.value_or(p.thickness_scale);
  p.knockdown = o.knockdown.value_or(p.knockdown);
  p.bond_scale = o.bond_scale.value_or(p.bond_scale);
  p.mass_kg = o.mass_kg.value_or(p.mass_kg);
  p.centre_x_m = o.centre_x_m.value_or(p.centre_x_m);
  p.centre_z_m = o.centre_z_m.value_or(p.centre_z_m);
  p.glass = !o.no_glass;
  p.closed_bulkhead = o.closed_bulkhead;
  return p;
}

void write_mesh(const io::FeMesh& mesh, const std::string& path) {
  const std::string ending = io::upper(std::filesystem::path(path).extension().string());
  if (ending == ".INP")
    io::write_inp(mesh, path);
  else if (ending == ".NAS" || ending == ".BDF" || ending == ".DAT" || ending == ".NASTRAN")
    io::write_nastran(mesh, path);
  else
    throw UsageError("-o", fmt::format("'{}' is of no mesh format that is written", ending),
                     "name it .nas or .bdf (Nastran), or .inp (Abaqus, CalculiX)");
}

/// What the command prints, as text or JSON.
struct Findings {
  long shells = 0, beams = 0;
  double thinnest_mm = 1e9, thickest_mm = 0;
  body::Stiffness stiffness;
  body::BodyModes modes;
};

Findings look_at(const io::FeMesh& mesh) {
  Findings f;
  for (const io::FeElement& e : mesh.elements) ++(e.kind == io::ElementKind::shell4 ? f.shells : f.beams);
  for (const io::FeProperty& p : mesh.properties) {
    if (p.kind != io::PropertyKind::shell || p.name == "screen" || p.name == "backlight") continue;
    f.thinnest_mm = std::min(f.thinnest_mm, p.shell.thickness_m * 1e3);
    f.thickest_mm = std::max(f.thickest_mm, p.shell.thickness_m * 1e3);
  }
  return f;
}

void print_text(const BodyOptions& o, const body::BodyInWhite& made, const Findings& f) {
  const io::FeMesh& mesh = made.mesh;
  fmt::print("shells {}, beams {}, nodes {}\n", f.shells, f.beams, mesh.nodes.size());
  fmt::print("spiders {}, welds {}, springs of the glass {}\n", made.spiders, made.welds,
             mesh.springs.size());
  fmt::print("sheets {:.2f} to {:.2f} mm; structure {:.2f} kg, trim {:.2f} kg\n", f.thinnest_mm,
             f.thickest_mm, made.structure_kg, made.mass.mass_kg - made.structure_kg);
  const Mat3& I = made.mass.inertia;
  fmt::print("mass {:.3f} kg, centre {:.6f} {:.6f} {:.6f} m\n", made.mass.mass_kg, made.mass.centre.x(),
             made.mass.centre.y(), made.mass.centre.z());
  fmt::print("inertia about the centre: Ixx {:.2f}, Iyy {:.2f}, Izz {:.2f}, Ixz {:.2f} kg m^2\n", I(0, 0),
             I(1, 1), I(2, 2), I(0, 2));
  if (!o.report) return;
  fmt::print("torsional stiffness {:.3f} kNm/deg, bending stiffness {:.3f} kN/mm\n",
             f.stiffness.torsion_kNm_per_deg(), f.stiffness.bending_kN_per_mm());
  fmt::print("{} rigid modes\nmode  frequency [Hz]   roll  vertical  lateral  name\n", f.modes.rigid);
  int number = 0;
  for (const body::NamedMode& m : f.modes.elastic)
    fmt::print("{:4}  {:14.4f}  {:5.2f}  {:8.2f}  {:7.2f}  {}\n", ++number, m.frequency_Hz, m.roll,
               m.vertical, m.lateral, m.name);
}

void print_json(const BodyOptions& o, const body::BodyInWhite& made, const Findings& f) {
  const Vec3& c = made.mass.centre;
  const Mat3& I = made.mass.inertia;
  nlohmann::ordered_json json = {{"shells", f.shells},
                                 {"beams", f.beams},
                                 {"nodes", made.mesh.nodes.size()},
                                 {"spiders", made.spiders},
                                 {"welds", made.welds},
                                 {"structure_kg", json_number(made.structure_kg)},
                                 {"mass_kg", json_number(made.mass.mass_kg)},
                                 {"centre_m", {c.x(), c.y(), c.z()}},
                                 {"inertia_kg_m2", {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}}};
  if (o.report) {
    json["torsion_kNm_per_deg"] = json_number(f.stiffness.torsion_kNm_per_deg());
    json["bending_kN_per_mm"] = json_number(f.stiffness.bending_kN_per_mm());
    json["rigid_modes"] = f.modes.rigid;
    for (const body::NamedMode& m : f.modes.elastic)
      json["modes"].push_back({{"frequency_Hz", json_number(m.frequency_Hz)},
                               {"name", m.name},
                               {"roll", json_number(m.roll)},
                               {"vertical", json_number(m.vertical)},
                               {"lateral", json_number(m.lateral)}});
  }
  fmt::print("{}\n", json.dump(2));
}

/// Without what hides the inside.
MeshSurface opened(io::FeMesh mesh) {
  std::erase_if(mesh.elements, [&](const io::FeElement& e) {
    const std::string& name = mesh.properties[static_cast<std::size_t>(e.property)].name;
    return name == "roof" || name == "screen" || name == "backlight" || name == "header";
  });
  return surface_of(mesh);
}

/// The mesh, and each mode.
void draw(const BodyOptions& o, const body::BodyInWhite& made, const Findings& f) {
  make_folder(o.plot);
  const MeshSurface surface = surface_of(made.mesh);
  const std::string shells = fmt::format("{} shells, {} beams", f.shells, f.beams);
  MeshPicture p;
  p.title = "Body-in-white";
  p.subtitle = shells;
  write_picture(surface, p, o.plot + "/mesh.svg");
  p.subtitle = "from behind, without roof and glass";
  p.view_from = Vec3(-1, 0.85, 0.75);
  write_picture(opened(made.mesh), p, o.plot + "/mesh-inside.svg");
  int number = 0;
  for (const body::NamedMode& m : f.modes.elastic) {
    MeshPicture mode;
    mode.title = fmt::format("Mode {}: {:.2f} Hz, {}", ++number, m.frequency_Hz, m.name);
    mode.displacement_m = displacements(m.motion);
    mode.magnification = magnification_for(mode.displacement_m, kDrawnMotion_m);
    mode.subtitle = fmt::format("free body, {}; largest displacement drawn as {:g} m; grey: at rest", shells,
                                kDrawnMotion_m);
    mode.quantity = "displacement";
    mode.unit = "of largest";
    for (const Vec3& u : mode.displacement_m)
      mode.value.push_back(u.norm() * mode.magnification / kDrawnMotion_m);
    mode.low = 0;
    write_picture(surface, mode, fmt::format("{}/mode-{:02}.svg", o.plot, number));
  }
}

int execute(const BodyOptions& o) {
  const body::BodyParameters p = parameters_of(o);
  // Large meshes take a while before the first line.
  if (!o.quiet && p.size_m < kFineSize_m) fmt::print(stderr, "meshing with elements of {:g} m\n", p.size_m);
  const body::BodyInWhite made = [&] {
    try {
      return body::make_body(p);
    } catch (const Error& e) {  // all it is made from are options
      throw UsageError(e.diagnostics());
    }
  }();
  if (!o.output.empty()) write_mesh(made.mesh, o.output);
  Findings found = look_at(made.mesh);
  const reduce::Log log = log_to_stderr(o.quiet || found.shells < kSilentBelow);
  if (o.report) {
    reduce::say(log, fmt::format("{} shells: assembling", found.shells));
    const FeSystem fe = assemble(made.mesh);
    found.stiffness = body::static_stiffness(made, fe, log);
    found.modes = body::named_modes(made, fe, o.modes, log);
  }
  if (!o.plot.empty()) draw(o, made, found);
  (o.json ? print_json : print_text)(o, made, found);
  return 0;
}

void declare(CLI::App& app, BodyOptions& o) {
  app.add_option("--size", o.size_m, "of the elements, m; 0.2");
  app.add_option("--weld", o.weld, "spot welds by rigid elements, or shared nodes")
      ->check(CLI::IsMember({"rigid", "shared"}));
  app.add_option("--weld-pitch", o.weld_pitch_m, "of the spots, m; 0.05");
  app.add_option("--thickness", o.thickness_scale, "factor on all sheets; 1");
  app.add_option("--knockdown", o.knockdown, "Young's modulus of sheets over steel's; 0.35");
  app.add_option("--bond", o.bond_scale, "factor on the stiffness of the glass' adhesive; 1");
  app.add_option("--mass", o.mass_kg, "of body and trim, kg; 1006.5");
  app.add_option("--centre-x", o.centre_x_m, "of mass, m; 0");
  app.add_option("--centre-z", o.centre_z_m, "of mass, m over ground; 0.602");
  app.add_flag("--no-glass", o.no_glass, "without windscreen and rear window");
  app.add_flag("--closed-bulkhead", o.closed_bulkhead, "behind the rear seats");
  app.add_flag("--report", o.report, "modes with names, static torsional and bending stiffness");
  app.add_option("--modes", o.modes, "of the report; 10")->check(CLI::PositiveNumber);
  app.add_option("-o,--output,--out", o.output, "mesh: .nas or .bdf (Nastran), .inp (Abaqus)");
  add_plot(app, o.plot, "folder for pictures (SVG) of the mesh and, with --report, of the modes",
           "--pictures");
  add_print(app, o);
}

}  // namespace

Command body_command() {
  return make_command("body", "mesh of a parametric sedan body, with its modes and stiffness", declare,
                      execute);
}

}  // namespace monocoque
