#pragma once
// Root locus: the modes of a model over one of its parameters. Modes are followed from value to value by
// nearness of eigenvalue and shape; where the number of growing modes changes, the critical value is found
// from the real part that changes its sign (Alefeld, Potra and Shi 1995: a bracket that shrinks by cubic
// steps).

#include <functional>

#include "analysis/linear/linearise.h"

namespace monocoque::analysis {

struct LocusPoint {
  double value = 0;
  std::vector<ModelMode> modes;
  std::vector<int> track;  ///< per mode: number of its curve, from 0; -1 for zeros, which stand still
  int growing = 0;         ///< modes with positive real part, a pair counted once
};

struct Crossing {
  double value = 0;           ///< critical value of the parameter
  std::complex<double> s;     ///< eigenvalue there, about on the imaginary axis
  std::string part;           ///< that moves the most
  int before = 0, after = 0;  ///< growing modes on both sides
};

struct Locus {
  std::vector<LocusPoint> points;
  std::vector<Crossing> crossings;
  int tracks = 0;
};

using ModesAt = std::function<std::vector<ModelMode>(double value)>;

/// `values` rising or falling; crossings to `accuracy` of the largest value.
Locus trace_locus(const ModesAt& modes_at, const std::vector<double>& values, double accuracy = 1e-7);

/// Likeness of two shapes (modal assurance criterion), 0 to 1.
double modal_assurance(const VecXc& a, const VecXc& b);

}  // namespace monocoque::analysis
