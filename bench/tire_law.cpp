// Tire laws: nanoseconds per evaluation with and without derivatives, or a table of evaluations.
//
//   bench_tire_law                               times of every registered law
//   bench_tire_law --table FILE.tir [angle] < T  T: CSV with a header that has Fz, kappa, alpha, gamma, Vx, p
//   (lines
//                                                with # are left out); prints Fx, Fy, Mx, My, Mz of each row

#include <cmath>
#include <cstdio>

#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "elements/tires/magic_formula.h"
#include "elements/tires/tire_law_types.h"
#include "measure/stop_watch.h"
#include "support/paths.h"

using namespace monocoque;

namespace {

std::vector<TireInput> states() {
  std::mt19937 dice(1);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(dice); };
  std::vector<TireInput> list(1024);
  for (TireInput& in : list)
    in = {between(500, 8000),   between(-0.2, 0.2), between(-0.2, 0.2),    between(-0.08, 0.08),
          between(-0.05, 0.05), between(3, 40),     between(1.8e5, 2.8e5), between(0.5, 1)};
  return list;
}

template <class Evaluate>
double nanoseconds(const Evaluate& evaluate) {
  const std::vector<TireInput> list = states();
  double sum = 0, best = 1e9;
  for (int repeat = 0; repeat < 7; ++repeat) {
    const measure::StopWatch watch;
    constexpr int kRounds = 40;
    for (int k = 0; k < kRounds; ++k)
      for (const TireInput& in : list) sum += evaluate(in);
    best = std::min(best, 1e9 * watch.elapsed().cpu_s / (kRounds * static_cast<double>(list.size())));
  }
  // The sum is used, so that nothing is optimised away.
  return std::isfinite(sum) ? best : -1;
}

void time_law(const std::string& name, const TireLaw& law) {
  TireForces f;
  TireJacobian by;
  TireVerticalDerivatives v;
  const double plain = nanoseconds([&](const TireInput& in) {
    law.forces(in, f);
    return f.Fy;
  });
  const double with = nanoseconds([&](const TireInput& in) {
    law.forces(in, f, by);
    return f.Fy + by(1, 2);
  });
  const double load = nanoseconds([&](const TireInput& in) {
    return law.vertical({0.02, 0.1, in.Vx, in.Fz, in.Fz, in.gamma, in.pressure}, v);
  });
  std::printf("%-24s %8.0f %8.0f %8.0f\n", name.c_str(), plain, with, load);
}

int times() {
  std::printf("%-24s %8s %8s %8s\n", "law (ns per evaluation)", "forces", "5 x 8", "load");
  const std::string root = source_dir() + "/";
  for (const auto& type : tire_law_types()) {
    io::ParameterSet p = io::example_parameters(type.info);
    if (!p.has("file")) {
      time_law(type.info.name, *type.make(p));
      continue;
    }
    for (const char* file : {"touring", "sport", "van"})
      for (const bool turn : {false, true}) {
        MagicFormulaOptions options;
        options.turn_slip = turn;
        const MagicFormula law(io::read_tir(root + "models/tires/" + file + ".tir"), options);
        time_law(std::string("magic ") + file + (turn ? ", turn slip" : ""), law);
      }
  }
  return 0;
}

int table(const std::string& file, bool angle) {
  MagicFormulaOptions options;
  if (angle) options.slip_angle = MagicFormulaOptions::SlipAngle::angle;
  options.low_speed = MagicFormulaOptions::LowSpeed::slips;
  const MagicFormula law(io::read_tir(file), options);
  std::vector<std::string> names;
  std::printf("Fx,Fy,Mx,My,Mz\n");
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells(line);
    std::map<std::string, double> row;
    std::size_t column = 0;
    const bool header = names.empty();
    for (std::string cell; std::getline(cells, cell, ',');)
      if (header)
        names.push_back(cell);
      else
        row[names.at(column++)] = std::stod(cell);
    if (header) continue;
    TireInput in;
    in.Fz = row.at("Fz");
    in.kappa = row.at("kappa") * (row.at("Vx") < 0 ? -1 : 1);
    in.tan_alpha = std::tan(row.at("alpha"));
    in.gamma = row.at("gamma");
    in.Vx = row.at("Vx");
    in.pressure = row.at("p");
    TireForces f;
    law.forces(in, f);
    std::printf("%.12g,%.12g,%.12g,%.12g,%.12g\n", f.Fx, f.Fy, f.Mx, f.My, f.Mz);
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count >= 3 && std::string(arguments[1]) == "--table")
      return table(arguments[2], count > 3 && std::string(arguments[3]) == "angle");
    return times();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_tire_law: %s\n", e.what());
    return 1;
  }
}
