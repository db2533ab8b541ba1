import { expect, test } from 'vitest'
import { nameShared, shorten } from '../../tools/cli/build/console-names.ts'

const first = {
  path: '/console/chunk-A.js',
  text: 'function h(a){return a}const language={};h(h(language));export{h,language};',
}
const second = {
  path: '/console/chunk-B.js',
  text: 'import{h,language as other}from"/console/chunk-A.js";const api=()=>h(other);export{api as client,other as language};',
}
const screen = {
  path: '/console/lists-C.js',
  text: 'import"/console/chunk-A.js";import{client,language}from"/console/chunk-B.js";console.log(client(),language,"export{client}");export{client as default};',
}

test('files import what they share by the same short name', async () => {
  const shared = nameShared([screen, second, first])
  const names = ['h', 'language', 'client'].map((name) => shared.get(name) ?? '')
  expect(names.join('')).toMatch(/^[\w$]{3}$/)
  const [h, language, client] = names
  expect(await shorten(first.text, shared)).toContain(`export{${[h, language].sort().join(',')}}`)
  const written = await shorten(second.text, shared)
  const [imported, exported] = [...written.matchAll(/\{([^}]*)\}/g)].map(([, list = '']) => list.split(','))
  expect(imported?.map((entry) => entry.replace(/ as .*/, '')).sort()).toEqual([h, language].sort())
  expect(exported?.map((entry) => entry.replace(/.* as /, '')).sort()).toEqual([client, language].sort())
  const used = await shorten(screen.text, shared)
  expect(used).toContain(`import{${[language, client].sort().join(',')}}from"/console/chunk-B.js"`)
  expect(used).toContain('"export{client}"')
  expect(used).toContain(' as default}')
})

test('names of a file do not depend on files that import it', async () => {
  const before = nameShared([first, second, screen])
  const often = { ...screen, text: screen.text.replace('client(),', 'client(),language,'.repeat(9)) }
  const after = nameShared([often, { ...second, text: second.text.replace('h(other)', 'h(h(other))') }, first])
  for (const { text } of [first, second]) expect(await shorten(text, after)).toBe(await shorten(text, before))
})

test('files that share names without importing each other are rejected', () => {
  const foreign = { path: '/console/chunk-D.js', text: 'const store=1;export{store};' }
  expect(() => nameShared([first, foreign])).toThrow('/console/chunk-D.js must import /console/chunk-A.js')
})
