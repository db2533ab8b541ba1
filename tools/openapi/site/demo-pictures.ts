import type { DemoPicture } from '../../../src/platform/http/documentation.ts'

const circle = (x: number, y: number, radius: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`
const ellipse = (x: number, y: number, radiusX: number, radiusY: number, fill: string) =>
  `<ellipse cx="${x}" cy="${y}" rx="${radiusX}" ry="${radiusY}" fill="${fill}"/>`
const path = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`
const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"/>`

const frame = (width: number, height: number, background: string, shapes: readonly string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${background}"/>${shapes.join('')}</svg>`
/** A square picture of a dish. */
const dish = (background: string, ...shapes: readonly string[]) => frame(200, 200, background, shapes)

const plate = [circle(100, 104, 84, '#00000022'), circle(100, 100, 84, '#fbf7f0'), circle(100, 100, 64, '#f0e9dd')]
/** Points on a circle around the middle of a dish. */
const around = (count: number, distance: number, draw: (x: number, y: number) => string) =>
  Array.from({ length: count }, (_, index) => {
    const angle = (index * 2 * Math.PI) / count
    return draw(Math.round(100 + distance * Math.cos(angle)), Math.round(100 + distance * Math.sin(angle)))
  })

/** The pictures of the demo venue, as SVG. */
export const demoPictures: Readonly<Record<DemoPicture, string>> = {
  'flat-white': dish(
    '#c9b49a',
    ...plate,
    line('M142 96q34 2 26 26q-6 14-28 8', '#fffdf8', 10),
    circle(100, 100, 52, '#fffdf8'),
    circle(100, 100, 44, '#8a5a33'),
    circle(100, 100, 38, '#b98351'),
    path('M100 128C70 106 70 80 88 80q9 0 12 9q3-9 12-9c18 0 18 26-12 48z', '#f6e7d0'),
    path('M100 116C84 104 84 92 93 92q5 0 7 6q2-6 7-6c9 0 9 12-7 24z', '#b98351'),
  ),
  'acai-bowl': dish(
    '#e7c9c4',
    circle(100, 104, 80, '#00000022'),
    circle(100, 100, 80, '#e9dfd0'),
    circle(100, 100, 68, '#4b1f46'),
    path('M44 88q56-34 112 0q-8-50-56-52q-46 2-56 52z', '#d9a95c'),
    ...[60, 86, 112, 138].map((x, index) => circle(x, 104 + (index % 2) * 8, 14, '#f7e9b0')),
    ...[60, 86, 112, 138].map((x, index) => circle(x, 104 + (index % 2) * 8, 4, '#cdb56b')),
    ...[70, 92, 114, 134].map((x, index) => circle(x, 140 + (index % 2) * 9, 9, '#2f3f86')),
    ...[82, 104, 124].map((x, index) => circle(x, 60 + (index % 2) * 8, 9, '#c5283d')),
  ),
  'avocado-toast': dish(
    '#b9cdb0',
    ...plate,
    path('M52 74q48-34 96 0q14 10 2 24l-4 44q-2 10-12 10H66q-10 0-12-10l-4-44q-12-14 2-24z', '#a9672f'),
    path('M62 82q38-26 76 0q8 6 2 16l-4 40q0 6-8 6H72q-8 0-8-6l-4-40q-6-10 2-16z', '#9dbb4f'),
    ellipse(100, 114, 28, 24, '#fffdf6'),
    circle(102, 112, 11, '#f3a623'),
    ...[70, 84, 124, 132, 92, 118].map((x, index) => circle(x, 86 + ((index * 17) % 52), 3, '#b5261e')),
  ),
  'pastel-de-nata': dish(
    '#dfb98a',
    ...plate,
    ...[
      [76, 84],
      [128, 92],
      [96, 130],
    ].flatMap(([x = 0, y = 0]) => [
      circle(x, y, 31, '#b9742c'),
      circle(x, y, 27, '#d89a45'),
      circle(x, y, 22, '#f3c64d'),
      ellipse(x - 6, y - 5, 8, 5, '#7a4317'),
      ellipse(x + 8, y + 6, 6, 4, '#8d531f'),
    ]),
  ),
  'creme-brulee': dish(
    '#9db3bd',
    ...plate,
    ...around(24, 56, (x, y) => circle(x, y, 9, '#fffdf8')),
    circle(100, 100, 56, '#fffdf8'),
    circle(100, 100, 48, '#e8a33a'),
    path('M60 84q20-30 54-30q-4 20 12 28q-30 6-66 2z', '#b8651b'),
    ellipse(122, 122, 20, 12, '#c77a25'),
    line('M70 112l22-10l10 16l24-14', '#7c3f10', 3),
    circle(88, 78, 8, '#c5283d'),
    circle(101, 72, 7, '#2f3f86'),
    path('M108 82q14-12 22 0q-12 8-22 0z', '#4f8a3a'),
  ),
  'otter-burger': dish(
    '#d8a48a',
    ...plate,
    path('M46 128h108v12q0 16-16 16H62q-16 0-16-16z', '#c8853e'),
    path('M42 114h116q6 14-6 16H48q-12-2-6-16z', '#5a2f1b'),
    path('M44 104h112l-14 18l-16-10l-20 14l-20-14l-18 10z', '#f2b632'),
    line('M46 102q13-12 27 0t27 0t27 0t27 0', '#5f9c3f', 9),
    path('M46 94q0-44 54-44t54 44z', '#d39245'),
    ...[74, 92, 112, 128, 100].map((x, index) => ellipse(x, 62 + ((index * 9) % 20), 4, 2.5, '#f7e3b5')),
  ),
  'espresso-martini': dish(
    '#4a3a44',
    circle(100, 104, 74, '#00000033'),
    circle(100, 100, 74, '#f1ece4'),
    circle(100, 100, 66, '#2d1a12'),
    circle(100, 100, 60, '#c59a6d'),
    circle(96, 96, 46, '#d4ae84'),
    ...[
      [100, 78, 0],
      [82, 108, 120],
      [118, 108, 240],
    ].map(
      ([x, y, turn]) =>
        `<g transform="rotate(${turn} ${x} ${y})"><ellipse cx="${x}" cy="${y}" rx="9" ry="14" fill="#3a2015"/><path d="M${x} ${Number(y) - 13}q-5 13 0 26" fill="none" stroke="#8a6242" stroke-width="2"/></g>`,
    ),
  ),
  banner: frame(1280, 512, '#5d3826', [
    `<rect y="360" width="1280" height="152" fill="#7b4c30"/><rect y="356" width="1280" height="8" fill="#94613f"/>`,
    ...[160, 430, 700, 970, 1200].flatMap((x, index) => [
      line(`M${x} 0v${90 + (index % 3) * 30}`, '#2b1a12', 5),
      path(
        `M${x - 46} ${140 + (index % 3) * 30}q6-54 46-56q40 2 46 56z`,
        ['#e08a3c', '#c9563a', '#d9a441'][index % 3] ?? '#e08a3c',
      ),
      ellipse(x, 144 + (index % 3) * 30, 40, 8, '#ffe9b8'),
      ellipse(x, 300, 170, 34, '#ffd98a18'),
    ]),
    ...[120, 360, 560, 820, 1080].flatMap((x, index) => [
      ellipse(x + 30, 424, 86, 16, '#0000002e'),
      path(`M${x - 24} 322h108q2 84-34 94h-40q-36-10-34-94z`, index % 2 === 0 ? '#fbf3e4' : '#f0b36a'),
      ellipse(x + 30, 322, 54, 13, '#fffaf0'),
      ellipse(x + 30, 323, 46, 9, index % 2 === 0 ? '#6b3f22' : '#a8562a'),
      line(`M${x + 84} 342q38 0 30 30q-6 20-38 20`, index % 2 === 0 ? '#fbf3e4' : '#f0b36a', 12),
    ]),
    ...[250, 480, 700, 960, 1190].flatMap((x) => [
      circle(x, 400, 36, '#e87b24'),
      circle(x - 10, 388, 9, '#f39c4f'),
      path(`M${x} 366q16-18 30-6q-12 14-30 6z`, '#5f8f3d'),
    ]),
  ]),
}
