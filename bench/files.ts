import { strToU8, zipSync } from 'fflate'
import type { Import } from '../packages/client/src/client.ts'
import { connect, measureNeighbour, measureSeconds } from './neighbour.ts'
import type { Running } from './platform.ts'
import { createMerchant, fullProduct } from './seed.ts'

const rows = 20_000
const warmUpRows = 2_000
const numbers = Array.from({ length: rows }, (_, n) => n)

/** A table in German. */
const csv = (toPrice: (n: number) => string, count = rows) =>
  `Artikel;Art.-Nr.;Preis;Beschreibung\n${numbers
    .slice(0, count)
    .map((n) => `Gericht ${n};SKU-${n};${toPrice(n)};Mit Brot und Salat\n`)
    .join('')}`

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
function createXlsx(): Blob {
  const head = `<row>${['Artikel', 'Art.-Nr.', 'Preis', 'Beschreibung'].map(cell).join('')}</row>`
  const body = numbers.map(
    (n) =>
      `<row>${cell(`Gericht ${n}`)}${cell(`SKU-${n}`)}<c><v>${(n % 90) + 1.5}</v></c>${cell('Mit Brot und Salat')}</row>`,
  )
  const bytes = zipSync({
    'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="Liste" r:id="a"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${head}${body.join('')}</sheetData></worksheet>`),
  })
  return new Blob([Uint8Array.from(bytes)])
}

const files = {
  CSV: () => csv((n) => `${(n % 90) + 1},50`),
  'CSV again': () => csv((n) => `${(n % 90) + 1},50`),
  xlsx: createXlsx,
  'CSV, an issue in each row': () => csv(() => 'viel'),
  'CSV in another currency': () => csv((n) => `US$ ${(n % 90) + 1}.50`),
}

/**
 * Measures the import of each file whose name contains `wanted`, from its upload to its last row, beside the requests of another merchant.
 */
export async function measureFiles(running: Running, wanted: string): Promise<string[][]> {
  const neighbour = await createMerchant(running)
  const { id } = await neighbour.post('/products', fullProduct())
  const table: string[][] = []
  // Code and caches of the first import are no memory of the rows.
  await connect(running, await createMerchant(running)).import(
    undefined,
    csv(() => '1,50', warmUpRows),
    {
      mapping: 'auto',
      apply: true,
    },
  )
  let idle = await measureNeighbour(running, neighbour, id)
  for (const [name, create] of Object.entries(files)) {
    if (!name.includes(wanted)) continue
    const client = connect(running, await createMerchant(running))
    const content = create()
    const before = await running.memory()
    let most = before
    const memory = setInterval(async () => {
      most = Math.max(most, await running.memory())
    }, 250)
    let ended: Import | undefined
    const importing = measureSeconds(async () => {
      ended = await client.import(undefined, content, { mapping: 'auto', apply: true })
    })
    const during = await measureNeighbour(running, neighbour, id, importing)
    const seconds = await importing
    clearInterval(memory)
    // The machine may have other work: before and after are measured too.
    const after = await measureNeighbour(running, neighbour, id)
    if (ended === undefined || ended.created + ended.failed < rows) throw new Error(`${name} ended as ${ended?.state}`)
    const figures = [`${(rows / seconds).toFixed(0)}`, `+${(most - before).toFixed(0)} MB`, `${during.toFixed(1)} ms`]
    const around = `${idle.toFixed(1)} ms, ${after.toFixed(1)} ms`
    table.push([`${name}: ${ended.created} created, ${ended.failed} left out`, ...figures, around])
    idle = after
  }
  return table
}
