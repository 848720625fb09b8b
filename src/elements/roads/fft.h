#pragma once
// Discrete Fourier transform of a power of two: x_k <- sum_j x_j exp(2 pi i j k / n), without a factor. Plain
// loops with tabulated turns: the same bits on every platform whose sin and cos agree.

#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace monocoque {

struct ComplexNumber {
  double re = 0, im = 0;
};

class FourierSum {
 public:
  explicit FourierSum(std::size_t n) : n_(n), turns_(n / 2) {
    for (std::size_t k = 0; k < n / 2; ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
      turns_[k] = {std::cos(angle), std::sin(angle)};
    }
  }

  void apply(ComplexNumber* x) const {
    for (std::size_t i = 1, j = 0; i < n_; ++i) {
      std::size_t bit = n_ >> 1;
      for (; j & bit; bit >>= 1) j ^= bit;
      j ^= bit;
      if (i < j) std::swap(x[i], x[j]);
    }
    for (std::size_t half = 1; half < n_; half *= 2) {
      const std::size_t stride = n_ / (2 * half);
      for (std::size_t start = 0; start < n_; start += 2 * half)
        for (std::size_t k = 0; k < half; ++k) {
          const ComplexNumber t = turns_[k * stride];
          ComplexNumber& a = x[start + k];
          ComplexNumber& b = x[start + k + half];
          const ComplexNumber turned{b.re * t.re - b.im * t.im, b.re * t.im + b.im * t.re};
          b = {a.re - turned.re, a.im - turned.im};
          a = {a.re + turned.re, a.im + turned.im};
        }
    }
  }

 private:
  std::size_t n_;
  std::vector<ComplexNumber> turns_;
};

}  // namespace monocoque
