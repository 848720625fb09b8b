#include "adams/history.h"
#include "support/reference_files.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace monocoque::test {
namespace {

constexpr double kNothing = 1e-9;  // Adams prints zero as 1e-17 or so
constexpr double kPartMass = 1;
constexpr double kStandardGravity = 9.80665;
const Vec3 kInertia(0.04, 0.1, 0.1);
const Vec3 kJointInPart(-2, 0, 0);

struct Cubic {
  double w0, w1, w2, w3;  ///< weights of the integral over one interval, times 24
  std::size_t first;
};

}  // namespace

std::string adams_file(const std::string& stem, Quantity q) {
  return reference("adams/" + stem + "_ADAMS_" + kFileNames[q] + ".txt");
}

History read_adams(const std::string& stem) {
  History h;
  for (int q = 0; q < kQuantities; ++q) {
    const auto k = static_cast<std::size_t>(q);
    const std::string path = adams_file(stem, static_cast<Quantity>(q));
    std::ifstream file(path);
    std::string line;
    std::vector<double> t;
    while (std::getline(file, line)) {
      if (line.empty() || (line[0] != '+' && line[0] != '-')) continue;
      std::istringstream numbers(line);
      double time = 0;
      Vec4 v = Vec4::Zero();
      numbers >> time;
      for (int i = 0; i < (q == kQuat ? 4 : 3); ++i) numbers >> v[i];
      if (!numbers) throw Error(path, "a line is not made of numbers: " + line);
      t.push_back(time);
      h.values[k].push_back(v);
    }
    if (t.size() < 2) throw Error(path, "there is no data");
    if (q > 0 && t != h.t) throw Error(path, "its times differ from those of the positions");
    h.t = t;
  }
  return h;
}

History history_of(const RecordedRun& run) {
  History h;
  const auto put = [&h](Quantity q, const Vec3& v) { h.values[q].emplace_back(v.x(), v.y(), v.z(), 0); };
  const auto sum = [&run](std::size_t i, const std::string& joint, const std::string& spring) {
    Vec3 v = Vec3::Zero();
    if (run.has(joint + "/x")) v += run.vector(i, joint);
    if (run.has(spring + "/x")) v += run.vector(i, spring);
    return v;
  };
  for (std::size_t i = 0; i < run.size(); ++i) {
    h.t.push_back(run.time(i));
    put(kPos, run.vector(i, "bar/position"));
    put(kVel, run.vector(i, "bar/velocity"));
    put(kAcc, run.vector(i, "bar/acceleration"));
    h.values[kQuat].push_back(run.quaternion(i, "bar"));
    put(kAvel, run.vector(i, "bar/angular_velocity"));
    put(kAacc, run.vector(i, "bar/angular_acceleration"));
    put(kForce, sum(i, "joint/reaction/force", "spring/force"));
    put(kTorque, sum(i, "joint/reaction/torque", "spring/torque"));
  }
  return h;
}

double largest(const std::vector<Vec4>& b) {
  double most = 0;
  for (const Vec4& v : b) most = std::max(most, v.norm());
  return most;
}

double deviation(const History& a, const History& b, Quantity q, double end) {
  double most = 0;
  for (std::size_t i = 0; i < b.t.size() && b.t[i] <= end + 1e-9; ++i) {
    const Vec4 &x = a.values[q].at(i), &y = b.values[q][i];
    // A quaternion and its negative are the same orientation.
    most = std::max(most, q == kQuat ? std::min((x - y).norm(), (x + y).norm()) : (x - y).norm());
  }
  const double size = largest(b.values[q]);
  return size < kNothing ? most : most / size;
}

double scatter(const History& h, Quantity q) {
  const auto& v = h.values[q];
  double most = 0;
  for (std::size_t i = 2; i + 2 < v.size(); ++i)
    most = std::max(most, (v[i - 2] - 4 * v[i - 1] + 6 * v[i] - 4 * v[i + 1] + v[i + 2]).norm() / 16);
  const double size = largest(v);
  return size < kNothing ? 0 : most / size;
}

OwnAccuracy own_accuracy(const History& h, const Vec3& point, const Vec3& axis, bool has_joint) {
  OwnAccuracy out;
  std::vector<double> energy, power;
  double most = 0;
  for (std::size_t i = 0; i < h.t.size(); ++i) {
    const Vec3 p = h.vector(kPos, i), v = h.vector(kVel, i), w = h.vector(kAvel, i);
    const Mat3 R = rotation_from_quaternion(h.values[kQuat][i].normalized());
    if (has_joint) {
      const Vec3 d = p + R * kJointInPart - point;
      out.gap = std::max(out.gap, (d - axis * axis.dot(d)).norm());
    }
    const Vec3 wb = R.transpose() * w;
    const double kinetic = 0.5 * kPartMass * v.squaredNorm() + 0.5 * wb.dot(kInertia.cwiseProduct(wb));
    most = std::max(most, kinetic);
    energy.push_back(kinetic + kPartMass * kStandardGravity * p.z());
    // Of the wrench on the part, opposite to that on I, at the material point of the part there.
    power.push_back(-h.vector(kForce, i).dot(v + w.cross(point - p)) - h.vector(kTorque, i).dot(w));
  }
  double work = 0;
  for (std::size_t i = 1; i < energy.size(); ++i) {
    const double step = h.t[i] - h.t[i - 1];
    // Cubic through four points, at the ends those within.
    const auto [w0, w1, w2, w3, first] = i == 1                   ? Cubic{9, 19, -5, 1, 0}
                                         : i + 1 == energy.size() ? Cubic{1, -5, 19, 9, i - 3}
                                                                  : Cubic{-1, 13, 13, -1, i - 2};
    work += step / 24 *
            (w0 * power[first] + w1 * power[first + 1] + w2 * power[first + 2] + w3 * power[first + 3]);
    out.energy = std::max(out.energy, std::abs(energy[i] - energy[0] - work) / most);
  }
  return out;
}

}  // namespace monocoque::test
