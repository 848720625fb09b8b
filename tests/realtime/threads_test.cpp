// Thread safety: a Model is read by any number of threads, a Simulation belongs to one. Cars run at the same
// time give bit by bit what they give one after the other.

#include <gtest/gtest.h>

#include <thread>

#include "support/run.h"

namespace monocoque::test {
namespace {

/// All numbers of the state after the run.
VecX last_state(const Model& model, const io::SimulationSpec& settings) {
  Simulation simulation(model, settings);
  simulation.run();
  const State& s = simulation.state();
  VecX out(s.x.size() + s.z.size() + s.c.size() + s.lambda.size() + s.w.size() + s.r.size());
  out << s.x, s.z, s.c, s.lambda, s.w, s.r;
  return out;
}

struct Job {
  const Model* model;
  io::SimulationSpec settings;
  VecX alone, together;
};

void expect_same(std::vector<Job>& jobs, std::size_t threads) {
  for (Job& job : jobs) job.alone = last_state(*job.model, job.settings);
  std::vector<std::thread> crew;
  for (std::size_t k = 0; k < threads; ++k)
    crew.emplace_back([&, k] {
      for (std::size_t i = k; i < jobs.size(); i += threads)
        jobs[i].together = last_state(*jobs[i].model, jobs[i].settings);
    });
  for (std::thread& t : crew) t.join();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    ASSERT_EQ(jobs[i].alone.size(), jobs[i].together.size());
    EXPECT_TRUE(jobs[i].alone == jobs[i].together) << "job " << i;
  }
}

io::SimulationSpec short_run(const std::string& solver, const std::string& linear_solver = "auto") {
  io::SimulationSpec s = fixed_step(solver, 0.04, 2e-3);
  s.linear_solver = linear_solver;
  s.outputs = {"energy/*", "*/tire/load"};
  if (linear_solver == "structured") s.jacobian = "simplified";
  return s;
}

TEST(Threads, ManyCarsAtOnceAreTheCarsOneByOne) {
  std::vector<Loaded> cars;
  for (const char* speed : {"5", "12", "19", "26"}) {
    cars.push_back(load_model("camry/scenarios/washboard.yaml", {{"speed_m_per_s", speed}}));
    cars.push_back(load_model("camry/camry-magic-formula.yaml", {{"speed_m_per_s", speed}}));
  }
  std::vector<Job> jobs;
  for (const Loaded& car : cars)
    for (const char* solver : {"linearly-implicit-euler", "bdf2"})
      jobs.push_back({car.model.get(), short_run(solver, "structured"), {}, {}});
  expect_same(jobs, 8);
}

TEST(Threads, OneModelServesManySimulations) {
  const Loaded car = load_model("camry/scenarios/washboard-flexible.yaml");
  std::vector<Job> jobs;
  for (const char* solver : {"linearly-implicit-euler", "linearly-implicit-2", "generalized-alpha", "ida"})
    for (const char* path : {"sparse", "structured"}) {
      io::SimulationSpec s = short_run(solver, path);
      if (s.solver == "ida") s.jacobian = "full";
      jobs.push_back({car.model.get(), s, {}, {}});
    }
  expect_same(jobs, 4);
}

TEST(Threads, ModelsCanBeReadAndBuiltBesideEachOther) {
  std::vector<std::thread> crew;
  std::array<int, 4> sizes{};
  for (std::size_t k = 0; k < sizes.size(); ++k)
    crew.emplace_back([&, k] { sizes[k] = load_model("camry/camry.yaml").model->nz; });
  for (std::thread& t : crew) t.join();
  for (const int n : sizes) EXPECT_EQ(n, sizes[0]);
}

}  // namespace
}  // namespace monocoque::test
