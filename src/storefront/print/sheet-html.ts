import { html, raw } from 'hono/html'
import { createPagePolicy } from '../../platform/lib/content-security-policy.ts'
import { getDirection } from '../pages/locale.ts'
import { icon } from '../pages/page.ts'
import { toSvgPath } from '../qr/drawing.ts'
import { quietZone } from '../qr/quiet-zone.ts'
import { type Card, type SheetContent, setCase, toCardTexts, toPages, waves } from './cards.ts'
import { chooseLabel, createMeasure, fitTexts, isCovered, toLines } from './fit-text.ts'
import { placeLayout, type Sheet } from './layouts.ts'
import { createCardStyles } from './look/card-styles.ts'
import type { Box, TextBox } from './look/geometry.ts'
import { getPaperLook } from './look/paper-colors.ts'
import { hasRoomForNotes, listNotes, showsArea } from './notes.ts'

const toMillimetres = (length: number) => `${Number(length.toFixed(3))}mm`
const place = ({ left, top, width, height }: Box) =>
  `left:${toMillimetres(left)};top:${toMillimetres(top)};width:${toMillimetres(width)};height:${toMillimetres(height)}`

const lines = {
  line: '.card{outline:.1mm solid #999;outline-offset:-.05mm}',
  circle: '.card{border-radius:50%;outline:.1mm solid #999;outline-offset:-.05mm}',
  // For the preview only: the stock is already cut, and printers do not match its edges exactly.
  none: '@media screen{.card{outline:.1mm dashed #bbb}}',
} as const

/** Style sheet for one layout. Black areas are SVG: browsers do not print backgrounds. */
function createStyles(
  { layout, paper, margin }: Sheet,
  texts: Readonly<Record<string, TextBox>>,
  content: SheetContent,
) {
  const { symbol, logo, mark, plate, width, height, columns, rows, pitch } = layout
  const slots = Array.from(
    { length: columns * rows },
    (_, index) =>
      `.card:nth-child(${index + 1}){left:${toMillimetres(margin.left + (index % columns) * pitch.x)};top:${toMillimetres(margin.top + Math.floor(index / columns) * pitch.y)}}`,
  )
  return [
    `@page{size:${paper.name} ${layout.isLandscape ? 'landscape' : 'portrait'};margin:0}`,
    '*{box-sizing:border-box}',
    'body{margin:0;color:#000;background:#fff}',
    'h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}',
    `.page{position:relative;width:${toMillimetres(paper.width)};height:${toMillimetres(paper.height)};overflow:hidden}`,
    '.page+.page{break-before:page}',
    '.card{position:absolute}',
    ...slots,
    lines[layout.cut],
    `.face{position:relative;width:${toMillimetres(width)};height:${toMillimetres(height)};overflow:hidden}`,
    '.turned{transform:rotate(180deg);border-top:.1mm dashed #999}',
    '.face>*{position:absolute;margin:0}',
    '.face p{display:flex;flex-direction:column;align-items:center;justify-content:center;text-align:center;line-height:1.2}',
    '.face bdi{flex:none;max-width:100%;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}',
    ...Object.entries(texts).map(([name, box]) => `.${name}{${place(box)};font-size:${box.points}pt}`),
    ...createCardStyles(content, texts),
    `.test text{font:bold ${layout.test.points}pt Helvetica,Arial,sans-serif}`,
    `.plate{${place(plate)};overflow:visible}`,
    `.symbol{${place({ ...symbol, width: symbol.size, height: symbol.size })}}`,
    `.logo{${place(logo)};object-fit:contain}`,
    `.nfc{${place({ ...mark, height: 1.5 * mark.width })};overflow:visible}`,
    '.nfc text{font:bold 8px Helvetica,Arial,sans-serif}',
    `.notes{margin:0;font-size:7pt;line-height:1.3;text-align:center}.page>.notes{position:absolute;left:10mm;right:10mm;bottom:4mm}`,
    '.page>.alone{top:2cm;bottom:auto;font-size:12pt}',
    '@media screen{body{background:#ddd}.page{margin:5mm auto;background:#fff}}',
  ].join('\n')
}

const arcs = waves.map(({ from, by, to }) => `M${from.join(' ')}C${[...by, ...to].join(' ')}`).join('')
const nfcMark = raw(
  `<svg class="nfc" viewBox="0 0 20 30" role="img" aria-label="NFC"><path d="${arcs}" fill="none" stroke="#000" stroke-width="2" stroke-linecap="round"/><text x="10" y="29" text-anchor="middle">NFC</text></svg>`,
)
const testMark = raw(
  '<svg class="test" role="img" aria-label="TEST"><rect width="100%" height="100%"/><text x="50%" y="50%" fill="#fff" text-anchor="middle" dominant-baseline="central">TEST</text></svg>',
)

/** Renders the area in the color of the venue, or the lines above and below it. */
function renderPlate({ plate: { width, height } }: Sheet['layout'], content: SheetContent) {
  const { plate, edge, corner, accent } = getPaperLook(content)
  const shape =
    plate === undefined
      ? `<path d="M0 0H${width}M0 ${height}H${width}" stroke="${accent}" stroke-width=".25"/>`
      : `<rect width="${width}" height="${height}" rx="${corner * height}" fill="${plate}"${edge === undefined ? '' : ` stroke="${edge}" stroke-width=".2"`}/>`
  return raw(`<svg class="plate" viewBox="0 0 ${width} ${height}" aria-hidden="true">${shape}</svg>`)
}

/** Renders the faces of cards. */
function createFaceRenderer(content: SheetContent, { layout }: Sheet, texts: ReturnType<typeof fitTexts>) {
  const { venue, logo, address, text, messages } = content
  const measure = createMeasure(content)
  /** Renders a merchant's text, whose language is unknown. */
  const renderLines = (text: string, box: TextBox) =>
    toLines(text, box, measure).map((line) => html`<bdi dir="auto" lang="">${line}</bdi>`)
  const scan =
    text === undefined
      ? toLines(messages.scan, texts.scan, measure).map((line) => html`<bdi>${line}</bdi>`)
      : renderLines(text, texts.scan)
  const isNamed = logo === undefined || !layout.logoIsName
  const picture = logo === undefined ? '' : html`<img class="logo" src="${logo}" alt="${isNamed ? '' : venue}">`
  const name = isNamed ? html`<p class="venue">${renderLines(setCase(venue, content), texts.venue)}</p>` : ''
  const typed = html`<p class="address" dir="ltr"><bdi>${address}</bdi></p>`
  const plate = renderPlate(layout, content)
  return (card: Card) => {
    const modules = card.matrix.length + 2 * quietZone
    const { label, area } = toCardTexts(card, content)
    const box = chooseLabel(texts, label, area, measure)
    const isShown = (place: Box) => !card.isTest || !isCovered(layout, place)
    const table = html`${label === '' ? '' : plate}<p class="${box}">${renderLines(label, texts[box])}</p>${area === '' ? '' : html`<p class="area">${renderLines(area, texts.area)}</p>`}`
    return html`${table}
<svg class="symbol" viewBox="0 0 ${modules} ${modules}" role="img" aria-label="QR code"><path d="${raw(toSvgPath(card.matrix, quietZone))}"/></svg>
<p class="scan">${scan}</p>${isShown(layout.address) ? typed : ''}${isShown(layout.code) ? html`<p class="code" dir="ltr"><bdi>${card.code}</bdi></p>` : ''}${isShown(layout.logo) ? picture : ''}${isShown(layout.venue) ? name : ''}${card.hasNfc ? nfcMark : ''}${card.isTest ? testMark : ''}`
  }
}

/** Renders a sheet as HTML, and its content security policy, which allows only the sheet's own style sheet and the logo. */
export async function renderSheetHtml(content: SheetContent): Promise<{ body: string; policy: string }> {
  const sheet = placeLayout(content.layout, content.format, {
    hasLogo: content.logo !== undefined,
    hasArea: showsArea(content),
  })
  const { layout } = sheet
  const texts = fitTexts(layout, content, createMeasure(content))
  const style = createStyles(sheet, texts, content)
  const renderFace = createFaceRenderer(content, sheet, texts)
  const notes = listNotes(content, false)
  const hasNotesPage = notes.length > 0 && !hasRoomForNotes(sheet, content.cards)
  // An empty element for the position counts in `:nth-child`.
  const renderCard = (card: Card | undefined) =>
    card === undefined
      ? html`<div></div>`
      : html`<article class="card">${layout.isFolded ? html`<div class="face turned" aria-hidden="true">${renderFace(card)}</div>` : ''}
<div class="face">${renderFace(card)}</div></article>`
  const renderNotes = (isAlone: boolean) =>
    html`<div class="notes${isAlone ? ' alone' : ''}">${notes.map((note) => html`<p>${note}</p>`)}</div>`
  const pages = content.cards.length > 0 ? toPages(content.cards, layout, content.skip) : []
  const sections = pages.map(
    (cards, index) =>
      html`<section class="page">${cards.map(renderCard)}${index === 0 && notes.length > 0 && !hasNotesPage ? renderNotes(false) : ''}</section>`,
  )
  const { language, venue, messages } = content
  const body = await html`<!doctype html>
<html lang="${language}" dir="${getDirection(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${messages.sheet}: ${venue}</title><meta name="description" content="${messages.sheet}: ${venue}"><link rel="icon" href="${icon}"><style>${raw(style)}</style></head>
<body><main><h1>${messages.sheet}: <bdi lang="">${venue}</bdi></h1>${hasNotesPage ? html`<section class="page">${renderNotes(true)}</section>` : ''}${sections}</main></body></html>`
  return {
    body: String(body),
    policy: await createPagePolicy({ style, images: content.logo === undefined ? 'data:' : "'self' https: data:" }),
  }
}
