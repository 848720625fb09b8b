#pragma once
// How good a reduced body is, against the finite-element model it comes from.

#include <string>
#include <vector>

#include "reduce/reduce_body.h"

namespace monocoque::reduce {

struct ReportOptions {
  int full_modes = 12;   ///< elastic modes of the full free model to compare with
  double band_Hz = 0;    ///< responses up to here; 0: to the last compared mode
  int frequencies = 60;  ///< over the band, evenly
  int bands = 4;
  double loss_factor = 0.02;  ///< hysteretic: K (1 + i eta), in both models
  int max_inputs = 24;        ///< force components tried; boundary first
  double memory_limit_bytes = 0;
  Log log;
};

struct BandError {
  double from_Hz = 0, to_Hz = 0;
  double largest = 0, mean = 0;  ///< ||H_reduced - H_full||_F / ||H_full||_F over the frequencies
};

struct ModePair {
  double full_Hz = 0, reduced_Hz = 0;
  double assurance = 0;  ///< MAC weighed with M
};

struct EffectiveMass {
  double translation[3] = {0, 0,
                           0};  ///< share of the total mass in modes of the body held at its boundary, 0..1
};

struct AccuracyReport {
  double mass_full_kg = 0, mass_reduced_kg = 0;
  Vec3 centre_full_m = Vec3::Zero(), centre_reduced_m = Vec3::Zero();
  Mat3 inertia_full = Mat3::Zero(), inertia_reduced = Mat3::Zero();  ///< about the origin of the body's frame
  std::vector<ModePair> modes;
  std::vector<BandError> bands;           ///< all interfaces
  std::vector<BandError> boundary_bands;  ///< forces and motions at the boundary only; empty: the same
  VecX frequencies_Hz, response_error;    ///< per frequency
  double reference_residual = 0;          ///< largest relative residual of the full model's responses
  std::vector<EffectiveMass> effective;   ///< sum over modes up to each; empty without boundary
  double seconds = 0;
  std::string text() const;
};

AccuracyReport accuracy_report(const FeSystem& fe, const NodeMap& map, const ReducedBody& body,
                               const ReduceOptions& reduced_with, const ReportOptions& options);

/// Responses of the full model, columns = inputs: rows of `outputs` of (K (1 + i eta) - omega^2 M)^-1 F of
/// the elastic part (the rigid one is known exactly), found in a Krylov space of A = K - sigma M that serves
/// all frequencies at once and is enlarged until the residual, computed with the full matrices, is below
/// `tolerance`.
class FullResponse {
 public:
  FullResponse(const FeSystem& fe, const NodeMap& map, const SparseCholesky& cholesky, double sigma,
               const MatX& F, const MatX& start);
  /// outputs x inputs.
  Eigen::MatrixXcd at(double omega, double eta, const SparseMatrix& outputs) const;
  /// ||A^-1 (F - (K (1 + i eta) - omega^2 M) U)|| / ||A^-1 F||, M-norm.
  double residual(double omega, double eta) const;
  /// Once more A^-1 M on the last block.
  void enlarge();
  Eigen::Index size() const { return omega2_.size(); }

 private:
  void append(MatX block);
  Eigen::MatrixXcd coordinates(double omega, double eta) const;
  const FeSystem& fe_;
  const SparseCholesky& cholesky_;
  double sigma_;
  MatX F_, S_, MS_;
  MatX V_, last_;
  VecX omega2_;
  MatX rotation_;    ///< V_ rotation_ diagonalises
  MatX modal_load_;  ///< rotation_^T V_^T F_
};

}  // namespace monocoque::reduce
