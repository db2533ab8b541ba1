import { expect, test } from 'vitest'
import page from '../../docs/console.md?raw'
import build from '../../tools/cli/build/console.ts?raw'

test('the page names the browsers for which the console is built', () => {
  const [, chrome, firefox, safari] = /target: \['chrome(.+)', 'firefox(.+)', 'safari(.+)'\]/.exec(build) ?? []
  expect(chrome).toBeDefined()
  expect(page).toContain(`| Console | ${chrome} | ${firefox} | ${safari} |`)
})
