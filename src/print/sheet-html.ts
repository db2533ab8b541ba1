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

const millimetres = (length: number) => `${Number(length.toFixed(2))}mm`

/** Rules for paper of one format; what is drawn in black is SVG, since browsers leave out backgrounds when they print. */
function createStyles({ format, layout: name }: Pick<Sheet, 'format' | 'layout'>): string {
  const paper = formats[format]
  const layout = layouts[name](format)
  const band = ({ top, height, points }: Layout['label']) =>
    `top:${millimetres(top)};height:${millimetres(height)};font-size:${points}pt`
  const { symbol, mark, width, height } = layout
  const left = (width - symbol.size) / 2
  return [
    `@page{size:${paper.name} portrait;margin:0}`,
    '*{box-sizing:border-box}',
    'body{margin:0;color:#000;background:#fff;font-family:Helvetica,Arial,system-ui,sans-serif}',
    'h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}',
    `.page{width:${millimetres(paper.width)};height:${millimetres(paper.height)};overflow:hidden;display:grid;grid-template-columns:repeat(${layout.columns},${millimetres(width)});gap:${millimetres(layout.gap)};place-content:center}`,
    // A browser prints from the upper left, so that cards of a last page that is not full stand where they do on the others.
    `.page{grid-template-rows:repeat(${layout.rows},${millimetres(layout.isFolded ? 2 * height : height)})}`,
    '.page+.page{break-before:page}',
    '.card{outline:.1mm solid #999;outline-offset:-.05mm}',
    `.face{position:relative;width:${millimetres(width)};height:${millimetres(height)};overflow:hidden}`,
    '.turned{transform:rotate(180deg);border-top:.1mm dashed #999}',
    `.face p{position:absolute;left:${millimetres(safeMargin)};right:${millimetres(safeMargin)};margin:0;overflow:hidden;text-align:center;line-height:1.15;display:flex;align-items:center;justify-content:center}`,
    '.face bdi{overflow:hidden;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1}',
    '.face .long{-webkit-line-clamp:2}',
    '.face p:has(.long){line-height:1}',
    `.test{position:absolute;top:0;left:0;width:100%;height:${millimetres(layout.test.height)}}`,
    `.test text{font:bold ${layout.test.points}pt Helvetica,Arial,sans-serif}`,
    `.face .label{${band(layout.label)};font-weight:bold}`,
    `.label .long{font-size:${layout.label.points * 0.62}pt}`,
    `.face .code{${band(layout.code)};font-weight:bold;font-family:monospace}`,
    `.face .venue{${band(layout.venue)};font-weight:bold}`,
    `.venue .long{font-size:${layout.venue.points * 0.62}pt}`,
    `.symbol{position:absolute;top:${millimetres(symbol.top)};left:${millimetres(left)};width:${millimetres(symbol.size)};height:${millimetres(symbol.size)}}`,
    `.nfc{position:absolute;top:${millimetres(symbol.top + symbol.size / 2 - 0.7 * mark)};right:${millimetres((left - mark) / 2)};width:${millimetres(mark)};height:${millimetres(1.5 * mark)}}`,
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

/** Text of the merchant's, in a language that nobody told; what is long gets two lines. */
const renderText = (text: string, most: number) =>
  html`<bdi dir="auto" lang="" class="${text.length > most ? 'long' : 'short'}">${text}</bdi>`

function renderFace(card: Card, venue: string) {
  const modules = card.matrix.length + 2 * quietZone
  return html`${card.isTest ? testMark : ''}<p class="label">${renderText(toCardLabel(card.entries), 18)}</p>
<svg class="symbol" viewBox="0 0 ${modules} ${modules}" role="img" aria-label="QR code"><path d="${raw(toSvgPath(card.matrix, quietZone))}"/></svg>
<p class="code">${card.code}</p><p class="venue">${renderText(venue, 26)}</p>${card.hasNfc ? nfcMark : ''}`
}

const renderCard = (card: Card, { isFolded }: Layout, venue: string) =>
  html`<article class="card">${isFolded ? html`<div class="face turned" aria-hidden="true">${renderFace(card, venue)}</div>` : ''}
<div class="face">${renderFace(card, venue)}</div></article>`

/** The cards as a page to print, and the policy that lets nothing but its own style do anything. */
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
