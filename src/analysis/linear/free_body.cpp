#include "analysis/linear/free_body.h"

#include "core/decompositions.h"
#include "core/error.h"
#include "model/mass_matrix.h"

namespace monocoque::analysis {

std::vector<Eigenvalue> free_body_modes(const io::Sid& sid) {
  const Eigen::Index n = sid.nq;
  const MatX M = mass_matrix(sid);
  const Eigen::LLT<MatX> rigid(M.topLeftCorner(6, 6));
  const MatX C = M.bottomLeftCorner(n, 6);
  const MatX floating = M.bottomRightCorner(n, n) - C * rigid.solve(C.transpose());
  if (rigid.info() != Eigen::Success || Eigen::LLT<MatX>(floating).info() != Eigen::Success)
    throw Error("body '" + sid.name + "'",
                "its mass matrix (mass, mdCM, J, Ct, Cr, Me) is not positive definite",
                "reduce it anew, or check the program that wrote the file");
  return eigenvalues(floating, sid.De.zero, sid.Ke.zero);
}

}  // namespace monocoque::analysis
