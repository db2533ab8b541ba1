import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConnectedCommandLine, connectCommandLine, runAgainst } from './install.ts'

let cli: ConnectedCommandLine
beforeAll(async () => {
  cli = await connectCommandLine()
})
afterAll(() => cli?.remove())

interface Product {
  title: string
  price: number
  description?: string
}
const listProducts = async (q: string) => {
  const products: Product[] = await cli.typeJson('products', 'list', `q=${q}`)
  return products.map(({ title, price, description }) => [title, price, description]).sort()
}

describe('a file of another system', () => {
  test('is described, previewed and written with --yes', async () => {
    const lines = ['Artikel;Preis;Kategorie;Notiz', 'Zimtschnecke;2,40;Gebäck;x', 'Mohnschnecke;gratis;Gebäck;x', '']
    await writeFile(cli.path('liste.csv'), lines.join('\n'), 'latin1')
    const checked = await cli.type('import', 'liste.csv')
    expect(checked.code).toBe(1)
    for (const line of [
      /^Read as csv, windows-1252, separated by ";"$/m,
      /^ {2}Artikel → title {2}\(Zimtschnecke · Mohnschnecke\)$/m,
      /^ {2}Notiz → left out {2}\(x\)$/m,
      /^Menu: Menu \(1 section\)$/m,
      /^1 new, 0 changed, 0 unchanged, 1 left out$/m,
      /^2 +Zimtschnecke +2.4 +Gebäck$/m,
      /^3 +invalid_type +must be a number +Preis +gratis$/m,
      /^state +ready$/m,
    ]) {
      expect(checked.output).toMatch(line)
    }
    expect(await listProducts('schnecke')).toEqual([])
    const written = await cli.type(
      'import',
      'liste.csv',
      '--menu',
      'none',
      '--map',
      'Notiz=description',
      '--map',
      'Kategorie=',
      '--yes',
    )
    expect(written).toMatchObject({ code: 1, output: expect.stringMatching(/^created +1$/m) })
    expect(await listProducts('Zimtschnecke')).toEqual([['Zimtschnecke', 2.4, 'x']])
  })

  test('with an open question is not written, and the answer is an option', async () => {
    await writeFile(cli.path('asia.csv'), 'title;price\nRendang;27.500\n')
    const asked = await cli.type('import', 'asia.csv', '--yes')
    expect(asked).toMatchObject({
      code: 1,
      output: expect.stringContaining('such as 27.500? (price) Answer with --number-format point or comma.'),
    })
    expect(await cli.typeJson('import', 'asia.csv', '--number-format', 'comma', '--apply')).toMatchObject({
      state: 'done',
      created: 1,
    })
    expect(await listProducts('Rendang')).toEqual([['Rendang', 27500, undefined]])
  })

  test('that deletes much needs the number', async () => {
    await writeFile(cli.path('old.csv'), 'externalId,title,price\nX,One,1\nY,Two,1\nZ,Three,1\n')
    expect((await cli.type('import', 'old.csv', '--apply')).code).toBe(0)
    await writeFile(cli.path('new.csv'), 'externalId,title,price\nX,One,1\n')
    const words = ['import', 'new.csv', '--delete-missing', '--apply']
    expect(await cli.type(...words)).toMatchObject({
      code: 5,
      output: expect.stringContaining('would delete 2 objects'),
    })
    expect((await cli.type(...words, '--confirm-deletes', '1')).code).toBe(5)
    expect(await cli.typeJson(...words, '--confirm-deletes', '2')).toMatchObject({ state: 'done', deleted: 2 })
  })

  test.each([
    ['--number-format both', '--number-format must be point, comma.'],
    ['--map Preis', '--map must be COLUMN=FIELD'],
    ['--match name', '--match must be auto, externalId, id, sku, title.'],
  ])('is not sent with %s', async (words, message) => {
    await writeFile(cli.path('one.csv'), 'title,price\nTea,1\n')
    const { code, output, received } = await runAgainst(
      cli,
      () => [200, {}],
      `merchant-ordering import one.csv ${words}`,
    )
    expect([code, received.length, output]).toEqual([2, 0, expect.stringContaining(message)])
  })
})
