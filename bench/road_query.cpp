// Time of one road query, per road: in order along the road (hint kept) and at random places (hint kept,
// useless).
//   bench_road_query [CRG_FILE...]     further OpenCRG files beside the example
//   bench_road_query --table TYPE      lines x,y on stdin to x,y,z,mu,on_road of the example of that type
// Fails when an average is above 1 microsecond.

#include <cmath>
#include <cstdio>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "elements/roads/road_types.h"
#include "io/model/parameter_set.h"
#include "measure/stop_watch.h"
#include "support/paths.h"

namespace monocoque::bench {
namespace {

constexpr double kLimit_ns = 1000;
constexpr int kQueries = 400000, kRepetitions = 5;

struct Subject {
  std::string name;
  std::unique_ptr<const Road> road;
  std::vector<std::pair<double, double>> along, random;
};

/// Points in order on a line at 1 cm, and the same number spread over the area.
void lay_points(Subject& s) {
  RoadExtent e = s.road->extent();
  if (!e.finite()) e = {0, 100, -2, 2};
  std::uint64_t state = 1;
  const auto dice = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (int i = 0; i < kQueries; ++i) {
    s.random.emplace_back(e.x_min + dice() * (e.x_max - e.x_min), e.y_min + dice() * (e.y_max - e.y_min));
    const double t = std::fmod(i * 0.01 / std::hypot(e.x_max - e.x_min, e.y_max - e.y_min), 1.0);
    s.along.emplace_back(e.x_min + t * (e.x_max - e.x_min), e.y_min + t * (e.y_max - e.y_min));
  }
}

double nanoseconds(const Road& road, const std::vector<std::pair<double, double>>& points) {
  double best = INFINITY, sum = 0;
  for (int r = 0; r < kRepetitions; ++r) {
    RoadHint hint;
    RoadSample s;
    const measure::StopWatch watch;
    for (const auto& [x, y] : points) {
      road.sample(x, y, hint, s);
      sum += s.z;
    }
    best = std::min(best, watch.elapsed().cpu_s / static_cast<double>(points.size()) * 1e9);
  }
  return std::isnan(sum) ? INFINITY : best;
}

io::ParameterSet example_of(const io::TypeInfo& info) {
  io::ParameterSet p = io::example_parameters(info);
  if (info.name == "opencrg") p.entries["file"].text = source_dir() + "/" + p.entries["file"].text;
  return p;
}

int table(const std::string& type) {
  std::unique_ptr<const Road> road;
  for (const auto& t : road_types())
    if (t.info.name == type) road = make_road(type, example_of(t.info));
  if (!road) throw Error("--table", fmt::format("there is no road of type '{}'", type));
  RoadHint hint;
  RoadSample s;
  fmt::print("x,y,z,mu,on_road\n");
  for (double x = 0, y = 0; std::scanf("%lf,%lf", &x, &y) == 2;) {
    road->sample(x, y, hint, s);
    fmt::print("{},{},{},{},{}\n", x, y, s.z, s.mu, s.on_road ? 1 : 0);
  }
  return 0;
}

int run(int count, char** files) {
  std::vector<Subject> subjects;
  for (const auto& t : road_types()) {
    io::ParameterSet p = example_of(t.info);
    subjects.push_back({t.info.name, make_road(t.info.name, p), {}, {}});
    if (t.info.name != "opencrg") continue;
    for (int i = 0; i < count; ++i) {
      p.entries["file"].text = files[i];
      const std::string path = files[i];
      subjects.push_back({path.substr(path.rfind('/') + 1), make_road("opencrg", p), {}, {}});
    }
  }
  bool slow = false;
  fmt::print("{:32} {:>14} {:>14}\n", "road", "in order, ns", "random, ns");
  for (Subject& s : subjects) {
    lay_points(s);
    const double along = nanoseconds(*s.road, s.along), random = nanoseconds(*s.road, s.random);
    slow = slow || along > kLimit_ns || random > kLimit_ns;
    fmt::print("{:32} {:14.1f} {:14.1f}\n", s.name, along, random);
  }
  return slow ? 1 : 0;
}

}  // namespace
}  // namespace monocoque::bench

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string(argv[1]) == "--table") return monocoque::bench::table(argv[2]);
    return monocoque::bench::run(argc - 1, argv + 1);
  } catch (const monocoque::Error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
