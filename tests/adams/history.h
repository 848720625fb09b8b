#pragma once
// Time histories of one Adams case, from Adams' text files or from a run of ours.
//
// Conventions of the Adams files, found from the .adm models and confirmed by the comparison:
//   Pos, Vel, Acc     marker of the centre of mass, in global axes
//   Quat              Euler parameters of that marker, scalar first, marker axes to global axes (ORIENT 27)
//   Avel, Aacc        of the part, in global axes
//   Rforce, Rtorque   JOINT(id,0,..,0): wrench on the I marker about its origin, in global axes. I sits on
//   the ground
//                     in all cases. For springs: sum of joint and spring on I.
// In our models `to` is the I marker, so our reaction channels need no change of sign, point or axes.

#include <array>
#include <string>
#include <vector>

#include "support/recorded_run.h"

namespace monocoque::test {

enum Quantity { kPos, kVel, kAcc, kQuat, kAvel, kAacc, kForce, kTorque, kQuantities };
inline constexpr std::array<const char*, kQuantities> kFileNames = {"Pos",  "Vel",  "Acc",    "Quat",
                                                                    "Avel", "Aacc", "Rforce", "Rtorque"};
inline constexpr std::array<const char*, kQuantities> kNames = {"position",         "velocity",
                                                                "acceleration",     "quaternion",
                                                                "angular velocity", "angular acceleration",
                                                                "reaction force",   "reaction torque"};
inline constexpr std::array<const char*, kQuantities> kUnits = {"m",     "m/s",     "m/s^2", "",
                                                                "rad/s", "rad/s^2", "N",     "Nm"};

struct History {
  std::vector<double> t;
  std::array<std::vector<Vec4>, kQuantities> values;  ///< vectors with a zero at the end

  Vec3 vector(Quantity q, std::size_t i) const { return values[q][i].head<3>(); }
};

/// File of one quantity of a case; `stem` is folder and case: "revolute_joint/Revolute_Case01".
std::string adams_file(const std::string& stem, Quantity q);

/// Throws Error when a file is damaged.
History read_adams(const std::string& stem);
History history_of(const RecordedRun& run);

/// Largest of |b|; and largest of |a - b| until `end`, divided by it unless b is nothing but rounding.
double largest(const std::vector<Vec4>& b);
double deviation(const History& a, const History& b, Quantity q, double end);

/// Least error that the history's own unevenness proves, of its largest value: noise of size e makes fourth
/// differences of at most 16 e, and those of a smooth curve are far smaller at this sampling.
double scatter(const History& h, Quantity q);

/// What a history shows of its own accuracy, for the bar of all cases.
struct OwnAccuracy {
  double gap = 0;     ///< m: largest distance of the part's joint point from the joint
  double energy = 0;  ///< largest error of the energy balance, of the largest kinetic energy
};
/// `point` and `axis` of the joint in the world; a zero axis: the joint does not slide.
OwnAccuracy own_accuracy(const History& h, const Vec3& point, const Vec3& axis, bool has_joint);

}  // namespace monocoque::test
