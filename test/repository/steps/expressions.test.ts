import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

/** Regular expressions in a source. */
const literal =
  /(?<=[(=,:&|!?[]\s*|^\s*|return )\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)+\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)+\])*)\/([a-z]*)/gm
const some = String.raw`(?:\\[swdSWD]|\\[pP]\{\w+\}|\.|\[(?:[^\]\\]|\\.)+\])(?:[*+]|\{\d+,\})`
/** Begins with a repetition and goes on, so that each place of a long run is tried up to the end of the run. */
const beginsWithRun = new RegExp(String.raw`^(?:\((?:\?:)?)*${some}(?!\)?$)`)
/** Has two runs of blanks beside a line break, which is a blank itself. */
const hasTwoRuns = /\\s[*+]\\[nr]\\s[*+]/

/** Searches from each opening character to the end, because the text between may contain further ones. */
function searchesAgain(source: string): boolean {
  for (const [, open = '', between = ''] of source.matchAll(
    /(?:^|\|)(\\?[[({"'<])\[\^((?:[^\]\\]|\\.)+)\][*+](?!\)?(?:$|\|))/g,
  )) {
    if (!between.includes(open.replace('\\', ''))) return true
  }
  return false
}

const isUnfit = (source: string, flags: string) =>
  !flags.includes('y') && (beginsWithRun.test(source) || hasTwoRuns.test(source) || searchesAgain(source))

test('a regular expression that reads a file searches no part of a long run again from each of its places', () => {
  const found = globSync('src/bulk/{csv,files,import}/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(resolve(root, file), 'utf8').matchAll(literal)].map(([, source = '', flags = '']) => ({
      file,
      source,
      flags,
    })),
  )
  expect(found.length).toBeGreaterThan(50)
  expect(found.filter(({ source, flags }) => isUnfit(source, flags))).toEqual([])
})

test.each([
  [String.raw`\s*\n\s*`, true],
  [String.raw`\s*%$`, true],
  [String.raw`([\w:.-]+)\s*=`, true],
  [String.raw`^\s*\{\s*\n\s*\{`, true],
  [String.raw`"[^"]*"|\[[^\]]*\]`, true],
  [String.raw`\s+`, false],
  [String.raw`[^\d]+`, false],
  [String.raw`^\s*\{`, false],
  [String.raw`(?<=\s)([\w:.-]+)\s*=`, false],
  [String.raw`"[^"]*"|\[[^[\]]*\]`, false],
])('%s is unfit: %s', (source, expected) => expect(isUnfit(source, '')).toBe(expected))
