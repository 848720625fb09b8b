#include <cmath>

#include <numbers>

#include <gtest/gtest.h>

#include "core/decompositions.h"
#include "frame_model.h"
#include "reduce/report.h"

namespace monocoque {
namespace {

using reduce::NodeMap;

TEST(FullResponse, IsThatOfADirectSolution) {
  const FeSystem fe = test::box_frame(3, 2, 2, test::Bar()).system();
  const NodeMap map(fe);
  reduce::ModeOptions m;
  m.count = 5;
  const reduce::FreeModes free = reduce::free_modes(fe, map, m);
  const SparseMatrix points = map.forms({{0, 0}, {7, 2}, {20, 1}});
  const MatX F = MatX(points.transpose());
  reduce::FullResponse response(fe, map, free.solver.cholesky(), free.sigma, F,
                                free.modes.shapes.rightCols(5));
  const double w = 1.1 * std::sqrt(free.modes.omega2[9]), eta = 0.02;
  for (int i = 0; i < 25 && response.residual(w, eta) > 1e-9; ++i) response.enlarge();
  EXPECT_LT(response.residual(w, eta), 1e-9);
  // Direct: the full complex matrix, with the load's rigid part taken by rigid acceleration.
  const Eigen::MatrixXcd A = MatX(fe.K).cast<std::complex<double>>() * std::complex<double>(1, eta) -
                             (w * w * MatX(fe.M)).cast<std::complex<double>>();
  const MatX balanced = reduce::balanced_loads(fe, map, F);
  const Eigen::MatrixXcd U = A.partialPivLu().solve(balanced.cast<std::complex<double>>());
  const Eigen::MatrixXcd exact = MatX(points).cast<std::complex<double>>() * U;
  EXPECT_LT((response.at(w, eta, points) - exact).norm() / exact.norm(), 1e-7);
}

TEST(AccuracyReport, ShowsConvergence) {
  const FeSystem fe = test::box_frame(4, 3, 2, test::Bar()).system();
  const NodeMap map(fe);
  reduce::ReduceOptions o;
  for (const long id : {100L, 104L, 115L, 159L}) o.boundary.push_back({id, 7});
  o.interface_nodes = {107};
  reduce::ReportOptions r;
  r.full_modes = 8;
  double last = 1e300;
  for (const int modes : {5, 20, 80}) {
    o.modes = modes;
    const reduce::AccuracyReport report =
        reduce::accuracy_report(fe, map, reduce::reduce_body(fe, map, o), o, r);
    EXPECT_LT(report.reference_residual, 1e-6);
    EXPECT_LT(report.bands[0].largest, last);
    last = report.bands[0].largest;
    EXPECT_NEAR(report.mass_reduced_kg, report.mass_full_kg, 1e-12 * report.mass_full_kg);
    EXPECT_LT((report.inertia_full - report.inertia_reduced).norm(), 1e-12 * report.inertia_full.norm());
    for (const double share : report.effective.back().translation) {
      EXPECT_LT(share, 1.0);
      EXPECT_GT(share, 0.3);
    }
    ASSERT_EQ(report.modes.size(), 8U);
    if (modes == 80) {
      for (const reduce::ModePair& p : report.modes) EXPECT_GT(p.assurance, 0.99);
    }
    EXPECT_NE(report.text().find("MAC"), std::string::npos);
  }
  EXPECT_LT(last, 1e-2);
}

}  // namespace
}  // namespace monocoque
