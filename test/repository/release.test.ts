import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '../../package.json'

test('a dry run of a release names the packages, their size, the tag and what is missing', { timeout: 120_000 }, () => {
  const cwd = resolve(import.meta.dirname, '../..')
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' })
  const before = git('tag')
  const output = execFileSync(process.execPath, ['tools/cli/release/release.ts', '--dry-run'], {
    cwd,
    encoding: 'utf8',
  })
  for (const name of ['merchant-ordering-client', 'merchant-ordering', 'merchant-ordering-server']) {
    expect(output).toMatch(new RegExp(`^ {2}npm package ${name}: \\d+ files, \\d+ bytes$`, 'm'))
  }
  // Compressed sizes differ a little between versions of npm and zlib.
  const tolerance = 0.05
  for (const [name, page, stated] of [
    ['merchant-ordering-client', 'docs/client.md', /Its package has ([\d,]+) KB/],
    ['merchant-ordering-client', 'docs/client.md', /^\| The packed client \|.*\| ([\d,]+) bytes \|$/m],
    ['merchant-ordering', 'docs/command-line.md', /builds the package, which has ([\d,]+) KB/],
  ] as const) {
    const [, bytes] = new RegExp(`npm package ${name}: \\d+ files, (\\d+) bytes`).exec(output) ?? []
    const [text = '', size = ''] = stated.exec(readFileSync(resolve(cwd, page), 'utf8')) ?? []
    const statedBytes = Number(size.replaceAll(',', '')) * (text.endsWith('KB') ? 1000 : 1)
    const difference = Math.abs(statedBytes / Number(bytes) - 1)
    expect({ page, text, bytes, isClose: difference < tolerance }).toEqual({ page, text, bytes, isClose: true })
  }
  expect(output).toContain(`git tag v${version};`)
  expect(output).not.toMatch(/has the version/)
  expect(output).toMatch(/Nothing was changed\.\n$/)
  expect(git('tag')).toBe(before)
})

test('the published packages name their folder of the repository, and the workflow adds its address to both', () => {
  const cwd = resolve(import.meta.dirname, '../..')
  const folders = ['packages/client', 'packages/cli', 'packages/server']
  for (const directory of folders) {
    const { repository } = JSON.parse(readFileSync(resolve(cwd, directory, 'package.json'), 'utf8'))
    expect(repository).toMatchObject({ type: 'git', directory })
  }
  const workflow = readFileSync(resolve(cwd, '.github/workflows/deploy.yml'), 'utf8')
  const [, set = ''] = /npm pkg set "repository\.url=[^"]*"(.*)/.exec(workflow) ?? []
  expect([...set.matchAll(/-w (\S+)/g)].map(([, folder]) => folder)).toEqual(folders)
})
