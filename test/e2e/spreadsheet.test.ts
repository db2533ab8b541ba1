import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../support/service.ts'
import { startService } from './shared-service.ts'

/** Whether LibreOffice is here. Without it, the tests read spreadsheets that it has saved. */
function hasOffice(): boolean {
  try {
    return execFileSync('soffice', ['--version']).length > 0
  } catch {
    return false
  }
}
const isInstalled = hasOffice()
/** `UPDATE_SPREADSHEETS=1` saves the spreadsheets of this run for machines without LibreOffice. */
const isUpdating = process.env['UPDATE_SPREADSHEETS'] === '1'
const saved = resolve(import.meta.dirname, 'spreadsheets')

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'spreadsheet-'))
})
afterAll(async () => {
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Objects whose values a spreadsheet would change if their cells had the wrong type. */
const objects = {
  products: [
    {
      title: 'Käse; "Brot", 日本',
      price: 1234.5,
      sku: '007',
      upc: '0001234567890',
      description: '=SUM(A1)\nzwei – Zeilen €',
    },
    { title: '1,5', price: 0.1, sku: '1E5', visible: false, taxRate: 7.5, useCustomTaxRate: true },
    { title: 'true', price: 12, manageStock: true, stockQuantity: 3, metadata: [{ key: 'Herkunft', value: '03.05' }] },
  ],
  customers: [{ firstName: 'Ana', lastName: 'Sá', phone: '+49 30 1234567', email: 'ana@example.com' }],
  coupons: [{ title: 'Zehn', code: '0010', type: 'PERCENTAGE', value: 10.5 }],
  tags: [
    {
      metadata: [
        { key: 'Table', value: '01' },
        { key: 'Area', value: 'Hof' },
      ],
    },
  ],
}

/** Opens a spreadsheet and saves it, in the language of a country. */
async function save(locale: string, content: Uint8Array): Promise<Uint8Array> {
  const profile = join(folder, `profile-${locale}`)
  await mkdir(join(profile, 'user'), { recursive: true })
  const item = `<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item>`
  const names = 'xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
  await writeFile(
    join(profile, 'user/registrymodifications.xcu'),
    `<?xml version="1.0" encoding="UTF-8"?><oor:items ${names}>${item}</oor:items>`,
  )
  const file = join(folder, 'export.xlsx')
  await writeFile(file, content)
  const words = [`-env:UserInstallation=file://${profile}`, '--headless', '--convert-to', 'xlsx:Calc MS Excel 2007 XML']
  await promisify(execFile)('soffice', [...words, '--outdir', join(folder, locale), file])
  return readFile(join(folder, locale, 'export.xlsx'))
}

test.each(['de-DE', 'en-US'])(
  'an export that LibreOffice has opened and saved in %s changes nothing',
  async (locale) => {
    const { id, key } = await service.createAccount()
    const path = `/merchants/${id}`
    for (const [resource, bodies] of Object.entries(objects)) {
      const operations = bodies.map((body, index) => ({ op: 'upsert', resource, externalId: `E${index}`, body }))
      expect((await service.call('POST', `${path}/batch`, key, { operations })).status).toBe(200)
    }
    const headers = { authorization: `Bearer ${key}` }
    const exported = await fetch(`${service.origin}${path}/export?format=xlsx`, { headers })
    const fixture = join(saved, `${locale}.xlsx`)
    const content = isInstalled ? await save(locale, await exported.bytes()) : await readFile(fixture)
    if (isInstalled && isUpdating) await writeFile(fixture, content)
    const before = await (await fetch(`${service.origin}${path}/export`, { headers })).text()
    for (const [resource, bodies] of Object.entries(objects)) {
      const uploaded = await fetch(`${service.origin}${path}/imports?mapping=auto&apply=true&sheet=${resource}`, {
        ...{ method: 'POST', headers, body: content },
      })
      const { id: importId }: { id: string } = await uploaded.json()
      const retrieve = async () => (await service.call('GET', `${path}/imports/${importId}`, key)).body
      let found = await retrieve()
      while (['checking', 'applying'].includes(found.state)) {
        await wait(100)
        found = await retrieve()
      }
      const issues = (await service.call('GET', `${path}/imports/${importId}/errors`, key)).body
      expect([resource, found.state, found.unchanged, issues]).toEqual([resource, 'done', bodies.length, []])
    }
    const withoutTime = (text: string) => text.split('\n').slice(1, -2)
    expect(withoutTime(await (await fetch(`${service.origin}${path}/export`, { headers })).text())).toEqual(
      withoutTime(before),
    )
  },
  300_000,
)
