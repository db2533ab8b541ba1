import type { JSX } from 'preact'

/** Icons of 20 × 20 units, drawn with strokes of the current colour. */
const paths = {
  products: 'M3 7l7-4 7 4v7l-7 4-7-4zM3 7l7 4 7-4M10 11v7',
  soldOut: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM4.7 4.7l10.6 10.6',
  menus: 'M5 2.5h10v15H5zM8 6.5h4M8 10h4M8 13.5h4',
  today: 'M3 5h14v12H3zM3 8.5h14M7 3v4M13 3v4M7 12h3v2H7z',
  coupons: 'M3 5h14v3.5a1.5 1.5 0 0 0 0 3V15H3v-3.5a1.5 1.5 0 0 0 0-3zM12 5v2M12 9v2M12 13v2',
  modifiers: 'M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4',
  handle: 'M7.5 5v.01M12.5 5v.01M7.5 10v.01M12.5 10v.01M7.5 15v.01M12.5 15v.01',
  menu: 'M3 5h14M3 10h14M3 15h14',
  account: 'M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3.5 17.5c.6-3.4 3.2-5 6.5-5s5.9 1.6 6.5 5',
  close: 'M5 5l10 10M15 5L5 15',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5L17.5 17.5',
  plus: 'M10 4v12M4 10h12',
  check: 'M4 10.5l4 4 8-9',
  up: 'M10 16V4M5 9l5-5 5 5',
  down: 'M10 4v12M5 11l5 5 5-5',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.7 10.5h7.6L14.5 6',
  picture: 'M3 4h14v12H3zM3 13l4-4 4 4 2-2 4 4',
  tables: 'M3 7h14M5 7v9M15 7v9M4 4h12l1 3H3z',
  print: 'M6 8V3h8v5M5 14H3V8h14v6h-2M6 12h8v5H6z',
  download: 'M10 3v10M5.5 9l4.5 4 4.5-4M4 17h12',
  chip: 'M5 5h10v10H5zM8 8h4v4H8zM8 2v3M12 2v3M8 15v3M12 15v3',
  webhooks: 'M10 3a7 7 0 1 0 7 7M10 7v3l2 2M13 3h4v4M17 3l-5 5',
  transfer: 'M6 16V4M3 7l3-3 3 3M14 4v12M11 13l3 3 3-3',
  settings:
    'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10 2.5v2.5M10 15v2.5M2.5 10H5M15 10h2.5M4.7 4.7l1.8 1.8M13.5 13.5l1.8 1.8M4.7 15.3l1.8-1.8M13.5 6.5l1.8-1.8',
  customers:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16.5c.4-2.9 2.5-4.5 5.5-4.5s5.1 1.6 5.5 4.5M13 4a3 3 0 0 1 0 5.5M15 12.5c1.7.7 2.7 2 3 4',
  venues: 'M4 9v8h12V9M3 9l1.5-6h11L17 9zM8 17v-4h4v4',
  roll: 'M4 10a6 6 0 0 1 10.5-4L17 8M17 4v4h-4M16 10a6 6 0 0 1-10.5 4L3 12M3 16v-4h4',
  failures: 'M10 3l7.5 13.5h-15zM10 8.5v3.5M10 14.2v.01',
  copy: 'M7 7h9v10H7zM4 13V3h9',
} as const
export type IconName = keyof typeof paths

/** A decorative icon. The control has the name. */
export const Icon = ({ name }: { name: IconName }): JSX.Element => (
  <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
    <path
      d={paths[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
)
