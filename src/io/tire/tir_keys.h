#pragma once
// The one list of the numbers a tyre property file may hold: key, dimension, value assumed where the file
// leaves the key out, and who uses it. The struct of values, the reader and its messages are made from it.
//
// The assumed values are those of the MFeval solver (its reader's presets), so that a file with gaps means
// the same in both programs. Dimension: n none, l length, v speed, f force, k force/length, c force
// time/length, p pressure, a angle, m mass, i mass length^2, w force length/angle, h 1/time, g length/time^2.
// Users: all, five (MF 5.2), six (MF 6.1 and 6.2), two (MF 6.2 only), turn (turn slip), given (used
// where the file has it), kept (read, used by no law).

// clang-format off
#define MONOCOQUE_TIR_KEYS(X) \
  /* MODEL */ \
  X(LONGVL, v, 16.7, all) X(VXLOW, v, 1, all) X(ROAD_INCREMENT, l, 0.01, kept) X(ROAD_DIRECTION, n, 1, kept) \
  X(USER_SUB_ID, n, 815, kept) X(N_TIRE_STATES, n, 4, kept) X(USE_MODE, n, 124, kept) \
  X(HMAX_LOCAL, n, 2.5e-4, kept) X(TIME_SWITCH_INTEG, n, 0.1, kept) X(SWITCH_INTEG, n, 0, kept) \
  X(FILE_VERSION, n, 3, kept) X(MODEL_VERSION, n, 0, kept) X(MFSAFE1, n, 0, kept) X(MFSAFE2, n, 0, kept) \
  X(MFSAFE3, n, 0, kept) \
  /* DIMENSION, OPERATING_CONDITIONS, INERTIA */ \
  X(UNLOADED_RADIUS, l, 0.3135, all) X(WIDTH, l, 0.205, all) X(ASPECT_RATIO, n, 0.6, two) \
  X(RIM_RADIUS, l, 0.1905, all) X(RIM_WIDTH, l, 0.152, kept) \
  X(INFLPRES, p, 220000, six) X(NOMPRES, p, 220000, six) \
  X(MASS, m, 9.3, kept) X(IXX, i, 0.391, kept) X(IYY, i, 0.736, kept) X(BELT_MASS, m, 7, kept) \
  X(BELT_IXX, i, 0.34, kept) X(BELT_IYY, i, 0.6, kept) X(GRAVITY, g, -9.81, kept) \
  /* VERTICAL */ \
  X(FNOMIN, f, 4000, all) X(VERTICAL_STIFFNESS, k, 200000, all) X(VERTICAL_DAMPING, c, 50, all) \
  X(MC_CONTOUR_A, n, 0.5, kept) X(MC_CONTOUR_B, n, 0.5, kept) \
  X(BREFF, n, 8.4, all) X(DREFF, n, 0.27, all) X(FREFF, n, 0.07, all) \
  X(Q_RE0, n, 1, six) X(Q_V1, n, 0, six) X(Q_V2, n, 0, six) X(Q_FZ1, n, 0, given) X(Q_FZ2, n, 1e-4, six) \
  X(Q_FCX, n, 0, six) X(Q_FCY, n, 0, six) X(Q_CAM, n, 0, kept) X(PFZ1, n, 0, six) \
  X(Q_FCY2, n, 0, two) X(Q_CAM1, n, 0, two) X(Q_CAM2, n, 0, two) X(Q_CAM3, n, 0, two) \
  X(Q_FYS1, n, 0, two) X(Q_FYS2, n, 0, two) X(Q_FYS3, n, 0, two) \
  X(BOTTOM_OFFST, l, 0.01, all) X(BOTTOM_STIFF, k, 2000000, all) \
  /* STRUCTURAL */ \
  X(LONGITUDINAL_STIFFNESS, k, 300000, six) X(LATERAL_STIFFNESS, k, 100000, six) X(YAW_STIFFNESS, w, 5000, kept) \
  X(FREQ_LONG, h, 80, kept) X(FREQ_LAT, h, 40, kept) X(FREQ_YAW, h, 50, kept) X(FREQ_WINDUP, h, 70, kept) \
  X(DAMP_LONG, n, 0.04, kept) X(DAMP_LAT, n, 0.04, kept) X(DAMP_YAW, n, 0.04, kept) \
  X(DAMP_WINDUP, n, 0.04, kept) X(DAMP_RESIDUAL, n, 0.002, kept) X(DAMP_VLOW, n, 0.001, kept) \
  X(Q_BVX, n, 0, kept) X(Q_BVT, n, 0, kept) \
  X(PCFX1, n, 0, six) X(PCFX2, n, 0, six) X(PCFX3, n, 0, six) \
  X(PCFY1, n, 0, six) X(PCFY2, n, 0, six) X(PCFY3, n, 0, six) X(PCMZ1, n, 0, kept) \
  /* CONTACT_PATCH */ \
  X(Q_RA1, n, 0.5, six) X(Q_RA2, n, 1, six) X(Q_RB1, n, 1, six) X(Q_RB2, n, -1, six) \
  X(Q_A1, n, 0, given) X(Q_A2, n, 0, given) \
  X(ELLIPS_SHIFT, n, 0.8, kept) X(ELLIPS_LENGTH, n, 1, kept) X(ELLIPS_HEIGHT, n, 1, kept) \
  X(ELLIPS_ORDER, n, 1.8, kept) X(ELLIPS_MAX_STEP, l, 0.025, kept) X(ELLIPS_NWIDTH, n, 10, kept) \
  X(ELLIPS_NLENGTH, n, 10, kept) X(ELLIPS_INC, n, 0, kept) X(ENV_C1, n, 0, kept) X(ENV_C2, n, 0, kept) \
  /* ranges */ \
  X(PRESMIN, p, 10000, all) X(PRESMAX, p, 1000000, all) X(FZMIN, f, 100, all) X(FZMAX, f, 10000, all) \
  X(KPUMIN, n, -1.5, all) X(KPUMAX, n, 1.5, all) X(ALPMIN, a, -1.5, all) X(ALPMAX, a, 1.5, all) \
  X(CAMMIN, a, -0.175, all) X(CAMMAX, a, 0.175, all) \
  /* SCALING_COEFFICIENTS */ \
  X(LFZO, n, 1, all) X(LCX, n, 1, all) X(LMUX, n, 1, all) X(LEX, n, 1, all) X(LKX, n, 1, all) X(LHX, n, 1, all) \
  X(LVX, n, 1, all) X(LCY, n, 1, all) X(LMUY, n, 1, all) X(LEY, n, 1, all) X(LKY, n, 1, all) X(LHY, n, 1, all) \
  X(LVY, n, 1, all) X(LTR, n, 1, all) X(LRES, n, 1, all) X(LXAL, n, 1, all) X(LYKA, n, 1, all) \
  X(LVYKA, n, 1, all) X(LS, n, 1, all) X(LKYC, n, 1, six) X(LKZC, n, 1, six) X(LVMX, n, 1, all) \
  X(LMX, n, 1, all) X(LMY, n, 1, all) X(LMP, n, 1, turn) X(LMUV, n, 0, given) \
  X(LGAX, n, 1, five) X(LGAY, n, 1, five) X(LGAZ, n, 1, five) X(LSGKP, n, 1, five) X(LSGAL, n, 1, five) \
  X(LGYR, n, 1, kept) X(LCZ, n, 1, given) X(LKC, n, 1, kept) X(LCC, n, 1, kept) X(LEC, n, 1, kept) \
  /* LONGITUDINAL_COEFFICIENTS */ \
  X(PCX1, n, 1.65, all) X(PDX1, n, 1.3, all) X(PDX2, n, -0.15, all) X(PDX3, n, 0, all) X(PEX1, n, 0, all) \
  X(PEX2, n, 0, all) X(PEX3, n, 0, all) X(PEX4, n, 0, all) X(PKX1, n, 20, all) X(PKX2, n, 0, all) \
  X(PKX3, n, 0, all) X(PHX1, n, 0, all) X(PHX2, n, 0, all) X(PVX1, n, 0, all) X(PVX2, n, 0, all) \
  X(PPX1, n, 0, six) X(PPX2, n, 0, six) X(PPX3, n, 0, six) X(PPX4, n, 0, six) \
  X(RBX1, n, 20, all) X(RBX2, n, 15, all) X(RBX3, n, 0, six) X(RCX1, n, 1, all) X(REX1, n, 0, all) \
  X(REX2, n, 0, all) X(RHX1, n, 0, all) X(PTX1, n, 0, five) X(PTX2, n, 0, five) X(PTX3, n, 0, five) \
  /* OVERTURNING_COEFFICIENTS */ \
  X(QSX1, n, 0, all) X(QSX2, n, 0, all) X(QSX3, n, 0, all) X(QSX4, n, 5, six) X(QSX5, n, 1, six) \
  X(QSX6, n, 10, six) X(QSX7, n, 0, six) X(QSX8, n, 0, six) X(QSX9, n, 0.4, six) X(QSX10, n, 0, six) \
  X(QSX11, n, 5, six) X(QSX12, n, 0, six) X(QSX13, n, 0, six) X(QSX14, n, 0, six) X(PPMX1, n, 0, six) \
  /* LATERAL_COEFFICIENTS */ \
  X(PCY1, n, 1.3, all) X(PDY1, n, 1.1, all) X(PDY2, n, -0.15, all) X(PDY3, n, 0, all) X(PEY1, n, 0, all) \
  X(PEY2, n, 0, all) X(PEY3, n, 0, all) X(PEY4, n, 0, all) X(PEY5, n, 0, six) X(PKY1, n, -20, all) \
  X(PKY2, n, 1, all) X(PKY3, n, 0, all) X(PKY4, n, 2, six) X(PKY5, n, 0, six) X(PKY6, n, -1, six) \
  X(PKY7, n, 0, six) X(PHY1, n, 0, all) X(PHY2, n, 0, all) X(PHY3, n, 0, five) X(PVY1, n, 0, all) \
  X(PVY2, n, 0, all) X(PVY3, n, 0, all) X(PVY4, n, 0, all) X(PPY1, n, 0, six) X(PPY2, n, 0, six) \
  X(PPY3, n, 0, six) X(PPY4, n, 0, six) X(PPY5, n, 0, six) X(RBY1, n, 10, all) X(RBY2, n, 10, all) \
  X(RBY3, n, 0, all) X(RBY4, n, 0, six) X(RCY1, n, 1, all) X(REY1, n, 0, all) X(REY2, n, 0, all) \
  X(RHY1, n, 0, all) X(RHY2, n, 0, all) X(RVY1, n, 0, all) X(RVY2, n, 0, all) X(RVY3, n, 0, all) \
  X(RVY4, n, 20, all) X(RVY5, n, 2, all) X(RVY6, n, 10, all) X(PTY1, n, 0, five) X(PTY2, n, 0, five) \
  /* ROLLING_COEFFICIENTS */ \
  X(QSY1, n, 0.01, all) X(QSY2, n, 0, all) X(QSY3, n, 4e-4, all) X(QSY4, n, 4e-5, all) X(QSY5, n, 0, six) \
  X(QSY6, n, 0, six) X(QSY7, n, 0.85, six) X(QSY8, n, -0.4, six) \
  /* ALIGNING_COEFFICIENTS */ \
  X(QBZ1, n, 10, all) X(QBZ2, n, 0, all) X(QBZ3, n, 0, all) X(QBZ4, n, 0, all) X(QBZ5, n, 0, all) \
  X(QBZ6, n, 0, kept) X(QBZ9, n, 10, all) X(QBZ10, n, 0, all) X(QCZ1, n, 1.1, all) X(QDZ1, n, 0.12, all) \
  X(QDZ2, n, 0, all) X(QDZ3, n, 0, all) X(QDZ4, n, 0, all) X(QDZ6, n, 0, all) X(QDZ7, n, 0, all) \
  X(QDZ8, n, -0.05, all) X(QDZ9, n, 0, all) X(QDZ10, n, 0, six) X(QDZ11, n, 0, six) X(QEZ1, n, 0, all) \
  X(QEZ2, n, 0, all) X(QEZ3, n, 0, all) X(QEZ4, n, 0, all) X(QEZ5, n, 0, all) X(QHZ1, n, 0, all) \
  X(QHZ2, n, 0, all) X(QHZ3, n, 0, all) X(QHZ4, n, 0, all) X(PPZ1, n, 0, six) X(PPZ2, n, 0, six) \
  X(SSZ1, n, 0, all) X(SSZ2, n, 0, all) X(SSZ3, n, 0, all) X(SSZ4, n, 0, all) \
  X(QTZ1, n, 0, kept) X(MBELT, m, 0, kept) \
  /* TURNSLIP_COEFFICIENTS */ \
  X(PDXP1, n, 0.4, turn) X(PDXP2, n, 0, turn) X(PDXP3, n, 0, turn) X(PKYP1, n, 1, turn) X(PDYP1, n, 0.4, turn) \
  X(PDYP2, n, 0, turn) X(PDYP3, n, 0, turn) X(PDYP4, n, 0, turn) X(PHYP1, n, 1, turn) X(PHYP2, n, 0.15, turn) \
  X(PHYP3, n, 0, turn) X(PHYP4, n, -4, turn) X(PECP1, n, 0.5, turn) X(PECP2, n, 0, turn) X(QDTP1, n, 10, turn) \
  X(QCRP1, n, 0.2, turn) X(QCRP2, n, 0.1, turn) X(QBRP1, n, 0.1, turn) X(QDRP1, n, 1, turn) X(QDRP2, n, 0, kept)
// clang-format on
