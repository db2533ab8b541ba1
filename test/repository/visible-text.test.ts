import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as commandLine from '../../packages/cli/src/visible-text.ts'
import { describeResult } from '../../tools/cli/loader/report.ts'
import { toVisible, toVisibleLines } from '../../tools/cli/local/visible-text.ts'

const all = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join('')
const controls = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/u

test('each control character gets a visible mark, and all other characters stay', () => {
  for (const { toVisible: show } of [commandLine, { toVisible }]) {
    const shown = show(all)
    expect(controls.test(shown)).toBe(false)
    expect(shown).toContain('␀␁')
    expect(shown).toContain('~␡\\u0080\\u0081')
    expect(shown.replace(/[\u2400-\u2421]|\\u[0-9a-f]{4}/g, '')).toBe(all.replace(new RegExp(controls, 'gu'), ''))
  }
})

test('line breaks of the program stay', () => {
  expect(toVisibleLines('a\n\u001bb')).toBe('a\n␛b')
  expect(JSON.parse(commandLine.toVisibleJson(JSON.stringify({ all }, undefined, 2)))).toEqual({ all })
})

test('the report of a loaded catalogue has no control characters of its rows or of the service', () => {
  const hostile = '\u001b]52;c;x\u0007\u009b\r'
  const rejected = {
    ...{ list: 'products' as const, place: 'products[0]', title: hostile, source: {}, reasons: [hostile] },
    ...{ filled: [], emptied: [], lost: [] },
  }
  const loaded = { ...rejected, place: 'products[1]', reasons: [], derivedCode: hostile, lost: [rejected] }
  const text = describeResult({ products: [] }, { rows: [rejected, loaded], stopped: hostile })
  expect(text).toContain('␛]52;c;x')
  expect(text.replaceAll('\n', '')).not.toMatch(controls)
})

test('errors of our commands are printed so too', () => {
  const source = readFileSync('tools/cli/cli-error.ts', 'utf8')
  expect(source).toContain('console.error(toVisibleLines(message))')
})
