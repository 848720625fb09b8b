#pragma once
// Reference tire: one Magic Formula for the resultant of both slips, the same in all directions, no moments.
//   sigma_x = kappa, sigma_y = -tan_alpha, sigma = |(sigma_x, sigma_y)|
//   F(sigma) = mu Fz sin(C atan(B sigma - E (B sigma - atan(B sigma))))
//   Fx = F sigma_x / sigma,  Fy = F sigma_y / sigma
// Smooth at sigma = 0, where dFx/dkappa = B C mu Fz. The slips are formed with max(|Vx|, low_speed_m_per_s).
// Load: linear spring and damper. The effective rolling radius is the loaded radius. Camber, turn slip and
// pressure have no influence. Defaults B = 10, C = 1.9, E = 0.97, friction 1.

#include "elements/tires/linear_vertical.h"
#include "elements/tires/tire_law.h"

namespace monocoque {

class ReferenceTire final : public TireLawOf<ReferenceTire> {
 public:
  explicit ReferenceTire(const io::ParameterSet& p);
  ContactKind contact() const override { return ContactKind::below_center; }

  template <class T>
  void forces_of(const TireInputOf<T>& in, TireForcesOf<T>& out) const {
    using std::atan, std::sin, std::sqrt;
    const T sigma2 = in.kappa * in.kappa + in.tan_alpha * in.tan_alpha;
    const T x2 = B_ * B_ * sigma2;
    T slope;  // F / (mu Fz sigma)
    if (x2 < 1e-8) {
      // Series in x = B sigma; the next term is of order x^4 < 1e-16.
      slope = B_ * C_ * (1.0 - x2 * (E_ / 3 + 1.0 / 3 + C_ * C_ / 6));
    } else {
      const T sigma = sqrt(sigma2), x = B_ * sigma;
      slope = sin(C_ * atan(x - E_ * (x - atan(x)))) / sigma;
    }
    const T stiffness = friction_ * in.mu * in.Fz * slope;
    out.Fx = stiffness * in.kappa;
    out.Fy = -stiffness * in.tan_alpha;
  }

  template <class T>
  T vertical_of(const TireVerticalOf<T>& in) const {
    return vertical_.load(in);
  }
  template <class T>
  T effective_radius_of(const TireRollingOf<T>& in) const {
    return in.loaded_radius;
  }
  template <class T>
  std::array<T, 2> relaxation_of(const T&, const T&, double) const {
    return {T(relaxation_[0]), T(relaxation_[1])};
  }

 private:
  LinearVertical vertical_;
  double friction_, B_, C_, E_;
  std::array<double, 2> relaxation_;
};

}  // namespace monocoque
