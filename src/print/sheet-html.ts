import { html, raw } from 'hono/html'
import { createPagePolicy } from '../lib/content-security-policy.ts'
import { toSvgPath } from '../qr/qr-routes.ts'
import { quietZone } from '../qr/symbol.ts'
import {
  type Card,
  formats,
  type Layout,
  layouts,
  type Sheet,
  safeMargin,
  toCardLabel,
  toPages,
  waves,
} from './layout.ts'

const toMillimetres = (length: number) => `${Number(length.toFixed(2))}mm`

/** Style sheet for one paper format. Black areas are SVG: browsers do not print backgrounds. */
function createStyles({ format, layout: name }: Pick<Sheet, 'format' | 'layout'>): string {
  const paper = formats[format]
  const layout = layouts[name](format)
  const band = ({ top, height, points }: Layout['label']) =>
    `top:${toMillimetres(top)};height:${toMillimetres(height)};font-size:${points}pt`
  const { symbol, mark, width, height } = layout
  const left = (width - symbol.size) / 2
  return [
    `@page{size:${paper.name} portrait;margin:0}`,
    '*{box-sizing:border-box}',
    'body{margin:0;color:#000;background:#fff;font-family:Helvetica,Arial,system-ui,sans-serif}',
    'h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}',
    `.page{width:${toMillimetres(paper.width)};height:${toMillimetres(paper.height)};overflow:hidden;display:grid;grid-template-columns:repeat(${layout.columns},${toMillimetres(width)});gap:${toMillimetres(layout.gap)};place-content:center}`,
    // Fixed rows: cards of an incomplete last page have the same positions as on other pages.
    `.page{grid-template-rows:repeat(${layout.rows},${toMillimetres(layout.isFolded ? 2 * height : height)})}`,
    '.page+.page{break-before:page}',
    '.card{outline:.1mm solid #999;outline-offset:-.05mm}',
    `.face{position:relative;width:${toMillimetres(width)};height:${toMillimetres(height)};overflow:hidden}`,
    '.turned{transform:rotate(180deg);border-top:.1mm dashed #999}',
    `.face p{position:absolute;left:${toMillimetres(safeMargin)};right:${toMillimetres(safeMargin)};margin:0;overflow:hidden;text-align:center;line-height:1.15;display:flex;align-items:center;justify-content:center}`,
    '.face bdi{overflow:hidden;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1}',
    '.face .long{-webkit-line-clamp:2}',
    '.face p:has(.long){line-height:1}',
    `.test{position:absolute;top:0;left:0;width:100%;height:${toMillimetres(layout.test.height)}}`,
    `.test text{font:bold ${layout.test.points}pt Helvetica,Arial,sans-serif}`,
    `.face .label{${band(layout.label)};font-weight:bold}`,
    `.label .long{font-size:${layout.label.points * 0.62}pt}`,
    `.face .code{${band(layout.code)};font-weight:bold;font-family:monospace}`,
    `.face .venue{${band(layout.venue)};font-weight:bold}`,
    `.venue .long{font-size:${layout.venue.points * 0.62}pt}`,
    `.symbol{position:absolute;top:${toMillimetres(symbol.top)};left:${toMillimetres(left)};width:${toMillimetres(symbol.size)};height:${toMillimetres(symbol.size)}}`,
    `.nfc{position:absolute;top:${toMillimetres(symbol.top + symbol.size / 2 - 0.7 * mark)};right:${toMillimetres((left - mark) / 2)};width:${toMillimetres(mark)};height:${toMillimetres(1.5 * mark)}}`,
    '.nfc{overflow:visible}',
    '.nfc text{font:bold 8px Helvetica,Arial,sans-serif}',
    '.none{padding:2cm}',
    `@media screen{body{background:#ddd}.page{margin:5mm auto;background:#fff}}`,
  ].join('\n')
}

const arcs = waves.map(({ from, by, to }) => `M${from.join(' ')}C${[...by, ...to].join(' ')}`).join('')
const nfcMark = raw(
  `<svg class="nfc" viewBox="0 0 20 30" role="img" aria-label="NFC"><path d="${arcs}" fill="none" stroke="#000" stroke-width="2" stroke-linecap="round"/><text x="10" y="29" text-anchor="middle">NFC</text></svg>`,
)
const testMark = raw(
  '<svg class="test" role="img" aria-label="TEST"><rect width="100%" height="100%"/><text x="50%" y="50%" fill="#fff" text-anchor="middle" dominant-baseline="central">TEST</text></svg>',
)

/** Renders a merchant's text, whose language is unknown. Texts above `maxLength` characters take two lines. */
const renderText = (text: string, maxLength: number) =>
  html`<bdi dir="auto" lang="" class="${text.length > maxLength ? 'long' : 'short'}">${text}</bdi>`

/** Longest label and name of a venue on one line, in characters. */
const maxLabelLength = 18
const maxVenueLength = 26

function renderFace(card: Card, venue: string) {
  const modules = card.matrix.length + 2 * quietZone
  return html`${card.isTest ? testMark : ''}<p class="label">${renderText(toCardLabel(card.entries), maxLabelLength)}</p>
<svg class="symbol" viewBox="0 0 ${modules} ${modules}" role="img" aria-label="QR code"><path d="${raw(toSvgPath(card.matrix, quietZone))}"/></svg>
<p class="code">${card.code}</p><p class="venue">${renderText(venue, maxVenueLength)}</p>${card.hasNfc ? nfcMark : ''}`
}

const renderCard = (card: Card, { isFolded }: Layout, venue: string) =>
  html`<article class="card">${isFolded ? html`<div class="face turned" aria-hidden="true">${renderFace(card, venue)}</div>` : ''}
<div class="face">${renderFace(card, venue)}</div></article>`

/** Renders a sheet as HTML, and its content security policy: only its own style sheet is allowed. */
export async function renderSheetHtml(sheet: Sheet): Promise<{ body: string; policy: string }> {
  const style = createStyles(sheet)
  const layout = layouts[sheet.layout](sheet.format)
  const pages = toPages(sheet.cards, layout).map(
    (cards) => html`<section class="page">${cards.map((card) => renderCard(card, layout, sheet.venue))}</section>`,
  )
  const content = sheet.cards.length > 0 ? pages : html`<p class="none">There are no tags to print.</p>`
  const body = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>QR codes: ${sheet.venue}</title><style>${raw(style)}</style></head>
<body><main><h1>QR codes: <bdi lang="">${sheet.venue}</bdi></h1>${content}</main></body></html>`
  return { body: String(body), policy: await createPagePolicy({ style }) }
}
