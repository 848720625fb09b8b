// What compressed or neglected inertia couplings change in the standard manoeuvres, and what they save.

#include <fmt/format.h>

#include "apps/bench/cars.h"
#include "apps/bench/reference.h"

namespace monocoque::bench {

void couplings(Bench& bench) {
  constexpr double kStep_s = 1e-3;
  Table table{
      "Inertia couplings between elastic coordinates",
      {"manoeuvre", "couplings", "rank", "CPU per step [us]", "deviation from full"},
      {},
      "Flexible Camry, 40 coordinates, generalized-alpha at 1 ms with the same settings for all three; "
      "compressed with the default coupling_tolerance. CPU of a step straight ahead, linearly implicit "
      "Euler with the settings of real time."};
  for (const Manoeuvre& m : manoeuvres()) {
    RecordedRun full;
    for (const char* kind : {"full", "compressed", "neglected"}) {
      bench.check_interrupt();
      bench.say(fmt::format("couplings: {}, {}", m.name, kind));
      const LoadedScenario car = load_scenario(
          shipped_model("camry/scenarios/" + m.file),
          {std::string("parts.car.inertia_couplings=") + kind, "parts.car.geometric_stiffening=off"});
      io::SimulationSpec s = settings_for(m, car.spec.simulation, bench.quick());
      s.solver = "generalized-alpha";
      s.constraints = s.stabilisation = "";
      s.jacobian = "simplified";
      s.linear_solver = "structured";
      s.iterations = 2;
      s.step_s = kStep_s;
      const RecordedRun run = record_run(*car.model, s);
      std::string deviation = "-";
      if (full.t.empty()) {
        full = run;
      } else {
        const Deviation d = m.compare(run, full).front();
        deviation = fmt::format("{:.2g}{}{}", std::abs(d.value), d.unit.empty() ? "" : " ", d.unit);
      }
      int rank = 0;
      for (const monocoque::Part& part : car.model->parts)
        if (part.name == "car" && part.flexible >= 0)
          rank = static_cast<int>(
              car.model->flexible[static_cast<std::size_t>(part.flexible)].pair_basis.cols());
      const measure::StepCost cost = measure::step_cost(*car.model, real_time(car.spec.simulation, kStep_s),
                                                        {bench.quick() ? 100 : 500, bench.runs()});
      table.add({m.name, kind, rank > 0 ? Cell(rank) : Cell("-"), Cell(1e6 * cost.per_step.cpu_s, "{:.2f}"),
                 deviation});
    }
  }
  bench.add(table);
}

}  // namespace monocoque::bench
