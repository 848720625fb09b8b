#include "results/report_style.h"

#include <fmt/format.h>

#include "results/svg_plot.h"

namespace monocoque {

namespace {

constexpr const char* kStyle = R"css(
:root{color-scheme:light dark;--ground:#fff;--text:#1b1d20;--dim:#5d646d;--line:#d5d9de;--band:#f3f5f7;--mark:#fff1c9;
--good:#1d7a46;--fair:#8a5a00;--bad:#b3261e}
@media screen and (prefers-color-scheme:dark){:root{--ground:#15181c;--text:#e4e7eb;--dim:#9aa3ad;--line:#39404a;--band:#1e2329;--mark:#4a3d10;
--good:#6fd19a;--fair:#e6b54a;--bad:#ff8f85}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:90rem;background:var(--ground);color:var(--text);font:16px/1.45 system-ui,sans-serif}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.2rem;margin:2rem 0 .6rem;border-bottom:1px solid var(--line)}
h3{font-size:.95rem;margin:0 0 .3rem}p{margin:.3rem 0;max-width:60rem}.dim{color:var(--dim)}
.warning{background:var(--mark);padding:.5rem .7rem;border-radius:.3rem}
.outcome p{font-size:1.05rem}
.verdict{border-left:.3rem solid var(--dim);padding-left:.7rem}.verdict b{color:var(--dim)}
.good{border-color:var(--good)}.good b{color:var(--good)}.fair{border-color:var(--fair)}.fair b{color:var(--fair)}
.bad{border-color:var(--bad)}.bad b{color:var(--bad)}
.keys{display:grid;gap:.6rem;margin:.8rem 0;grid-template-columns:repeat(auto-fill,minmax(min(100%,12.5rem),1fr))}
.key{background:var(--band);border-radius:.4rem;padding:.5rem .7rem;min-width:0;overflow-wrap:break-word}
.key span{display:block;font-size:.82rem;color:var(--dim)}.key strong{font-size:1.35rem;font-variant-numeric:tabular-nums}
.key small{font-size:.82rem;color:var(--dim)}
nav{margin:.8rem 0}nav a{display:inline-block;margin:.15rem .8rem .15rem 0}a{color:inherit}
.tables,.figures{display:grid;gap:1.2rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,23rem),1fr));align-items:start}
.bodies{display:grid;gap:1.2rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,34rem),1fr))}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}
caption{text-align:left;font-weight:600;padding:.2rem 0}
th,td{text-align:left;padding:.2rem .6rem .2rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}
td.v{white-space:nowrap}th.n{text-align:right}td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}tr.d td{background:var(--mark)}
pre{background:var(--band);border-radius:.4rem;padding:.6rem;overflow-x:auto;font-size:.82rem;line-height:1.4}
figure{margin:0;padding:.6rem;background:var(--band);border-radius:.4rem;min-width:0}
svg.plot{display:block;width:100%;height:auto}svg.plot text{font:12px system-ui,sans-serif;fill:var(--text)}
svg.plot path{fill:none;stroke:currentColor;stroke-width:1.4;stroke-linejoin:round}svg.plot circle{fill:currentColor}
svg.plot .g{stroke:var(--line)}svg.plot .f{fill:none;stroke:var(--dim)}
.body svg{display:block;width:100%;height:auto;border-radius:.2rem}
figcaption{font-size:.82rem;line-height:1.5}figcaption span{display:inline-block;margin-right:.9rem}
figcaption i{display:inline-block;width:1.3rem;border-top:3px solid currentColor;margin-right:.35rem;vertical-align:middle}
figcaption i.b{border-top-style:dashed}figcaption b{font-weight:400;color:var(--text)}
summary{cursor:pointer;margin:.6rem 0}
@media (max-width:600px){svg.plot text{font-size:15px}}
@page{size:A4;margin:14mm}
@media print{:root{color-scheme:light;--ground:#fff;--text:#000;--dim:#444;--line:#bbb;--band:#f6f6f6;--mark:#fff1c9}
body{padding:0;max-width:none;font-size:10pt}nav,details{display:none}h2{break-after:avoid}
figure,.key,tr,.tables>div,.verdict{break-inside:avoid}.tables,.figures{grid-template-columns:1fr 1fr}
.bodies{grid-template-columns:1fr}.keys{grid-template-columns:repeat(4,1fr)}pre{white-space:pre-wrap}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

// The colours of svg_plot for a light ground, lighter ones for a dark ground.
std::string color_styles() {
  constexpr const char* dark[kPlotColors] = {"#6fa8e8", "#f08a5d", "#5cc08b", "#c490dc",
                                             "#dcb13c", "#5ccfdf", "#e57f98", "#b5b5b5"};
  std::string light_rules, dark_rules;
  for (int i = 0; i < kPlotColors; ++i) {
    light_rules += fmt::format(".c{}{{color:{}}}", i, plot_color(i));
    dark_rules += fmt::format(".c{}{{color:{}}}", i, dark[i]);
  }
  return light_rules + "\n@media screen and (prefers-color-scheme:dark){" + dark_rules + "}\n";
}

}  // namespace

std::string report_style() {
  return kStyle + color_styles();
}

}  // namespace monocoque
