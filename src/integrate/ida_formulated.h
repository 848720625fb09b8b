#pragma once
// The equations of IdaSystem in the coordinates of another formulation: y and y_dot are mapped into the mixed
// frame, the residual is brought back (dynamics/formulation.h). The Jacobian is made by differences and
// factored densely: these formulations serve comparison, not speed.

#include <memory>

#include "core/decompositions.h"
#include "dynamics/formulation.h"
#include "integrate/ida_equations.h"

namespace monocoque {

class FormulatedIdaSystem final : public IdaEquations {
 public:
  FormulatedIdaSystem(const Model& model, Formulation formulation, std::unique_ptr<IdaEquations> mixed,
                      const io::SimulationSpec& spec);

  int size() const override { return mixed_->size() + more_; }
  int algebraic_start() const override { return mixed_->algebraic_start() + more_; }
  int stabilisation_start() const override { return mixed_->stabilisation_start() + more_; }
  void pack(const State& s, const VecX& z_dot, const VecX& c_dot, VecRef y, VecRef rate) const override;
  void load(double t, const double* y, State& s) const override;
  bool residual(double t, const double* y, const double* rate, double* out) override;
  bool factor(double cj, double t, const double* y, const double* rate) override;
  void solve(VecRef rhs) override { rhs = lu_.solve(rhs).eval(); }
  void set_memory(const VecX& r) override { mixed_->set_memory(r); }

 private:
  void to_mixed(const double* y, VecRef out) const;

  const Model& model_;
  FormulationMap map_;
  std::unique_ptr<IdaEquations> mixed_;
  int more_;  ///< unknowns more than in the mixed frame
  double smallest_;
  VecX y_mixed_, rate_mixed_, residual_mixed_, y_, rate_, base_, moved_;
  MatX jacobian_;
  Eigen::PartialPivLU<MatX> lu_;
};

}  // namespace monocoque
