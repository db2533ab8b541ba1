import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '../../package.json'

test('a dry run of a release names the packages, their size, the tag and what is missing', { timeout: 120_000 }, () => {
  const cwd = resolve(import.meta.dirname, '../..')
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' })
  const before = git('tag')
  const output = execFileSync(process.execPath, ['src/cli/release.ts', '--dry-run'], { cwd, encoding: 'utf8' })
  for (const name of ['merchant-ordering-client', 'merchant-ordering']) {
    expect(output).toMatch(new RegExp(`^ {2}npm package ${name}: \\d+ files, \\d+ bytes$`, 'm'))
  }
  expect(output).toContain(`git tag v${version};`)
  expect(output).not.toMatch(/has the version/)
  expect(output).toMatch(/Nothing was changed\.\n$/)
  expect(git('tag')).toBe(before)
})
