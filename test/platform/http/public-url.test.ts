import { expect, test } from 'vitest'
import { parsePublicUrl } from '../../../src/platform/http/public-url.ts'

test.each([
  ['https://menu.example.com', 'https://menu.example.com'],
  ['https://menu.example.com/', 'https://menu.example.com'],
  ['https://menu.example.com//', 'https://menu.example.com'],
  ['HTTPS://Menu.Example.com:8443', 'HTTPS://Menu.Example.com:8443'],
  ['http://localhost:8787', 'http://localhost:8787'],
  ['http://[::1]:8787', 'http://[::1]:8787'],
  ['https://m.example', 'https://m.example'],
])('accepts the origin %s', (text, origin) => expect(parsePublicUrl(text)).toMatchObject({ origin }))

test.each([
  ['menu.example.com', 'no scheme'],
  ['menu.example.com/path', 'no scheme'],
  ['localhost:8787', 'no scheme'],
  ['//menu.example.com', 'no scheme'],
  ['https:menu.example.com', 'no scheme'],
  ['mailto:a@b.example', 'no scheme'],
  ['ftp://menu.example.com', 'a scheme other than'],
  ['https://', 'no host'],
  ['https://menu.example.com:99999', 'no host'],
  ['https://a:b@menu.example.com', 'credentials'],
  ['https://@menu.example.com', 'credentials'],
  ['https://menu.example.com/menu', 'a path'],
  ['https://menu.example.com/menu/', 'a path'],
  ['https://menu.example.com?a', 'a query'],
  ['https://menu.example.com/#', 'a query'],
  [' https://menu.example.com', 'a blank'],
  ['https://menu.example.com\n', 'a blank'],
  ['https://menu.example.com\\a', 'a backslash'],
  ['', 'no scheme'],
])('rejects %j', (text, reason) => {
  const { issue } = parsePublicUrl(text)
  expect(issue).toMatch(/^PUBLIC_BASE_URL (?:has|contains) .*: it must be like https:\/\/menu\.example\.com\.$/)
  expect(issue).toContain(reason)
  if (text.length > 20 && !text.includes('//menu.example.com')) expect(issue).not.toContain(text)
})
