import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBuilt, recordBuild } from '../../tools/cli/build/source-hash.ts'

let folder: string
const write = async (name: string, content: string) => {
  await mkdir(join(folder, name, '..'), { recursive: true })
  await writeFile(join(folder, name), content)
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'source-hash-'))
  await write('src/index.ts', 'one')
  await write('docs/guide.md', 'two')
  await recordBuild(folder, async () => {
    await write('dist/worker/index.mjs', 'built')
    await write('public/guide.html', 'built')
  })
})
afterEach(() => rm(folder, { recursive: true }))

test('a build is current until a source changes, comes or goes', async () => {
  expect(isBuilt(folder)).toBe(true)
  await write('src/index.ts', 'eno')
  expect(isBuilt(folder)).toBe(false)
  await write('src/index.ts', 'one')
  expect(isBuilt(folder)).toBe(true)
  await write('console/main.ts', '')
  expect(isBuilt(folder)).toBe(false)
  await rm(join(folder, 'console'), { recursive: true })
  await rm(join(folder, 'docs/guide.md'))
  expect(isBuilt(folder)).toBe(false)
})

test('a build is not current if one of its files is missing', async () => {
  await rm(join(folder, 'public/guide.html'))
  expect(isBuilt(folder)).toBe(false)
})

test('a build during which a source changes, or that fails, is not current', async () => {
  await recordBuild(folder, () => write('src/index.ts', 'newer'))
  expect(isBuilt(folder)).toBe(false)
  await write('src/index.ts', 'newest')
  await expect(recordBuild(folder, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(isBuilt(folder)).toBe(false)
})
