import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { slowFiles } from '../support/slowest-first.ts'

test('the files that start first exist, each once', () => {
  const files = new Set(globSync('test/**/*.test.ts').map((file) => file.replaceAll('\\', '/')))
  expect(slowFiles.filter((file) => !files.has(file))).toEqual([])
  expect(new Set(slowFiles).size).toBe(slowFiles.length)
})
