#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "apps/commands.h"
#include "apps/common.h"
#include "apps/mesh_loading.h"
#include "body/body_in_white.h"
#include "fe/assemble.h"
#include "fe/rigid_body.h"
#include "io/mesh_readers.h"
#include "io/text_source.h"

namespace monocoque {

namespace {

body::BodyParameters parameters_of(const BodyCommand& o) {
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
    throw Error(Place{path, 0}, "--out", fmt::format("'{}' is of no mesh format that is written", ending),
                "name it .nas or .bdf (Nastran), or .inp (Abaqus, CalculiX)");
}

}  // namespace

int command_body(const BodyCommand& o) {
  const body::BodyInWhite made = body::make_body(parameters_of(o));
  const io::FeMesh& mesh = made.mesh;
  if (!o.output.empty()) write_mesh(mesh, o.output);
  long shells = 0, beams = 0;
  for (const io::FeElement& e : mesh.elements) ++(e.kind == io::ElementKind::shell4 ? shells : beams);
  fmt::print("shells {}, beams {}, nodes {}, spiders {}, welds {}, springs of the glass {}\n", shells, beams,
             mesh.nodes.size(), made.spiders, made.welds, mesh.springs.size());
  return 0;
}

}  // namespace monocoque
