#include "apps/camry_body.h"

#include <filesystem>

#include <fmt/format.h>

#include "apps/reproduce/reproduction.h"
#include "body/body_in_white.h"
#include "core/error.h"
#include "fe/assemble.h"
#include "io/body/sid.h"
#include "reduce/reduce_body.h"

namespace monocoque {

namespace {

using Say = std::function<void(const std::string&)>;

constexpr int kShippedCoordinates = 40, kInterfaces = 20, kLargestBody = 1000;

/// The first elastic coordinates of a body, which are those of the lowest frequencies.
io::Sid first_of(const io::Sid& all, int nq) {
  io::Sid s = all;
  const auto n = static_cast<std::size_t>(nq);
  s.nq = nq;
  s.mode_names.resize(n);
  for (io::SidNode& node : s.nodes) {
    for (io::SidTaylor* t : {&node.origin, &node.AP}) t->first.resize(n);
    for (io::SidTaylor* t : {&node.phi, &node.psi, &node.sigma}) {
      if (t->zero.size() > 0) t->zero = t->zero.leftCols(nq).eval();
      t->first.clear();
    }
  }
  s.mdCM.first.resize(n);
  s.J.first.resize(n);
  if (!s.J.second.empty()) s.J.second.resize(n * (n + 1) / 2);
  for (io::SidTaylor* t : {&s.Ct, &s.Cr, &s.Oe, &s.ksigma}) {
    t->zero = t->zero.topRows(nq).eval();
    if (!t->first.empty()) t->first.resize(n);
    for (MatX& m : t->first) m = m.topRows(nq).eval();
  }
  for (io::SidTaylor* t : {&s.Me, &s.Ke, &s.De}) t->zero = t->zero.topLeftCorner(nq, nq).eval();
  s.Gr.zero = s.Gr.zero.leftCols(3 * nq).eval();
  if (!s.Gr.first.empty()) s.Gr.first.resize(n);
  for (MatX& m : s.Gr.first) m = m.leftCols(3 * nq).eval();
  s.Ge.zero = s.Ge.zero.topLeftCorner(nq, 3 * nq).eval();
  return s;
}

/// What `inertia_couplings: neglected` with `geometric_stiffening: off` would not read.
void drop_couplings(io::Sid& s) {
  s.J.second.clear();
  for (io::SidTaylor* t : {&s.Cr, &s.Gr, &s.Oe}) t->first.clear();
  s.Ge.zero.setZero();
}

io::Sid reduced(int nq, const Say& say) {
  say(fmt::format("a body with {} elastic coordinates is made from the mesh (once)", nq));
  const body::BodyParameters parameters;
  const FeSystem system = assemble(body::make_body(parameters).mesh);
  reduce::ReduceOptions o;
  for (int i = 1; i <= kInterfaces; ++i) o.boundary.push_back({i, 7});
  o.statics = reduce::StaticModes::attachment;
  o.dynamics = reduce::DynamicModes::free;
  o.modes = nq - 3 * kInterfaces;
  o.damping.ratio = 0.01;
  o.second_order = nq <= kLargestCoupledBody;
  o.origin_m = Vec3(parameters.centre_x_m, 0, parameters.centre_z_m);
  o.log = say;
  const reduce::NodeMap map(system);
  io::Sid sid = reduce::reduce_body(system, map, o).sid;
  if (sid.nq != nq)
    throw Error("camry body", fmt::format("the mesh gave {} coordinates, not {}", sid.nq, nq), "");
  if (nq > kLargestCoupledBody) drop_couplings(sid);
  return sid;
}

}  // namespace

std::string camry_body(int coordinates, const Say& say) {
  namespace fs = std::filesystem;
  if (coordinates == kShippedCoordinates) return shipped_model("camry/camry-body-40.h5");
  const std::string folder = cache_folder();
  std::string path = fmt::format("{}/camry-body-{}.h5", folder, coordinates);
  if (fs::exists(path)) return path;
  fs::create_directories(folder);
  const int source = coordinates <= kLargestCoupledBody ? kLargestCoupledBody : kLargestBody;
  const io::Sid sid = coordinates == source ? reduced(coordinates, say)
                                            : first_of(io::read_sid(camry_body(source, say)), coordinates);
  const std::string part = path + ".part.h5";  // a file that is there is whole
  io::write_sid(sid, part);
  fs::rename(part, path);
  return path;
}

}  // namespace monocoque
