#include "dynamics/formulation.h"

#include <algorithm>

#include <Eigen/Geometry>

#include "core/rotation.h"
#include "io/model/simulation_settings.h"

namespace monocoque {

namespace {

/// Calls visit(part, x_start, z_start in the mixed frame, z_start here) for every part that moves.
template <class Visit>
void for_parts(const Model& model, const std::vector<int>& starts, Visit&& visit) {
  for (std::size_t i = 0; i < model.parts.size(); ++i)
    if (model.parts[i].moves())
      visit(model.parts[i], model.parts[i].x_start, model.parts[i].z_start, starts[i]);
}

Mat3 rotation_of(const ConstVecRef& x, int start) {
  return rotation_from_quaternion(Vec4(x.segment<4>(start + 3)).normalized());
}

}  // namespace

const std::vector<std::string>& formulation_names() {
  return io::setting_choices("formulation");
}

Formulation formulation_from(const std::string& name) {
  const auto& names = formulation_names();
  return static_cast<Formulation>(std::find(names.begin(), names.end(), name) - names.begin());
}

FormulationMap::FormulationMap(const Model& model, Formulation formulation)
    : model_(model), formulation_(formulation), starts_(model.parts.size(), 0) {
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const Part& part = model.parts[i];
    starts_[i] = nz_;
    nz_ += part.z_size + (formulation == Formulation::quaternion && part.turns() ? 1 : 0);
  }
}

void FormulationMap::from_mixed(const VecX& x, const VecX& z, VecRef x_own, VecRef z_own) const {
  x_own = x;
  for_parts(model_, starts_, [&](const Part& part, int xs, int zs, int own) {
    z_own.segment<3>(own) = z.segment<3>(zs);
    if (!part.turns()) return;
    z_own.segment<3>(own + 3) = z.segment<3>(zs + 3);
    int elastic = own + 6;
    if (formulation_ == Formulation::floating) {
      const Mat3 R = rotation_of(x, xs);
      x_own.segment<3>(xs) = R.transpose() * x.segment<3>(xs);
      z_own.segment<3>(own) = R.transpose() * z.segment<3>(zs);
    } else if (formulation_ == Formulation::quaternion) {
      z_own.segment<4>(own + 3) =
          0.5 * quaternion_L(Vec4(x.segment<4>(xs + 3))).transpose() * z.segment<3>(zs + 3);
      ++elastic;
    }
    z_own.segment(elastic, part.nq()) = z.segment(zs + 6, part.nq());
  });
}

void FormulationMap::to_mixed(const ConstVecRef& x_own, const ConstVecRef& z_own, VecX& x, VecX& z) const {
  x = x_own;
  for_parts(model_, starts_, [&](const Part& part, int xs, int zs, int own) {
    z.segment<3>(zs) = z_own.segment<3>(own);
    if (!part.turns()) return;
    const Vec4 p = x_own.segment<4>(xs + 3);
    x.segment<4>(xs + 3) = p.normalized();
    int elastic = own + 6;
    if (formulation_ == Formulation::quaternion) {
      z.segment<3>(zs + 3) = 2 / p.squaredNorm() * quaternion_L(p) * z_own.segment<4>(own + 3);
      ++elastic;
    } else {
      z.segment<3>(zs + 3) = z_own.segment<3>(own + 3);
    }
    if (formulation_ == Formulation::floating) {
      const Mat3 R = rotation_of(x_own, xs);
      x.segment<3>(xs) = R * x_own.segment<3>(xs);
      z.segment<3>(zs) = R * z_own.segment<3>(own);
    }
    z.segment(zs + 6, part.nq()) = z_own.segment(elastic, part.nq());
  });
}

void FormulationMap::rates(const ConstVecRef& x_own, const ConstVecRef& z_own, const VecX& z_dot,
                           VecRef x_own_rate, VecRef z_own_rate) const {
  for_parts(model_, starts_, [&](const Part& part, int xs, int zs, int own) {
    x_own_rate.segment<3>(xs) = z_own.segment<3>(own);
    z_own_rate.segment<3>(own) = z_dot.segment<3>(zs);
    if (!part.turns()) return;
    const Vec4 p = x_own.segment<4>(xs + 3);
    const Vec3 alpha = z_dot.segment<3>(zs + 3);
    int elastic = own + 6;
    if (formulation_ == Formulation::quaternion) {
      const Vec4 p_dot = z_own.segment<4>(own + 3);
      x_own_rate.segment<4>(xs + 3) = p_dot;
      // w = 2 L p_dot and L_dot p_dot = 0: L p_ddot = alpha / 2; along p the unit length decides.
      z_own_rate.segment<4>(own + 3) =
          0.5 * quaternion_L(p).transpose() * alpha - p_dot.squaredNorm() / p.squaredNorm() * p;
      ++elastic;
    } else {
      const Vec3 w = z_own.segment<3>(own + 3);
      x_own_rate.segment<4>(xs + 3) = 0.5 * quaternion_L(p).transpose() * w;
      z_own_rate.segment<3>(own + 3) = alpha;
      if (formulation_ == Formulation::floating) {
        const Vec3 place = x_own.segment<3>(xs), v = z_own.segment<3>(own);
        x_own_rate.segment<3>(xs) = v - w.cross(place);
        z_own_rate.segment<3>(own) = rotation_of(x_own, xs).transpose() * z_dot.segment<3>(zs) - w.cross(v);
      }
    }
    x_own_rate.segment(xs + 7, part.nq()) = z_own.segment(elastic, part.nq());
    z_own_rate.segment(elastic, part.nq()) = z_dot.segment(zs + 6, part.nq());
  });
}

void FormulationMap::rates_to_mixed(const ConstVecRef& x_own, const ConstVecRef& z_own,
                                    const ConstVecRef& x_own_rate, const ConstVecRef& z_own_rate,
                                    VecRef x_rate, VecRef z_rate) const {
  x_rate = x_own_rate;
  for_parts(model_, starts_, [&](const Part& part, int xs, int zs, int own) {
    z_rate.segment<3>(zs) = z_own_rate.segment<3>(own);
    if (!part.turns()) return;
    const Vec4 p = x_own.segment<4>(xs + 3), p_rate = x_own_rate.segment<4>(xs + 3);
    const double length = p.norm();
    // The mixed state holds p / |p|.
    x_rate.segment<4>(xs + 3) = p_rate / length - p.dot(p_rate) / (length * length * length) * p;
    int elastic = own + 6;
    if (formulation_ == Formulation::quaternion) {
      const Vec4 p_dot = z_own.segment<4>(own + 3), p_ddot = z_own_rate.segment<4>(own + 3);
      const Vec3 w = 2 / p.squaredNorm() * quaternion_L(p) * p_dot;
      z_rate.segment<3>(zs + 3) =
          2 / p.squaredNorm() * (quaternion_L(p) * p_ddot + quaternion_L(p_rate) * p_dot) -
          2 * p.dot(p_rate) / p.squaredNorm() * w;
      ++elastic;
    } else {
      z_rate.segment<3>(zs + 3) = z_own_rate.segment<3>(own + 3);
    }
    if (formulation_ == Formulation::floating) {
      const Mat3 R = rotation_of(x_own, xs);
      const Vec3 w = 2 / p.squaredNorm() * quaternion_L(p) * p_rate;
      const Vec3 place = x_own.segment<3>(xs), v = z_own.segment<3>(own);
      x_rate.segment<3>(xs) = R * (x_own_rate.segment<3>(xs) + w.cross(place));
      z_rate.segment<3>(zs) = R * (z_own_rate.segment<3>(own) + w.cross(v));
    }
    z_rate.segment(zs + 6, part.nq()) = z_own_rate.segment(elastic, part.nq());
  });
}

void FormulationMap::residuals_from_mixed(const ConstVecRef& x_own, const ConstVecRef& z_own,
                                          const ConstVecRef& x_own_rate, const ConstVecRef& z_own_rate,
                                          const ConstVecRef& r_x, const ConstVecRef& r_z, VecRef r_x_own,
                                          VecRef r_z_own) const {
  r_x_own = r_x;
  for_parts(model_, starts_, [&](const Part& part, int xs, int zs, int own) {
    r_z_own.segment<3>(own) = r_z.segment<3>(zs);
    if (!part.turns()) return;
    const Vec4 p = x_own.segment<4>(xs + 3);
    const double growth = p.dot(x_own_rate.segment<4>(xs + 3)) - kNormPull * (1 - p.squaredNorm());
    r_x_own.segment<4>(xs + 3) += growth * p;
    int elastic = own + 6;
    if (formulation_ == Formulation::quaternion) {
      const Vec4 p_dot = z_own.segment<4>(own + 3);
      const double along =
          p.dot(z_own_rate.segment<4>(own + 3)) + p_dot.squaredNorm() + kNormPull * p.dot(p_dot);
      r_z_own.segment<4>(own + 3) = 2 * quaternion_L(p).transpose() * r_z.segment<3>(zs + 3) + along * p;
      ++elastic;
    } else {
      r_z_own.segment<3>(own + 3) = r_z.segment<3>(zs + 3);
    }
    if (formulation_ == Formulation::floating) {
      const Mat3 R = rotation_of(x_own, xs);
      r_x_own.segment<3>(xs) = R.transpose() * r_x.segment<3>(xs);
      r_z_own.segment<3>(own) = R.transpose() * r_z.segment<3>(zs);
    }
    r_z_own.segment(elastic, part.nq()) = r_z.segment(zs + 6, part.nq());
  });
}

}  // namespace monocoque
