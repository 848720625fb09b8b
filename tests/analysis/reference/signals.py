#!/usr/bin/python3
"""Writes signals.json beside this file: what SciPy makes of the signals of signal_test.cpp.

usage: tests/analysis/reference/signals.py
"""

import json
import pathlib

import numpy as np
import scipy
from scipy import signal

RATE = 100.0
i = np.arange(1200)
x = 3 + np.sin(0.37 * i) + 0.5 * np.cos(1.1 * i + 0.3) * (i % 7)
y = signal.lfilter([0.2, 0.5, -0.1], [1, -0.6, 0.3], x) + 0.2 * np.sin(0.9 * i + 0.001 * i**2)

SAMPLES = [0, 1, 2, 50, 333, 1000, 1198, 1199]
BINS = [0, 1, 7, 30, 77, 127, 128]
FREQUENCIES = [0.5, 3.0, 9.0, 14.0, 31.0, 45.0]


def split(values):
    values = np.asarray(values)
    return {"re": values.real.tolist(), "im": values.imag.tolist()}


out = {"scipy": scipy.__version__, "bins": BINS, "samples": SAMPLES, "frequencies": FREQUENCIES}

settings = {"fs": RATE, "nperseg": 256}
f, sxx = signal.welch(x, **settings)
_, syy = signal.welch(y, **settings)
_, sxy = signal.csd(x, y, **settings)
_, coherence = signal.coherence(x, y, **settings)
out["spectra"] = {
    "frequency": f[BINS].tolist(),
    "input": sxx[BINS].tolist(),
    "output": syy[BINS].tolist(),
    "cross": split(sxy[BINS]),
    "coherence": coherence[BINS].tolist(),
    "h1": split((sxy / sxx)[BINS]),
    "h2": split((syy / np.conj(sxy))[BINS]),
}

out["filters"] = []
for band, order, corners in [
    ("low", 1, [9]), ("low", 4, [10]), ("low", 7, [31]), ("high", 3, [5]), ("high", 4, [0.2]),
    ("band", 1, [4, 9]), ("band", 3, [4, 20]), ("band", 4, [1, 30]),
]:
    kind = {"low": "lowpass", "high": "highpass", "band": "bandpass"}[band]
    sos = signal.butter(order, corners if len(corners) > 1 else corners[0], kind, fs=RATE, output="sos")
    _, h = signal.sosfreqz(sos, FREQUENCIES, fs=RATE)
    out["filters"].append({
        "band": band, "order": order, "corners": corners, "response": split(h),
        "forward": signal.sosfilt(sos, x)[SAMPLES].tolist(),
        "zero_phase": signal.sosfiltfilt(sos, x)[SAMPLES].tolist(),
    })

# Weightings of ISO 2631-1 as analogue systems, driven by a signal sampled at 1 kHz with linear pieces between.
INF = float("inf")
PARAMETERS = {
    "Wk": (0.4, 100, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91),
    "Wd": (0.4, 100, 2, 2, 0.63, INF, 1, INF, 1),
    "Wc": (0.4, 100, 8, 8, 0.63, INF, 1, INF, 1),
    "We": (0.4, 100, 1, 1, 0.63, INF, 1, INF, 1),
    "Wj": (0.4, 100, INF, INF, 1, 3.75, 0.91, 5.32, 0.91),
    "Wf": (0.08, 0.63, INF, 0.25, 0.86, 0.0625, 0.80, 0.10, 0.80),
}
t = np.arange(40000) * 1e-3
a = (np.sin(2 * np.pi * 1.3 * t) + 0.8 * np.sin(2 * np.pi * 5.1 * t + 1) + 0.6 * np.sin(2 * np.pi * 17 * t + 2)
     + 0.4 * np.sin(2 * np.pi * 43 * t + 3) + 0.5 * np.sin(2 * np.pi * 0.2 * t + 0.5))
a -= a.mean()
out["weighted_rms"] = {}
for name, (f1, f2, f3, f4, q4, f5, q5, f6, q6) in PARAMETERS.items():
    def quadratic(f, q):
        w = 2 * np.pi * f
        return np.array([1 / w**2, 1 / (q * w), 1])

    num, den = np.array([quadratic(f1, 1)[0], 0, 0]), np.convolve(quadratic(f1, 0.5**0.5), quadratic(f2, 0.5**0.5))
    if f4 != INF:
        num = np.convolve(num, [1 / (2 * np.pi * f3) if f3 != INF else 0, 1])
        den = np.convolve(den, quadratic(f4, q4))
    if f5 != INF:
        num, den = np.convolve(num, quadratic(f5, q5) * (f5 / f6)**2), np.convolve(den, quadratic(f6, q6))
    _, w, _ = signal.lsim((np.trim_zeros(num, "f"), den), a, t)
    out["weighted_rms"][name] = {"rms": np.sqrt(np.mean(w[10000:]**2)), "vdv": (np.sum(w[10000:]**4) * 1e-3)**0.25}

pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, indent=1) + "\n")
