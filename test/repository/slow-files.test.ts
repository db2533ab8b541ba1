import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leftToCi, leftToPeople, listLeft } from '../support/left-to-ci.ts'
import { slowFiles } from '../support/slowest-first.ts'

const files = new Set(globSync('test/**/*.test.ts').map((file) => file.replaceAll('\\', '/')))

test.each([
  ['start first', slowFiles],
  ['are left to CI, or to people', [...leftToCi, ...leftToPeople]],
])('the files that %s exist, each once', (_, listed) => {
  expect(listed.filter((file) => !files.has(file))).toEqual([])
  expect(new Set(listed).size).toBe(listed.length)
})

test('a file that is left to CI runs in CI and when it is named; one that is left to people only when it is named', () => {
  const [ofCi = '', ofPeople = ''] = [leftToCi[0], leftToPeople[0]]
  const all = [...leftToCi, ...leftToPeople]
  expect(listLeft(['run'], false)).toEqual(all)
  expect(listLeft(['run'], true)).toEqual(leftToPeople)
  expect(listLeft(['run', ofCi, ofPeople], false)).toEqual(all.filter((file) => file !== ofCi && file !== ofPeople))
  expect(listLeft(['run', `/home/project/${ofPeople}`], true)).not.toContain(ofPeople)
})
