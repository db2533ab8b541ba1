import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { countChanges, nameChanges } from '../../tools/cli/release/release-changes.ts'

const cwd = resolve(import.meta.dirname, '../..')
const example = `# Changelog

## Unreleased

### Security

- Secrets are scrubbed.

### Added

- Console: a screen of people,
  with roles.
- List products by label.

### Changed

- **Breaking:** imports keep counters.
- The client has fewer bytes.

## 0.1.0

- First version.
`

test('a version has what breaks first, then security, then its areas', () => {
  expect(nameChanges(example, '0.2.0 (2026-12-01)', { isGrouped: true })).toBe(`# Changelog

## 0.2.0 (2026-12-01)

### What breaks

- **Breaking:** imports keep counters.

### Security

- Secrets are scrubbed.

### API

#### Added

- List products by label.

### Console

#### Added

- Console: a screen of people,
  with roles.

### Client, command line and MCP server

#### Changed

- The client has fewer bytes.

## 0.1.0

- First version.
`)
  expect(() => nameChanges('# Changes\n', '0.2.0', { isGrouped: false })).toThrow('## Unreleased')
})

test('every entry of our change log is in the version, once', () => {
  const changes = readFileSync(resolve(cwd, 'CHANGELOG.md'), 'utf8')
  const named = nameChanges(changes, '9.0.0 (2026-12-01)', { isGrouped: true })
  const sort = (text: string) =>
    text
      .split('\n')
      .filter((line) => /^(?:- | {2})/.test(line))
      .sort()
  expect(sort(named)).toEqual(sort(changes))
  const counts = countChanges(named, '9.0.0').map(({ entries }) => entries)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100)
})

test('a dry run of a version says what it has, and changes nothing', () => {
  const options = { cwd, encoding: 'utf8' } as const
  const before = execFileSync('git', ['status', '--porcelain'], options)
  const output = execFileSync(process.execPath, ['tools/cli/release/release.ts', '9.0.0', '--dry-run'], options)
  expect(output).toMatch(/^Release 9\.0\.0\n {2}What breaks: \d+\n/)
  expect(output).toMatch(/^ {2}bill of materials: \d{3,} components\nNothing was changed\.$/m)
  expect(execFileSync('git', ['status', '--porcelain'], options)).toBe(before)
})
