/** `node bench/print.ts`: time and size of QR codes and sheets. Times depend on the machine; tests assert the sizes. */

import { staffMessagesByLanguage } from '../src/storefront/pages/staff/languages.ts'
import { createCards, type SheetContent } from '../src/storefront/print/cards.ts'
import { getDefaultFormat, layoutNames } from '../src/storefront/print/layouts.ts'
import { renderSheetHtml } from '../src/storefront/print/sheet-html.ts'
import { renderSheetPdf } from '../src/storefront/print/sheet-pdf.ts'
import { toPng, toSvg } from '../src/storefront/qr/drawing.ts'
import { createSymbol, toSymbolText } from '../src/storefront/qr/symbol.ts'

const base = 'https://menu.example.com'
const text = toSymbolText(base, '4F7K9Q2MXR8TWN3B')
const drawing = { scale: 13, margin: 4 }
const cards = createCards(
  Array.from({ length: 50 }, (_, index) => ({
    code: `4F7K9Q2MXR8TW${String(index).padStart(3, '0')}`,
    entries: [{ key: 'table', value: String(index + 1) }],
    testMode: false,
    nfc: index % 2 === 0,
  })),
  base,
)
const sheet = {
  ...{ venue: 'Zum Löwen', language: 'de', messages: staffMessagesByLanguage.de, omitted: 0 },
  ...{ address: 'menu.example.com/t', cards },
} as const satisfies Partial<SheetContent>

async function measure(name: string, times: number, make: () => unknown) {
  const timesMs: number[] = []
  let size = 0
  for (let time = 0; time < times; time++) {
    const start = performance.now()
    const result = await make()
    timesMs.push(performance.now() - start)
    if (typeof result === 'string') size = new TextEncoder().encode(result).length
    else if (result instanceof Uint8Array) size = result.length
  }
  const [first = 0] = timesMs
  timesMs.sort((a, b) => a - b)
  const [median = 0, p99 = 0] = [timesMs[Math.floor(times / 2)], timesMs[Math.floor(times * 0.99)]]
  console.log(
    `${name.padEnd(24)} ${String(size).padStart(8)} bytes  median ${median.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  first ${first.toFixed(1)} ms`,
  )
}

await measure('svg', 2_000, () => toSvg(createSymbol(text), drawing))
await measure('png, 481 px', 2_000, () => toPng(createSymbol(text), drawing))
await measure('png, 2,035 px', 200, () => toPng(createSymbol(text), { scale: 55, margin: 4 }))
for (const layout of layoutNames) {
  const content = { ...sheet, layout, format: getDefaultFormat(layout) }
  await measure(`pdf, 50 ${layout}`, 50, () => renderSheetPdf(content, async () => new Map()))
  await measure(`html, 50 ${layout}`, 50, async () => (await renderSheetHtml(content)).body)
}
