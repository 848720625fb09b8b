// The live car: driven by a script through the mailbox, unpaced, so that seconds of driving take fractions.

#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <thread>

#include <gtest/gtest.h>

#include "core/rotation.h"
#include "realtime/live_session.h"
#include "solve/malloc_count.h"
#include "support/complaint.h"
#include "support/run.h"

namespace monocoque::realtime {
namespace {

using monocoque::test::complaint;
using monocoque::test::load_model;
using monocoque::test::Loaded;

const Loaded& car(const std::string& scenario, bool rigid) {
  static std::map<std::string, Loaded> cars;
  const std::string key = scenario + (rigid ? " rigid" : "");
  auto it = cars.find(key);
  if (it == cars.end()) {
    Loaded loaded = load_model("camry/scenarios/" + scenario + ".yaml",
                               rigid ? test::Overrides{{"parts.car.elasticity", "off"}} : test::Overrides{});
    loaded.spec.simulation.outputs = {"place/*",   "speed/*",     "attitude/*",
                                      "turning/*", "*/tire/load", "drift/position"};
    it = cars.emplace(key, std::move(loaded)).first;
  }
  return it->second;
}

LiveModel live(const Loaded& loaded) {
  return {*loaded.model, loaded.spec.simulation};
}

/// A drive of some seconds; `script` is called with each frame, on the loop's thread, and may use the
/// session.
struct Drive {
  using Script = std::function<void(LiveSession&, const LiveFrame&)>;
  std::unique_ptr<LiveSession> session;
  std::vector<LiveFrame> frames;
  std::vector<LiveEvent> events;

  Drive(const std::string& scenario, double seconds, const Script& script, bool start_rigid = false,
        const std::string& solver = "") {
    LiveOptions options;
    options.loop.paced = false;
    options.machine.lock_memory = false;
    options.seconds = seconds;
    options.start_rigid = start_rigid;
    LiveModel flexible = live(car(scenario, false)), rigid = live(car(scenario, true));
    if (!solver.empty()) flexible.settings.solver = rigid.settings.solver = solver;
    session = std::make_unique<LiveSession>(flexible, rigid, options);
    frames.reserve(10000);
    session->on_frame = [&](const LiveFrame& f) {
      frames.push_back(f);
      if (script) script(*session, f);
    };
    SystemPlatform platform;
    session->run(platform, [] { return false; });
    LiveEvent e;
    while (session->events().pop(e)) events.push_back(e);
  }
  double value(const LiveFrame& f, const std::string& path) const {
    for (std::size_t i = 0; i < session->channels().size(); ++i)
      if (session->channels()[i].path == path) return f.channels[static_cast<Eigen::Index>(i)];
    ADD_FAILURE() << "no channel " << path;
    return NAN;
  }
  double last(const std::string& path) const { return value(frames.back(), path); }
  /// To the left of the line on which it stood at the start, m.
  double aside(const LiveFrame& f) const {
    const LiveFrame& begin = frames.front();
    const double yaw = value(begin, "attitude/yaw"), dx = value(f, "place/x") - value(begin, "place/x"),
                 dy = value(f, "place/y") - value(begin, "place/y");
    return dy * std::cos(yaw) - dx * std::sin(yaw);
  }
  int count(LiveEventKind kind) const {
    return static_cast<int>(
        std::count_if(events.begin(), events.end(), [&](const LiveEvent& e) { return e.kind == kind; }));
  }
  const LiveFrame& at(double t) const {
    return *std::min_element(frames.begin(), frames.end(), [&](const LiveFrame& a, const LiveFrame& b) {
      return std::abs(a.t_s - t) < std::abs(b.t_s - t);
    });
  }
};

TEST(LiveSession, AcceleratesByForceOverMass) {
  const Drive d("drive", 5, [](LiveSession& s, const LiveFrame&) { s.controls().drive({0, 1, 0, false}); });
  ASSERT_EQ(d.count(LiveEventKind::failed), 0);
  EXPECT_EQ(d.session->report().loop.steps, 5000);
  EXPECT_EQ(d.frames.size(), 5000U / 17);
  // 900 Nm on each front wheel, radius 0.302 m under load; rotating masses count by J/r^2; drag is 2 % at 15
  // m/s.
  const Model& model = *car("drive", false).model;
  double mass = 0;
  for (const Part& p : model.parts) mass += p.mass;
  const double r = 0.298, inertia = 2 * (1.6 + 1.2) / (r * r);
  const double a = 2 * 900 / r / (mass + inertia);
  const double gained = d.at(4).speed_m_per_s - d.at(2).speed_m_per_s;
  std::cout << "  acceleration " << gained / 2 << " m/s2, force over mass " << a << "\n";
  EXPECT_NEAR(gained / 2, a, 0.03 * a);
  // Not quite straight: left and right hard points differ as printed, the drive torque steers a little.
  std::cout << "  " << 1e3 * d.aside(d.frames.back()) << " mm aside after " << d.last("place/x") << " m\n";
  EXPECT_NEAR(d.aside(d.frames.back()), 0, 0.2);
}

/// The method of the live loop is one of first order with a matrix kept for eight steps: what it drives is
/// compared with one of second order that makes its matrix at every step.
TEST(LiveSession, DrivesAsAnotherIntegratorDoes) {
  const auto script = [](LiveSession& s, const LiveFrame& f) {
    s.controls().drive({f.t_s > 1.5 ? 0.5 : 0.0, 1, 0, false});
  };
  const Drive d("drive", 3, script), fine("drive", 3, script, false, "linearly-implicit-2");
  ASSERT_EQ(d.frames.size(), fine.frames.size());
  double place = 0, yaw = 0, speed = 0;
  for (std::size_t k = 0; k < d.frames.size(); ++k) {
    const LiveFrame &a = d.frames[k], &b = fine.frames[k];
    place = std::max(place, std::hypot(d.value(a, "place/x") - fine.value(b, "place/x"),
                                       d.value(a, "place/y") - fine.value(b, "place/y")));
    yaw = std::max(yaw, std::abs(d.value(a, "attitude/yaw") - fine.value(b, "attitude/yaw")));
    speed = std::max(speed, std::abs(a.speed_m_per_s - b.speed_m_per_s));
  }
  std::cout << "  largest differences " << 1e3 * place << " mm, " << 1e3 * yaw << " mrad, " << 1e3 * speed
            << " mm/s; aside " << d.aside(d.frames.back()) << " m\n";
  EXPECT_GT(std::abs(d.aside(d.frames.back())), 0.3);  // it has steered
  EXPECT_LT(place, 0.01);
  EXPECT_LT(yaw, 2e-3);
  EXPECT_LT(speed, 0.01);
}

TEST(LiveSession, StandsStillStopsAndStartsAgain) {
  // Stand, drive, brake to rest and hold, wait, drive again.
  const Drive d("drive", 18, [](LiveSession& s, const LiveFrame& f) {
    const double t = f.t_s;
    s.controls().drive({0, (t > 2 && t < 5) || t > 14 ? 1.0 : 0.0, t > 5 && t < 10 ? 1.0 : 0.0, true});
  });
  ASSERT_EQ(d.count(LiveEventKind::failed), 0);
  const auto moved = [&](double t0, double t1) {
    return std::hypot(d.value(d.at(t1), "place/x") - d.value(d.at(t0), "place/x"),
                      d.value(d.at(t1), "place/y") - d.value(d.at(t0), "place/y"));
  };
  std::cout << "  creeps " << 1e6 * moved(0.1, 2) << " um at the start, " << 1e6 * moved(11, 14)
            << " um in 3 s after braking; " << d.at(5).speed_m_per_s << " m/s\n";
  EXPECT_LT(moved(0.1, 2), 1e-4);
  EXPECT_GT(d.at(5).speed_m_per_s, 8);
  EXPECT_LT(std::abs(d.at(12).speed_m_per_s), 1e-3);
  EXPECT_LT(moved(11, 14), 1e-3);
  EXPECT_GT(d.frames.back().speed_m_per_s, 8);
}

TEST(LiveSession, Reverses) {
  const Drive d("drive", 6, [](LiveSession& s, const LiveFrame&) { s.controls().drive({0, 0, 1, false}); });
  EXPECT_LT(d.frames.back().speed_m_per_s, -3);
  EXPECT_GT(d.frames.back().speed_m_per_s, -6.5);
  EXPECT_NE(d.frames.back().flags & kReverse, 0U);
}

/// A thread of its own drives by the frames it sees, as a browser does: throttle to 12 m/s, then steering by
/// sines.
TEST(LiveSession, AThreadDrivesASlalom) {
  const Loaded &flexible = car("drive", false), &rigid = car("drive", true);
  LiveOptions options;
  options.loop.paced = false;
  options.machine.lock_memory = false;
  options.seconds = 14;
  LiveSession session(live(flexible), live(rigid), options);
  std::atomic<bool> done{false};
  double least_yaw_rate = 0, most_yaw_rate = 0, most_speed = 0;
  std::uint64_t seen = 0, backwards = 0;
  std::thread driver([&] {
    std::size_t yaw_rate = 0;
    while (session.channels()[yaw_rate].path != "turning/z") ++yaw_rate;
    while (!done.load()) {
      if (!session.frames().take()) {
        std::this_thread::yield();
        continue;
      }
      const LiveFrame& f = session.frames().last();
      backwards += f.sequence <= seen;
      seen = f.sequence;
      const double steer = f.t_s > 5 ? std::sin(2 * M_PI * 0.4 * f.t_s) : 0;
      session.controls().drive({steer, f.speed_m_per_s < 12 ? 1.0 : 0.1, 0, false});
      const double w = f.channels[static_cast<Eigen::Index>(yaw_rate)];
      least_yaw_rate = std::min(least_yaw_rate, w);
      most_yaw_rate = std::max(most_yaw_rate, w);
      most_speed = std::max(most_speed, f.speed_m_per_s);
    }
  });
  SystemPlatform platform;
  session.run(platform, [] { return false; });
  done = true;
  driver.join();
  EXPECT_EQ(backwards, 0U);
  EXPECT_EQ(session.report().failures, 0);
  EXPECT_GT(most_speed, 10);
  EXPECT_LT(most_speed, 25);
  EXPECT_GT(most_yaw_rate, 0.2);
  EXPECT_LT(least_yaw_rate, -0.2);
}

TEST(LiveSession, SteersToTheRightForPositiveValues) {
  const Drive d("drive", 5, [](LiveSession& s, const LiveFrame&) {
    s.controls().drive({0.3, 0.5, 0, false});
  });
  EXPECT_LT(d.last("turning/z"), -0.1);
  EXPECT_LT(d.last("attitude/yaw"), -0.1);
}

/// Flexible to rigid and back in a bend under throttle: nothing jumps.
TEST(LiveSession, SwitchesTheBodyWithoutAJump) {
  const Drive d("drive", 9, [](LiveSession& s, const LiveFrame& f) {
    s.controls().drive({0.4, f.speed_m_per_s < 15 ? 0.8 : 0.2, 0, false});
    s.controls().rigid(f.t_s > 6 && f.t_s < 7.5);
  });
  ASSERT_EQ(d.count(LiveEventKind::failed), 0);
  ASSERT_EQ(d.count(LiveEventKind::body), 2);
  double place = 0, turn = 0, speed = 0, load = 0, usual_load = 0;
  for (std::size_t k = 2; k < d.frames.size(); ++k) {
    const LiveFrame &a = d.frames[k - 2], &b = d.frames[k - 1], &c = d.frames[k];
    if (c.t_s < 5) continue;
    const bool jumped = ((a.flags ^ c.flags) & kRigidBody) != 0;
    const double dt = c.t_s - b.t_s;
    // Second differences: what a steady motion leaves is a dt^2.
    const auto second = [&](const char* path) {
      return std::abs(d.value(a, path) - 2 * d.value(b, path) + d.value(c, path));
    };
    const auto first = [&](const std::string& path) { return std::abs(d.value(c, path) - d.value(b, path)); };
    for (const char* corner : {"FL", "FR", "RL", "RR"}) {
      const double change = first(std::string(corner) + "/tire/load");
      (jumped ? load : usual_load) = std::max(jumped ? load : usual_load, change);
    }
    if (!jumped) continue;
    const double steady = 12 * dt * dt;
    place = std::max({place, second("place/x") - steady, second("place/y") - steady, second("place/z")});
    turn = std::max(turn, second("attitude/yaw"));
    speed = std::max(speed, std::abs(c.speed_m_per_s - b.speed_m_per_s));
  }
  std::cout << "  at the switches: place " << 1e3 * place << " mm, yaw " << 1e3 * turn << " mrad, speed "
            << speed << " m/s, wheel load " << load << " N (between frames elsewhere " << usual_load
            << " N)\n";
  EXPECT_LT(place, 2e-3);
  EXPECT_LT(turn, 2e-3);
  EXPECT_LT(speed, 0.05);
  EXPECT_LT(load, 250);
  EXPECT_LT(d.last("drift/position"), 1e-4);
}

TEST(LiveSession, ResetPutsTheCarBackAndTimeGoesOn) {
  bool asked = false;
  const Drive d("drive", 6, [&](LiveSession& s, const LiveFrame& f) {
    // At the start the wheels point ahead: steering is let go, too.
    s.controls().drive({f.t_s < 4 ? 0.2 : 0.0, f.t_s < 4 ? 1.0 : 0.0, 0, false});
    if (f.t_s > 4 && !asked) {
      asked = true;
      s.controls().reset();
    }
  });
  ASSERT_EQ(d.count(LiveEventKind::reset), 1);
  EXPECT_GT(d.value(d.at(3.9), "place/x"), 10);
  EXPECT_NEAR(d.frames.back().t_s, 6, 0.02);
  EXPECT_LT((d.frames.back().row - d.frames.front().row).lpNorm<Eigen::Infinity>(), 1e-3);
  EXPECT_LT(std::abs(d.frames.back().speed_m_per_s), 1e-3);
}

/// Nothing of the drive before is left in tires, servos, controllers or the solver's matrices: the same
/// inputs give the same drive again.
TEST(LiveSession, AfterAResetItDrivesAsFromTheStart) {
  constexpr std::uint64_t again = 100;  // frame after which it begins anew
  const Drive d("drive", 3.2, [](LiveSession& s, const LiveFrame& f) {
    const std::uint64_t k = f.sequence < again ? f.sequence : f.sequence - again;
    if (f.sequence == again) s.controls().reset();
    s.controls().drive({k == 0 || k > 80 ? 0 : 0.5 * std::sin(0.1 * static_cast<double>(k)),
                        k == 0 || k > 80 ? 0.0 : 1.0, 0, false});
  });
  ASSERT_EQ(d.count(LiveEventKind::reset), 1);
  double moved = 0, apart = 0;
  for (std::size_t k = 0; k < 80; ++k) {
    moved = std::max(moved, (d.frames[k].row - d.frames[0].row).lpNorm<Eigen::Infinity>());
    apart = std::max(apart, (d.frames[k].row - d.frames[k + again].row).lpNorm<Eigen::Infinity>());
  }
  std::cout << "  moved " << moved << " m, the second time apart by " << apart << "\n";
  EXPECT_GT(moved, 1);
  EXPECT_LT(apart, 1e-7);  // only the time differs, by rounding
}

TEST(LiveSession, GoesOnAfterAStepThatFails) {
  bool broken = false, asked = false;
  const Drive d("drive", 6, [&](LiveSession& s, const LiveFrame& f) {
    s.controls().drive({0, 1, 0, false});
    if (f.t_s > 2 && !broken) {
      broken = true;
      s.simulation().state().z.setConstant(NAN);
    }
    if ((f.flags & kStopped) != 0 && f.sequence > 200 && !asked) {
      asked = true;
      s.controls().reset();
    }
  });
  ASSERT_EQ(d.count(LiveEventKind::failed), 1);
  EXPECT_NE(std::string(d.events[0].text.data()), "");
  EXPECT_EQ(d.session->report().loop.steps, 6000);
  EXPECT_LT(d.frames.back().t_s, 5);  // it stood meanwhile
  EXPECT_EQ(d.frames.back().flags & kStopped, 0U);
  EXPECT_GT(d.frames.back().speed_m_per_s, 3);
  EXPECT_TRUE(d.frames.back().row.allFinite());
}

TEST(LiveSession, SaysThatItHasRolledOver) {
  bool turned = false;
  const Drive d("drive", 2, [&](LiveSession& s, const LiveFrame& f) {
    if (f.t_s < 0.5 || turned) return;
    turned = true;
    const Model& model = *car("drive", false).model;
    for (const Part& p : model.parts)
      if (p.name == "car")
        s.simulation().state().x.segment<4>(p.x_start + 3) = quaternion_from_axis_angle(Vec3::UnitX(), 2);
  });
  EXPECT_EQ(d.count(LiveEventKind::rolled_over) + d.count(LiveEventKind::failed), 1);
  EXPECT_NE(d.frames.back().flags & kStopped, 0U);
}

TEST(LiveSession, APauseStopsTimeOnly) {
  const Drive d("drive", 3, [](LiveSession& s, const LiveFrame& f) {
    s.controls().drive({0, 1, 0, false});
    s.controls().pause(f.sequence > 60 && f.sequence < 120);
  });
  EXPECT_NEAR(d.frames.back().t_s, 3 - 60 * 0.017, 0.05);
  EXPECT_EQ(d.frames[100].t_s, d.frames[80].t_s);
  EXPECT_NE(d.frames[100].flags & kPaused, 0U);
  EXPECT_TRUE(d.frames[100].channels == d.frames[80].channels);
}

TEST(LiveSession, TellsOfCones) {
  // Along the line of cones, however the car stands at the start: it runs over all six.
  std::size_t y = 0, yaw = 0;
  const Drive d("drive-slalom", 9, [&](LiveSession& s, const LiveFrame& f) {
    if (f.sequence == 1) {
      while (s.channels()[y].path != "place/y") ++y;
      while (s.channels()[yaw].path != "attitude/yaw") ++yaw;
    }
    const double left = f.channels[static_cast<Eigen::Index>(y)],
                 heading = f.channels[static_cast<Eigen::Index>(yaw)];
    s.controls().drive({std::clamp(2 * (heading + left / 12), -1.0, 1.0), 1, 0, false});
  });
  EXPECT_EQ(d.count(LiveEventKind::cone_touched), 6);
  EXPECT_EQ(d.events[0].cone, 0);
  // The first cone stands at 50 m, the front is 2.37 m before the frame.
  EXPECT_NEAR(d.value(d.at(d.events[0].t_s), "place/x") + 2.37, 50, 0.4);
}

TEST(LiveSession, StepsAndFramesAllocateNothing) {
  if (!test::malloc_is_counted()) GTEST_SKIP() << "a sanitizer replaces malloc";
  long before = 0, after = 0;
  const Drive d("drive", 2, [&](LiveSession& s, const LiveFrame& f) {
    s.controls().drive({0.2, 1, 0, false});
    if (f.sequence == 50) before = test::malloc_count();
    if (f.sequence == 110) after = test::malloc_count();
  });
  // The test itself keeps a copy of each frame: three vectors each.
  EXPECT_EQ(after - before, 3 * 60);
}

/// Whoever reads frames does not change the motion by a bit.
TEST(LiveSession, WatchersDoNotChangeTheMotion) {
  State states[2];
  for (int watched = 0; watched < 2; ++watched) {
    LiveOptions options;
    options.loop.paced = false;
    options.machine.lock_memory = false;
    options.seconds = 2;
    LiveSession session(live(car("drive", false)), live(car("drive", true)), options);
    session.on_frame = [&](const LiveFrame& f) {
      session.controls().drive({0.3 * std::sin(f.t_s), 1, 0, false});
    };
    std::atomic<bool> done{false};
    std::thread reader([&] {
      LiveEvent e;
      while (watched == 1 && !done.load()) {
        session.frames().take();
        session.stats().take();
        session.events().pop(e);
      }
    });
    SystemPlatform platform;
    session.run(platform, [] { return false; });
    done = true;
    reader.join();
    states[watched] = session.simulation().state();
  }
  EXPECT_TRUE(states[0].x == states[1].x);
  EXPECT_TRUE(states[0].z == states[1].z);
}

TEST(LiveSession, RefusesAModelWithoutADriver) {
  const Loaded straight = load_model("camry/scenarios/straight.yaml");
  EXPECT_NE(complaint([&] { LiveSession s(live(straight), {}, {}); }).find("named steer, throttle"),
            std::string::npos);
}

}  // namespace
}  // namespace monocoque::realtime
