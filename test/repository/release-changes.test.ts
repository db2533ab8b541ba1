import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { apiVersion } from '../../src/platform/http/headers.ts'
import {
  countChanges,
  findBreakingDate,
  nameChanges,
  unreleasedHeading,
} from '../../tools/cli/release/release-changes.ts'

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
})

test('an entry is in the area that it is about', () => {
  const entries = [
    ['`GET …/export`: all objects.', 'Imports and exports'],
    ['`GET` and `POST /admin/merchants/:merchantId/backups`: backups.', 'Operations'],
    ['`npm run load` is faster.', 'Client, command line and MCP server'],
    ['Sessions of the operator.', 'Operations'],
    ['Sheets as PDF print Thai.', 'Pages for guests, tags and prints'],
    ['List products with `menu=`.', 'API'],
  ] as const
  const added = entries.map(([text]) => `- ${text}`).join('\n')
  const named = nameChanges(`# Changelog\n\n## Unreleased\n\n### Added\n\n${added}\n`, '0.2.0', { isGrouped: true })
  for (const [text, area] of entries)
    expect(named).toMatch(new RegExp(`### ${area}\n\n#### Added\n\n(- .*\n)*- ${RegExp.escape(text)}`))
})

test('a package without a change of its own is released with the others', () => {
  const log = '# Changes\n\n## 0.2.0 (2026-12-01)\n\n- First version.\n'
  expect(nameChanges(log, '0.3.0', { isGrouped: false })).toBe(`# Changes

## 0.3.0

- No changes: released with the other packages.

## 0.2.0 (2026-12-01)

- First version.
`)
  expect(nameChanges('# Changes\n', '0.2.0', { isGrouped: false })).toMatch(/^# Changes\n\n## 0\.2\.0\n\n- No changes/)
})

test('every entry of our change log is in the version, once', () => {
  // Directly after a release, the newest section is that of a version.
  const changes = readFileSync(resolve(cwd, 'CHANGELOG.md'), 'utf8').replace(/^## .*$/m, unreleasedHeading)
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

test('the date of the contract is that of the last version that breaks something', () => {
  const log = '# Changelog\n\n## Unreleased\n\n- **Breaking:** later.\n\n## 0.3.0 (2026-12-24)\n\n- New.\n\n'
  const breaking = '## 0.2.0 (2026-12-01)\n\n### What breaks\n\n- **Breaking:** imports.\n\n## 0.1.0\n\n- First.\n'
  expect(findBreakingDate(`${log}${breaking}`)).toBe('2026-12-01')
  expect(findBreakingDate(log)).toBeUndefined()
  expect(findBreakingDate(readFileSync(resolve(cwd, 'CHANGELOG.md'), 'utf8'))).toBe(apiVersion)
})

const hasChanges = readFileSync(resolve(cwd, 'CHANGELOG.md'), 'utf8').includes(unreleasedHeading)

test('a dry run of a version says what it has, and changes nothing', () => {
  const options = { cwd, encoding: 'utf8' } as const
  const before = execFileSync('git', ['status', '--porcelain'], options)
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['tools/cli/release/release.ts', '9.0.0', '--dry-run'],
    options,
  )
  if (hasChanges) {
    expect(stdout).toMatch(/^Release 9\.0\.0\n(?: {2}[A-Z][\w ,]+: \d+\n)+ {2}bill of materials: \d{3,} components\n/)
    expect(stdout).toMatch(/^Nothing was changed\.$/m)
  } else {
    // Directly after a release.
    expect({ stderr, status }).toEqual({
      stderr: expect.stringContaining('names no change since the last release'),
      status: 1,
    })
  }
  expect(execFileSync('git', ['status', '--porcelain'], options)).toBe(before)
})
