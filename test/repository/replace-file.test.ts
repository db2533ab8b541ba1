import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replaceFile } from '../../tools/cli/build/replace-file.ts'

test('others who list and read a folder see finished files only, however many write', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'replace-file-'))
  const names = Array.from({ length: 10 }, (_, index) => `page-${index}.html`)
  const contents = ['a', 'b', 'c'].map((letter) => letter.repeat(200_000))
  const isWriting = { current: true }
  const seen = new Set<string>()
  const read = async () => {
    while (isWriting.current)
      for (const name of await readdir(folder)) {
        const content = await readFile(join(folder, name), 'utf8')
        seen.add(contents.includes(content) ? name : `${name} with ${content.length} characters`)
      }
  }
  const reading = read()
  await Promise.all(contents.flatMap((content) => names.map((name) => replaceFile(join(folder, name), content))))
  for (const name of names) await replaceFile(join(folder, name), contents[0] ?? '')
  isWriting.current = false
  await reading
  expect((await readdir(folder)).sort()).toEqual(names)
  expect([...seen].filter((name) => !names.includes(name))).toEqual([])
  await rm(folder, { recursive: true })
})
