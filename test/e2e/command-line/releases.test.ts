import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConnectedCommandLine, connectCommandLine } from './install.ts'

let cli: ConnectedCommandLine
beforeAll(async () => {
  cli = await connectCommandLine()
})
afterAll(() => cli?.remove())

test('a release is made from a file, checked, scheduled and published', async () => {
  const { id } = await cli.typeJson('products', 'create', 'title=Soup', 'price=3')
  const operations = [
    { op: 'update', resource: 'products', id, body: { price: 4 } },
    { op: 'create', resource: 'products', body: { title: 'Pie', price: 7 } },
  ]
  await writeFile(cli.path('autumn.json'), JSON.stringify(operations))
  const release = await cli.typeJson('releases', 'create', 'autumn.json', '--title', 'Autumn')
  expect(release).toMatchObject({ title: 'Autumn', state: 'draft', changes: 2 })
  const checked = await cli.type('releases', 'check', release.id)
  expect([checked.code, checked.output]).toEqual([0, expect.stringContaining('update Soup\n  /body/price: 3 → 4\n')])
  const time = new Date(Date.now() + 86_400_000).toISOString()
  const preview = (await cli.type('releases', 'preview', release.id, '--at', time)).output
  expect(preview).toMatch(/\/m\/mer_\w+\?\S*release=/)
  const listed = (await cli.type('releases', 'operations', release.id)).output
  expect(listed).toMatch(new RegExp(`^update +products +${id} +Soup *$`, 'm'))
  expect(await cli.typeJson('releases', 'schedule', release.id, time)).toMatchObject({
    state: 'scheduled',
    publishAt: Math.floor(Date.parse(time) / 1000),
  })
  expect(await cli.typeJson('releases', 'schedule', release.id, 'never')).toMatchObject({ state: 'draft' })
  expect((await cli.type('releases', 'schedule', release.id, '2026-10-02T06:00')).code).not.toBe(0)
  await cli.typeJson('products', 'update', id, 'price=5')
  const conflicting = await cli.type('releases', 'check', release.id)
  expect([conflicting.code, conflicting.output]).toEqual([1, expect.stringContaining(`Conflict: ${id}/body/price`)])
  expect((await cli.type('releases', 'publish', release.id)).output).toMatch(/^409 release_conflict/)
  expect(await cli.typeJson('releases', 'publish', release.id, '--overwrite')).toMatchObject({ state: 'published' })
  expect(await cli.typeJson('products', 'get', id)).toMatchObject({ price: 4 })
  expect(await cli.typeJson('releases', 'revert', release.id)).toMatchObject({ kind: 'undo', conflicts: [] })
  expect(await cli.typeJson('products', 'get', id)).toMatchObject({ price: 5 })
  expect((await cli.type('releases', 'list')).output).toMatch(new RegExp(`^${release.id} +Autumn +published`, 'm'))
})

test('a file with a fault leaves no release behind', async () => {
  const count = async () => (await cli.typeJson('releases', 'list')).length
  const before = await count()
  for (const operation of [{ op: 'move' }, { op: 'create', resource: 'products', body: { price: 1 } }]) {
    await writeFile(cli.path('faulty.json'), JSON.stringify([operation]))
    expect((await cli.type('releases', 'create', 'faulty.json')).code).not.toBe(0)
  }
  expect(await count()).toBe(before)
})
