#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "io/body/sid.h"
#include "io/body/sid_hdf5.h"
#include "io/files/line_writer.h"
#include "io/files/text_source.h"

namespace monocoque::io {

namespace {

bool is_nothing(double x) {
  return x == 0 && !std::signbit(x);
}

bool is_unit(const MatX& m) {
  for (Eigen::Index j = 0; j < m.cols(); ++j)
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      if (i == j ? m(i, j) != 1 : !is_nothing(m(i, j))) return false;
  return true;
}

class SidWriter : private LineWriter {
 public:
  explicit SidWriter(const Sid& sid) : sid_(sid) {}

  std::string text() {
    line("{:5} {:5}    :No. nodes, No. modes: Monocoque, Gr per component: {}", sid_.nodes.size(), sid_.nq,
         one_line(sid_.name));
    line(" part");
    line("      new modal                                 =");
    line("           refmod");
    line("                mass                            ={}", number(sid_.mass_kg));
    line("                nelastq                         = {:5}", sid_.nq);
    for (int i = 0; i < sid_.nq; ++i) {
      const auto k = static_cast<std::size_t>(i);
      line("                ielastq ({:4})                  = {}", i + 1,
           k < sid_.mode_names.size() ? one_line(sid_.mode_names[k]) : std::string{});
    }
    line("           end refmod");
    line("           frame");
    for (const SidNode& n : sid_.nodes) node(n);
    line("           end frame");
    block("mdCM", sid_.mdCM, 3, 1);
    block("J", sid_.J, 6, 1);
    block("Ct", sid_.Ct, sid_.nq, 3);
    block("Cr", sid_.Cr, sid_.nq, 3);
    block("Me", sid_.Me, sid_.nq, sid_.nq);
    block("Gr", regrouped(sid_.Gr), 3, 3 * sid_.nq);
    block("Ge", regrouped(sid_.Ge), sid_.nq, 3 * sid_.nq);
    block("Oe", sid_.Oe, sid_.nq, 6);
    block("ksigma", sid_.ksigma, sid_.nq, 1);
    block("Ke", sid_.Ke, sid_.nq, sid_.nq);
    block("De", sid_.De, sid_.nq, sid_.nq);
    line("      end modal");
    line(" end part");
    return fmt::to_string(out_);
  }

 private:
  static std::string number(double x) {
    std::string s = fmt::format("{: .16E}", x);
    std::replace(s.begin(), s.end(), 'E', 'D');
    return s;
  }

  static std::string one_line(std::string s) {
    std::replace(s.begin(), s.end(), '\n', ' ');
    std::replace(s.begin(), s.end(), '\r', ' ');
    return s;
  }

  void node(const SidNode& n) {
    line("                new node                        = {:5}", n.id);
    line("                     rframe                     = body ref");
    block("origin", n.origin, 3, 1);
    block("phi", n.phi, 3, sid_.nq);
    block("psi", n.psi, 3, sid_.nq);
    block("AP", n.AP, 3, 3);
    if (n.sigma.zero.size() > 0) block("sigma", n.sigma, 6, sid_.nq);
    line("                end node");
  }

  /// Columns 3 l + c become c nq + l.
  SidTaylor regrouped(const SidTaylor& t) const {
    SidTaylor out = t;
    const auto turn = [this](MatX& m) {
      if (m.cols() != 3 * sid_.nq) return;
      const MatX old = m;
      for (Eigen::Index l = 0; l < sid_.nq; ++l)
        for (Eigen::Index c = 0; c < 3; ++c) m.col(c * sid_.nq + l) = old.col(3 * l + c);
    };
    turn(out.zero);
    for (MatX& m : out.first) turn(m);
    return out;
  }

  void check(const char* name, const SidTaylor& t, Eigen::Index rows, Eigen::Index columns) const {
    const auto fits = [=](const MatX& m) { return m.rows() == rows && m.cols() == columns && m.allFinite(); };
    const auto nq = static_cast<std::size_t>(sid_.nq);
    const bool good = fits(t.zero) && std::all_of(t.first.begin(), t.first.end(), fits) &&
                      std::all_of(t.second.begin(), t.second.end(), fits) &&
                      (t.first.empty() || t.first.size() == nq) &&
                      (t.second.empty() || t.second.size() == nq * (nq + 1) / 2);
    if (!good)
      throw Error(
          fmt::format("SID '{}', block {}", sid_.name, name),
          fmt::format("it must be finite and {} x {}, with one matrix per mode in order 1", rows, columns));
  }

  void block(const char* name, const SidTaylor& t, Eigen::Index rows, Eigen::Index columns) {
    check(name, t, rows, columns);
    const auto empty = [](const MatX& m) {
      for (Eigen::Index i = 0; i < m.size(); ++i)
        if (!is_nothing(m.data()[i])) return false;
      return true;
    };
    const bool no_more = std::all_of(t.first.begin(), t.first.end(), empty) &&
                         std::all_of(t.second.begin(), t.second.end(), empty);
    const bool unit = no_more && rows == columns && rows > 0 && is_unit(t.zero);
    const int structure = unit ? 4 : no_more && empty(t.zero) ? 0 : 3;
    line("                     {}", name);
    line("                          order                 = {:5}", t.order());
    line("                          nrow                  = {:5}", rows);
    line("                          ncol                  = {:5}", columns);
    line("                          nq                    = {:5}", sid_.nq);
    line("                          nqn                   = {:5}", t.second.size());
    line("                          structure             = {:5}", structure);
    if (structure == 3) {
      for (Eigen::Index j = 0; j < columns; ++j)
        for (Eigen::Index i = 0; i < rows; ++i)
          if (!is_nothing(t.zero(i, j)))
            line("                          m0({:2},{:2})             ={}", i + 1, j + 1,
                 number(t.zero(i, j)));
      entries("m1", t.first);
      entries("mn", t.second);
    }
    line("                     end {}", name);
  }

  void entries(const char* name, const std::vector<MatX>& list) {
    for (std::size_t l = 0; l < list.size(); ++l)
      for (Eigen::Index j = 0; j < list[l].cols(); ++j)
        for (Eigen::Index i = 0; i < list[l].rows(); ++i)
          if (!is_nothing(list[l](i, j)))
            line("                          {}({:2},{:2},{:2})          ={}", name, i + 1, l + 1, j + 1,
                 number(list[l](i, j)));
  }

  const Sid& sid_;
};

}  // namespace

std::string sid_text(const Sid& sid) {
  return SidWriter(sid).text();
}

void write_sid(const Sid& sid, const std::string& path) {
  if (path.ends_with(".h5") || path.ends_with(".hdf5")) {
    write_sid_hdf5(sid, path);
    return;
  }
  write_text_file(path, sid_text(sid));
}

}  // namespace monocoque::io
