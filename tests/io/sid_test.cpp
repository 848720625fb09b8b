// SID files: round trip to the last bit, the samples of other programs, spellings, and mistakes.

#include <unistd.h>

#include <bit>
#include <filesystem>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "io/body/sid.h"
#include "support/reference_files.h"

namespace monocoque::io::test {
namespace {

/// Any double there is, apart from infinite and undefined ones.
class AnyNumbers {
 public:
  MatX matrix(Eigen::Index rows, Eigen::Index columns) {
    MatX m(rows, columns);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = one();
    return m;
  }
  SidTaylor taylor(Eigen::Index rows, Eigen::Index columns, int nq, int order) {
    SidTaylor t;
    t.zero = matrix(rows, columns);
    for (int l = 0; order > 0 && l < nq; ++l) t.first.push_back(matrix(rows, columns));
    for (int l = 0; order > 1 && l < nq * (nq + 1) / 2; ++l) t.second.push_back(matrix(rows, columns));
    return t;
  }

 private:
  double one() {
    for (;;) {
      const auto x = std::bit_cast<double>(bits_());
      if (std::isfinite(x)) return x;
    }
  }
  std::mt19937_64 bits_{7};
};

Sid any_sid(int nq) {
  AnyNumbers any;
  Sid s;
  s.name = "arm: front left";
  s.mass_kg = 0.1;
  s.nq = nq;
  for (int i = 0; i < nq; ++i)
    s.mode_names.push_back(fmt::format("Eigen Mode {} : {} Hz", i + 7, 51.626 * i));
  for (int i = 0; i < 3; ++i) {
    SidNode n;
    n.id = 1000000000L * i + 17;
    n.origin = any.taylor(3, 1, nq, 1);
    n.phi = any.taylor(3, nq, nq, i % 2);
    n.psi = any.taylor(3, nq, nq, 0);
    n.AP = any.taylor(3, 3, nq, 1);
    if (i == 1) n.sigma = any.taylor(6, nq, nq, 0);
    if (i == 2) {
      n.psi.zero.setZero();
      n.psi.zero(1, 0) = -0.0;
      n.AP = {};
      n.AP.zero = MatX::Identity(3, 3);
    }
    s.nodes.push_back(n);
  }
  s.mdCM = any.taylor(3, 1, nq, 1);
  s.J = any.taylor(6, 1, nq, 2);
  s.Ct = any.taylor(nq, 3, nq, 1);
  s.Cr = any.taylor(nq, 3, nq, 1);
  s.Me = any.taylor(nq, nq, nq, 0);
  s.Gr = any.taylor(3, 3 * nq, nq, 0);
  s.Ge = any.taylor(nq, 3 * nq, nq, 0);
  s.Oe = any.taylor(nq, 6, nq, 1);
  s.ksigma = any.taylor(nq, 1, nq, 0);
  s.Ke = any.taylor(nq, nq, nq, 0);
  s.De = any.taylor(nq, nq, nq, 0);
  return s;
}

bool same_bits(const MatX& a, const MatX& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Eigen::Index i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a.data()[i]) != std::bit_cast<std::uint64_t>(b.data()[i])) return false;
  return true;
}

void expect_same(const SidTaylor& a, const SidTaylor& b) {
  EXPECT_TRUE(same_bits(a.zero, b.zero));
  ASSERT_EQ(a.first.size(), b.first.size());
  ASSERT_EQ(a.second.size(), b.second.size());
  for (std::size_t i = 0; i < a.first.size(); ++i) EXPECT_TRUE(same_bits(a.first[i], b.first[i]));
  for (std::size_t i = 0; i < a.second.size(); ++i) EXPECT_TRUE(same_bits(a.second[i], b.second[i]));
}

void expect_same(const Sid& a, const Sid& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.mass_kg, b.mass_kg);
  EXPECT_EQ(a.nq, b.nq);
  EXPECT_EQ(a.mode_names, b.mode_names);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    EXPECT_EQ(a.nodes[i].id, b.nodes[i].id);
    expect_same(a.nodes[i].origin, b.nodes[i].origin);
    expect_same(a.nodes[i].phi, b.nodes[i].phi);
    expect_same(a.nodes[i].psi, b.nodes[i].psi);
    expect_same(a.nodes[i].AP, b.nodes[i].AP);
    expect_same(a.nodes[i].sigma, b.nodes[i].sigma);
  }
  const auto blocks = [](const Sid& s) {
    return std::vector<const SidTaylor*>{&s.mdCM, &s.J,  &s.Ct,     &s.Cr, &s.Me, &s.Gr,
                                         &s.Ge,   &s.Oe, &s.ksigma, &s.Ke, &s.De};
  };
  for (std::size_t i = 0; i < blocks(a).size(); ++i) expect_same(*blocks(a)[i], *blocks(b)[i]);
}

std::string mistakes_of(const std::string& text) {
  try {
    read_sid_text(text, "a.SID_FEM");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Sid, RoundTripKeepsEveryBit) {
  for (const int nq : {1, 2, 5}) {
    const Sid s = any_sid(nq);
    expect_same(read_sid_text(sid_text(s), "a"), s);
  }
  const auto path = std::filesystem::temp_directory_path() / fmt::format("monocoque_{}.SID_FEM", getpid());
  const Sid s = any_sid(3);
  write_sid(s, path.string());
  expect_same(read_sid(path.string()), s);
  std::filesystem::remove(path);
}

TEST(Sid, Hdf5KeepsEveryBitAndIsKnownByItsContent) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("monocoque_{}.h5", getpid());
  const auto renamed = std::filesystem::path(path).replace_extension(".body");
  for (const int nq : {1, 2, 5}) {
    const Sid s = any_sid(nq);
    write_sid(s, path.string());
    std::filesystem::rename(path, renamed);
    expect_same(read_sid(renamed.string()), s);
  }
  // Cut short it is refused with its name.
  std::filesystem::resize_file(renamed, std::filesystem::file_size(renamed) / 2);
  try {
    read_sid(renamed.string());
    ADD_FAILURE() << "a truncated file was read";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(renamed.string()), std::string::npos) << e.what();
  }
  std::filesystem::remove(renamed);
}

TEST(Sid, SpellingIsFree) {
  const std::string text = sid_text(any_sid(2));
  const Sid s = read_sid_text(text, "a");
  std::string other = changed(text, "mdCM", "mCM");
  other = changed(other, "end mdCM", "end mCM");
  for (std::size_t at = 0; (at = other.find("D+", at)) != std::string::npos;) other[at] = 'e';
  expect_same(read_sid_text(other, "a"), s);
  std::string squeezed;
  for (const char c : changed(changed(text, "     J\n", "     MMI\n"), "end J", "END mmi"))
    if (c != ' ' || (!squeezed.empty() && squeezed.back() != ' ' && squeezed.back() != '\n')) squeezed += c;
  const Sid t = read_sid_text(squeezed, "a");
  expect_same(t.J, s.J);
  expect_same(t.Ge, s.Ge);
}

TEST(Sid, SamplesOfAnotherProgram) {
  for (const std::string name : {"balken1m", "beam"}) {
    const std::string path = monocoque::test::reference("sid/" + name + ".SID_FEM");
    MONOCOQUE_NEEDS(path);
    const Sid s = read_sid(path);
    EXPECT_EQ(s.nq, name == "beam" ? 11 : 1);
    EXPECT_EQ(s.nodes.size(), name == "beam" ? 6u : 3u);
    // The identities of NOTES.md; the files have 12 digits.
    const double scale = s.J.zero.norm();
    for (int l = 0; l < s.nq; ++l) {
      const auto k = static_cast<std::size_t>(l);
      EXPECT_LT((s.mdCM.first[k] - s.Ct.zero.row(l).transpose()).norm(), 1e-11 * scale);
      const Mat3 G = s.Gr.zero.middleCols(3 * l, 3);
      const MatX& j = s.J.first[k];
      Mat3 J1;
      J1 << j(0), j(3), j(4), j(3), j(1), j(5), j(4), j(5), j(2);
      EXPECT_LT(((G + G.transpose()) / 2 - J1).norm(), 1e-9 * J1.norm() + 1e-11) << name << l;
      EXPECT_LT((s.Ge.zero.middleCols(3 * l, 3) - 2 * s.Cr.first[k]).norm(), 1e-9 * s.Ge.zero.norm() + 1e-11);
    }
    expect_same(read_sid_text(sid_text(s), "a"), s);
  }
}

TEST(Sid, LayoutOfGrIsFound) {
  // A consistent pair J1, Gr in either layout, without the word of our own writer.
  Sid s = any_sid(3);
  for (int l = 0; l < 3; ++l) {
    Mat3 G;
    G << 1 + l, 2, 3, 4, 5 - l, 6, 7, 8 * l, 9;
    s.Gr.zero.middleCols(3 * l, 3) = G;
    const Mat3 S = (G + G.transpose()) / 2;
    s.J.first[static_cast<std::size_t>(l)] << S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(0, 2), S(1, 2);
  }
  const std::string foreign = changed(sid_text(s), "Monocoque, Gr per component:", "");
  EXPECT_TRUE(same_bits(read_sid_text(foreign, "a").Gr.zero, s.Gr.zero));
  Sid turned = s;
  // The writer turns its columns; turned beforehand they come out per mode.
  for (int l = 0; l < 3; ++l)
    for (int c = 0; c < 3; ++c) {
      const int k = c * 3 + l;
      turned.Gr.zero.col(3 * l + c) = s.Gr.zero.col(k);
    }
  const std::string per_mode = changed(sid_text(turned), "Monocoque, Gr per component:", "");
  EXPECT_TRUE(same_bits(read_sid_text(per_mode, "a").Gr.zero, s.Gr.zero));
}

TEST(Sid, SymmetricAndDiagonalForms) {
  std::string text = sid_text(any_sid(2));
  const std::size_t at = text.find(" Me\n"), end = text.find("end Me");
  text.replace(at, end - at,
               " Me\norder = 0\nnrow = 2\nncol = 2\nnq = 2\nnqn = 0\nstructure = 2\n"
               "m0(1,1) = 1\nm0(2,1) = 3.5-1\nm0(2,2) = 2.D0\n");
  const Sid s = read_sid_text(text, "a");
  EXPECT_EQ(s.Me.zero, (MatX(2, 2) << 1, 0.35, 0.35, 2).finished());
}

TEST(Sid, MistakesHavePlaceAndRule) {
  const std::string good = sid_text(any_sid(2));
  EXPECT_NE(mistakes_of("").find("there is no block refmod"), std::string::npos);
  EXPECT_NE(mistakes_of(good.substr(0, good.size() / 2)).find("truncated"), std::string::npos);
  EXPECT_NE(mistakes_of(changed(good, "nelastq                         =     2", "nelastq = 99999999"))
                .find("a.SID_FEM:6: nelastq: value is '99999999', it must be an integer from 0 to 2000"),
            std::string::npos);
  EXPECT_NE(mistakes_of(changed(good, "m0( 1, 1)", "m0( 4, 1)"))
                .find("node 17, block ORIGIN: m0( 4, 1) is out of range"),
            std::string::npos);
  EXPECT_NE(mistakes_of(changed(good, "m0( 1, 1)", "m0( 1  1)")).find("is not understood"),
            std::string::npos);
  EXPECT_NE(mistakes_of(changed(good, "nrow                  =     3", "nrow = 4"))
                .find("nrow is '4', it must be 3"),
            std::string::npos);
  EXPECT_NE(mistakes_of(changed(good, "end Oe", "end De")).find("truncated"), std::string::npos);
  // A small file that asks for gigabytes.
  std::string greedy = "1 2000 :x\nrefmod\nmass = 1\nnelastq = 2000\nend refmod\nframe\n";
  for (int i = 0; i < 100; ++i)
    greedy += fmt::format("new node = {}\norigin\nend origin\nphi\norder = 1\nend phi\nend node\n", i);
  EXPECT_NE(mistakes_of(greedy).find("larger than its text can fill"), std::string::npos);
}

}  // namespace
}  // namespace monocoque::io::test
