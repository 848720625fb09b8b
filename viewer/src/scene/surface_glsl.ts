// Shader text of surfaces (surface.ts).

export const elasticGlsl = `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D modes;
uniform sampler2D stressA;
uniform sampler2D stressB;
uniform sampler2D weights;
uniform int activeCount;
uniform int coloring;
uniform bool hasStress;

ivec2 address(int vertex, int mode) {
  int i = vertex * NQ + mode;
  return ivec2(i & ((1 << LOG_WIDTH) - 1), i >> LOG_WIDTH);
}

// Displacement in xyz; the coloured quantity in w.
vec4 elastic(int vertex) {
  vec3 u = vec3(0.0), n = vec3(0.0), s = vec3(0.0);
  bool tense = coloring == 2 && hasStress;
  for (int k = 0; k < activeCount; ++k) {
    vec2 a = texelFetch(weights, ivec2(k, 0), 0).xy;
    ivec2 at = address(vertex, int(a.x));
    u += a.y * texelFetch(modes, at, 0).xyz;
    if (tense) {
      n += a.y * texelFetch(stressA, at, 0).xyz;
      s += a.y * texelFetch(stressB, at, 0).xyz;
    }
  }
  vec3 d = n - n.yzx;
  float level = tense ? sqrt(0.5 * dot(d, d) + 3.0 * dot(s, s)) : length(u);
  return vec4(u, level);
}
`;

/// Sums all vertices once into a texture: a surface asks for each vertex several times (triangles, lines).
export const sumVertexGlsl = `
void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }
`;
export const sumFragmentGlsl = `
out vec4 sum;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  sum = elastic((at.y << LOG_SUMS) + at.x);
}
`;

export const vertexGlsl = `
precision highp sampler2D;
uniform sampler2D sums;
uniform float scale;
uniform vec2 range;
out vec3 eye;
out float level;
void main() {
  vec4 e = BENDS ? texelFetch(sums, ivec2(gl_VertexID & ((1 << LOG_SUMS) - 1), gl_VertexID >> LOG_SUMS), 0) : vec4(0.0);
  vec4 at = modelViewMatrix * vec4(position + scale * e.xyz, 1.0);
  eye = at.xyz;
  level = (e.w - range.x) * range.y;
  gl_Position = projectionMatrix * at;
}
`;

export const fragmentGlsl = `
precision highp float;
uniform sampler2D palette;
uniform int coloring;
uniform bool hasStress;
uniform vec3 color;
uniform float glow;
uniform float opacity;
in vec3 eye;
in float level;
out vec4 pixel;
void main() {
  vec3 n = normalize(cross(dFdx(eye), dFdy(eye)));
  float light = abs(dot(n, normalize(vec3(0.25, 0.65, 0.72))));
  vec3 base = color;
  float dark = 0.42;
  if (coloring == 1 || (coloring == 2 && hasStress)) {
    base = texture(palette, vec2(clamp(level, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
    dark = 0.62;
  }
  base *= dark + (1.0 - dark) * light;
  pixel = vec4(mix(base, vec3(1.0, 0.72, 0.1), 0.35 * glow), opacity);
}
`;

export const lineFragmentGlsl = `
precision highp float;
uniform vec3 color;
uniform float opacity;
in vec3 eye;
in float level;
out vec4 pixel;
void main() {
  pixel = vec4(color * 0.45, opacity * 0.8);
}
`;
