#include "elements/controllers/external.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "elements/field_makers.h"

namespace monocoque {

ExternalInput::ExternalInput(const io::ParameterSet& p)
    : Controller(p.number("sample_s"), State::count, {}),
      servo_{p.number("servo_rad_per_s"), p.number("most_rate_per_s"), p.number("sample_s")},
      unit_(p.text("unit")),
      initial_(p.number("initial")),
      min_(p.number("minimum")),
      max_(p.number("maximum")) {
  if (!(min_ < max_))
    fields::refuse(p, "minimum", fmt::format("minimum is {}, it must be < maximum = {}", min_, max_),
                   "exchange the two limits");
  if (!(initial_ >= min_ && initial_ <= max_))
    fields::refuse(
        p, "initial",
        fmt::format("initial is {}, it must lie between minimum = {} and maximum = {}", initial_, min_, max_),
        "change one of them");
  if (servo_.w_rad_per_s * period_s() > Servo::kMost)
    fields::refuse(p, "servo_rad_per_s",
                   fmt::format("servo_rad_per_s is {}, times sample_s = {} it must be <= {}",
                               servo_.w_rad_per_s, period_s(), Servo::kMost),
                   "a faster servo needs a shorter sample_s");
}

void ExternalInput::start(double* r) const {
  std::fill_n(r, state_count(), 0.0);
  r[Servo::value] = r[wanted] = initial_;
}

void ExternalInput::sample(double t, const double*, double* r) const {
  if (!output_jumps())
    servo_.sample(t, r[wanted], r);
  else
    r[Servo::value] = r[wanted];
}

bool ExternalInput::set(double t, double value, double* r) const {
  if (std::isnan(value)) return false;
  r[wanted] = std::clamp(value, min_, max_);
  sample(t, nullptr, r);
  return r[wanted] == value;
}

ElementType<Controller> external_type() {
  using namespace fields;
  using io::Rule;
  return type<ExternalInput, Controller>(
      io::Group::controller, "external",
      "value that another program gives while the model runs (`monocoque rt`); held between two values",
      {make("unit", FieldKind::text, "of the value, as channels show it", "'1'", "N*m"),
       number("initial", "value until the first one comes", "0", "12"),
       number("minimum", "lower limit: what comes is brought within", "-1e12", "-900"),
       number("maximum", "upper limit", "1e12", "1100"),
       number("servo_rad_per_s",
              "natural frequency of a servo that follows the value without overshoot, as what drives a joint "
              "needs; 0: the output jumps, for forces only",
              "0", "45", Rule::non_negative),
       number("most_rate_per_s", "limit of the rate of the servo", "1e12", "25", Rule::positive),
       number("sample_s", "time between two samples; the step of the run", "0.001", "0.01", Rule::positive)});
}

}  // namespace monocoque
