#pragma once
// Sparse LU by KLU (Davis and Palamadai Natarajan, ACM TOMS 37, 2010) on the scaled matrix. The first
// factor() tries COLAMD with and without block triangular form and the order of the structured solver, which
// may fill a little more, and keeps the one with the least fill. Later calls reuse its pivots (klu_refactor:
// no allocation) and choose new ones only when the old have become poor. Blocks are declared whole but hold
// many zeros (mass of translation beside inertia, rows of a hinge's axis). Tiles of 3 x 3 that have been zero
// so far are left out; one that fills later is taken in and the ordering chosen anew.

#include <memory>
#include <vector>

#include <klu.h>

#include "solve/linear_solver.h"

namespace monocoque {

class SparseSolver final : public LinearSolver {
 public:
  explicit SparseSolver(const BlockPattern& pattern);
  bool factor(const BlockMatrix& matrix) noexcept override;
  void solve(VecRef rhs) const noexcept override;
  double reciprocal_condition() const noexcept override { return reciprocal_condition_; }
  std::string name() const override { return "sparse LU (KLU, " + ordering_ + ")"; }

  int fill() const noexcept;                                     ///< nonzeros of L and U
  int full_factorisations() const noexcept { return full_; }     ///< with new pivots
  int refactorisations() const noexcept { return refactored_; }  ///< with the old pivots

 private:
  struct FreeSymbolic {
    klu_common* common;
    void operator()(klu_symbolic* s) const { klu_free_symbolic(&s, common); }
  };
  struct FreeNumeric {
    klu_common* common;
    void operator()(klu_numeric* s) const { klu_free_numeric(&s, common); }
  };
  using Symbolic = std::unique_ptr<klu_symbolic, FreeSymbolic>;
  using Numeric = std::unique_ptr<klu_numeric, FreeNumeric>;

  bool take_in(const double* values) noexcept;
  bool choose_scales(const double* values) noexcept;
  /// Entries that are factored, times their scales; false where one is not finite.
  bool take_scaled(const double* values) noexcept;
  bool choose_ordering(const BlockMatrix& matrix) noexcept;
  /// Kept when it stores less than `worth` times the best so far.
  void try_ordering(klu_symbolic* analysed, const char* name, double worth) noexcept;
  bool factor_with_new_pivots(const BlockMatrix& matrix) noexcept;
  bool refactor() noexcept;
  bool judge_pivots(double& smallest, bool& shrunk) noexcept;
  bool is_singular() noexcept;
  bool judge_growth(double& growth) noexcept;

  int n_;
  std::vector<int> all_columns_, all_rows_, tile_of_;  // as declared; the tile of each value
  std::vector<char> tile_kept_;
  std::vector<int> columns_, rows_, source_,
      left_out_;  // as factored; where values come from; those left out
  VecX values_, row_scale_, column_scale_, pivots_, probe_, signs_;
  mutable klu_common common_;  // klu_solve writes its status into it
  Symbolic symbolic_{nullptr, {nullptr}};
  Numeric numeric_{nullptr, {nullptr}};
  std::string ordering_ = "not factored yet";
  double smallest_ = 0, growth_ = 0;  // of the last factorisation with new pivots
  double reciprocal_condition_ = 0;
  int full_ = 0, refactored_ = 0, taken_in_ = 0;
};

}  // namespace monocoque
