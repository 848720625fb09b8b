#include "elements/roads/random_road.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <fmt/format.h>

#include "elements/roads/fft.h"
#include "elements/roads/road_fields.h"
#include "elements/roads/smooth.h"

namespace monocoque {

namespace {

constexpr double kReferenceWaveNumber = 0.1;
constexpr double kPointsPerWave = 4;
/// Waves across the road up to this multiple of the largest wave number along it.
constexpr double kLateralReach = 1.5;
constexpr std::size_t kMostPoints = std::size_t{1} << 25;

/// SplitMix64 (Steele, Lea, Flood 2014): the number at a place of the sequence, without the ones before it.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Uniform in [0, 1) for the wave (p, q).
double uniform(std::uint64_t seed, std::uint64_t p, std::uint64_t q) {
  return static_cast<double>(mixed(mixed(mixed(seed) ^ p) ^ (q + 0x51ed270b7a1f3c95u)) >> 11) * 0x1p-53;
}

/// Share of the power at k_x that lies below k_y, times two and up to a constant: the isotropic density is
/// (k_x^2 + k_y^2)^(-3/2).
double below(double k_x, double k_y) {
  return k_y / std::hypot(k_x, k_y);
}

/// Factor between coefficients of a cubic B-spline and its values at the grid points, for a wave.
double spline_gain(double k, double spacing) {
  return (2 + std::cos(k * spacing)) / 3;
}

}  // namespace

double RandomRoad::class_roughness(char name) {
  return 16e-6 * std::pow(4.0, name - 'A');
}

RandomRoad::RandomRoad(const io::ParameterSet& p)
    : roughness_(class_roughness(p.text("class")[0])),
      shortest_(p.number("shortest_wavelength_m")),
      half_width_(0.5 * p.number("width_m")),
      friction_(p.number("friction")),
      spacing_(shortest_ / kPointsPerWave),
      name_("class " + p.text("class")) {
  if (p.has("roughness_m3")) {
    roughness_ = p.number("roughness_m3");
    name_ = fmt::format("Gd(0.1/m) = {} m^3", roughness_);
  }
  name_ += fmt::format(", seed {}", p.integer("seed"));
  if (p.has("start_m")) {
    faded_ = true;
    start_ = p.number("start_m");
    fade_ = p.number("fade_m");
  }
  const double longest = p.number("longest_wavelength_m"), length = p.number("length_m");
  if (longest <= shortest_)
    fields::refuse(p, "longest_wavelength_m",
                   fmt::format("longest_wavelength_m is {}, it must be above shortest_wavelength_m = {}",
                               longest, shortest_),
                   "the class of a road is seen between 0.35 and 90 m");
  if (longest > length)
    fields::refuse(p, "longest_wavelength_m",
                   fmt::format("longest_wavelength_m is {}, the road is {} m long", longest, length),
                   "lengthen the road");
  const double points = length / spacing_ * (p.number("width_m") / spacing_);
  if (!(points <= static_cast<double>(kMostPoints) / 4))
    fields::refuse(
        p, "length_m",
        fmt::format("the road needs {:.3g} grid points, at most {} are allowed", points, kMostPoints / 4),
        "shorten it (it repeats itself), or raise shortest_wavelength_m");
  columns_ = std::bit_ceil(std::max<std::size_t>(8, static_cast<std::size_t>(std::ceil(length / spacing_))));
  lines_ = std::bit_ceil(
      std::max<std::size_t>(8, static_cast<std::size_t>(std::ceil(p.number("width_m") / spacing_))));
  synthesize(static_cast<std::uint64_t>(p.integer("seed")), longest);
}

void RandomRoad::synthesize(std::uint64_t seed, double longest) {
  const double dn = 1 / period_x(), dk_y = 2 * std::numbers::pi / period_y();
  const std::size_t first = static_cast<std::size_t>(std::ceil(1 / (longest * dn) - 1e-9));
  const std::size_t last = static_cast<std::size_t>(std::floor(1 / (shortest_ * dn) + 1e-9));
  const auto reach = static_cast<std::int64_t>(std::min(
      kLateralReach * 2 * std::numbers::pi / shortest_ / dk_y, 0.5 * static_cast<double>(lines_) - 1));
  const std::size_t waves = last - first + 1;

  // For each wave number along x the waves across it are summed first.
  const FourierSum across(lines_);
  std::vector<ComplexNumber> sums(waves * lines_);
  for (std::size_t p = first; p <= last; ++p) {
    const double n = static_cast<double>(p) * dn, k_x = 2 * std::numbers::pi * n;
    const double power = roughness_ * (kReferenceWaveNumber / n) * (kReferenceWaveNumber / n) * dn;
    const double whole = 2 * below(k_x, (static_cast<double>(reach) + 0.5) * dk_y);
    ComplexNumber* line = &sums[(p - first) * lines_];
    for (std::int64_t q = -reach; q <= reach; ++q) {
      const double k_y = static_cast<double>(q) * dk_y;
      const double share = (below(k_x, k_y + 0.5 * dk_y) - below(k_x, k_y - 0.5 * dk_y)) / whole;
      const double amplitude =
          std::sqrt(2 * power * share) / (spline_gain(k_x, spacing_) * spline_gain(k_y, spacing_));
      const double phase = 2 * std::numbers::pi * uniform(seed, p, static_cast<std::uint64_t>(q));
      line[q < 0 ? static_cast<std::int64_t>(lines_) + q : q] = {amplitude * std::cos(phase),
                                                                 amplitude * std::sin(phase)};
    }
    across.apply(line);
  }

  // The real part of the sum over the waves along x gives the coefficients.
  const FourierSum along(columns_);
  const std::size_t stride = lines_ + 3;
  spline_.resize(columns_ * stride);
  std::vector<ComplexNumber> column(columns_);
  for (std::size_t j = 0; j < lines_; ++j) {
    std::fill(column.begin(), column.end(), ComplexNumber{});
    for (std::size_t p = first; p <= last; ++p) column[p] = sums[(p - first) * lines_ + j];
    along.apply(column.data());
    for (std::size_t i = 0; i < columns_; ++i) spline_[i * stride + j] = static_cast<float>(column[i].re);
  }
  for (std::size_t i = 0; i < columns_; ++i)
    for (std::size_t j = 0; j < 3; ++j) spline_[i * stride + lines_ + j] = spline_[i * stride + j];
}

void RandomRoad::sample(double x, double y, RoadHint&, RoadSample& out) const noexcept {
  // Place within one period; the four neighbours begin one point before it.
  const auto locate = [](double at, double spacing, std::size_t count, std::size_t& cell) {
    const double t = at / spacing, n = static_cast<double>(count);
    const double inside = t - n * std::floor(t / n), whole = std::min(std::floor(inside), n - 1);
    cell = (static_cast<std::size_t>(whole) + count - 1) & (count - 1);
    return inside - whole;
  };
  std::size_t i = 0, j = 0;
  const CubicWeights a = spline_weights(locate(x, spacing_, columns_, i));
  const CubicWeights b = spline_weights(locate(y, spacing_, lines_, j));
  const std::size_t stride = lines_ + 3;
  double z = 0, z_a = 0, z_b = 0, z_aa = 0, z_ab = 0, z_bb = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const float* c = &spline_[((i + k) & (columns_ - 1)) * stride + j];
    double s = 0, s_b = 0, s_bb = 0;
    for (std::size_t l = 0; l < 4; ++l) {
      const double v = static_cast<double>(c[l]);
      s += b.w[l] * v;
      s_b += b.d[l] * v;
      s_bb += b.dd[l] * v;
    }
    z += a.w[k] * s;
    z_a += a.d[k] * s;
    z_aa += a.dd[k] * s;
    z_b += a.w[k] * s_b;
    z_ab += a.d[k] * s_b;
    z_bb += a.w[k] * s_bb;
  }
  const double r = 1 / spacing_;
  out = RoadSample{};
  out.z = z;
  out.z_x = z_a * r;
  out.z_y = z_b * r;
  out.z_xx = z_aa * r * r;
  out.z_xy = z_ab * r * r;
  out.z_yy = z_bb * r * r;
  if (faded_) {
    const Curve f = smooth_step(x - start_, fade_);
    out.z_xx = f.y * out.z_xx + 2 * f.d * out.z_x + f.dd * out.z;
    out.z_xy = f.y * out.z_xy + f.d * out.z_y;
    out.z_yy *= f.y;
    out.z_x = f.y * out.z_x + f.d * out.z;
    out.z_y *= f.y;
    out.z *= f.y;
  }
  out.mu = friction_;
  out.on_road = std::abs(y) <= half_width_;
}

std::string RandomRoad::description() const {
  return "random road, ISO 8608 " + name_;
}

ElementType<Road> random_road_type() {
  using namespace fields;
  return road<RandomRoad>(
      "random", "isotropic random road with the spectrum of a class of ISO 8608",
      {choice("class", "class of ISO 8608, its geometric mean", "C", "D",
              {"A", "B", "C", "D", "E", "F", "G", "H"}),
       number("roughness_m3", "Gd at 0.1 1/m, instead of a class", "~", "", Rule::positive),
       make("seed", FieldKind::integer, "another seed is another road of the same class", "1", "7",
            Rule::non_negative),
       number("length_m", "it repeats itself after at least this length", "400", "50", Rule::positive),
       number("width_m", "it repeats itself sideways after at least this width", "10", "8", Rule::positive),
       number("shortest_wavelength_m", "a quarter of it is the spacing of the grid", "0.25", "0.5",
              Rule::positive),
       number("longest_wavelength_m", "waves longer than this are left out", "100", "40", Rule::positive),
       number("start_m", "x before which the road is flat; absent: rough everywhere", "~", "-6"),
       number("fade_m", "length over which the roughness begins behind start_m", "5", "12", Rule::positive),
       friction()});
}

}  // namespace monocoque
