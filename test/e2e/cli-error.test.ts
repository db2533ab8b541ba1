import { writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { CliError, diskFullMessage, runCommand } from '../../tools/cli/cli-error.ts'

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

/** Output and exit code of a command that fails with an error. */
async function run(fail: () => unknown) {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await runCommand(async () => {
    await fail()
    return 0
  })
  return [process.exitCode, printed.mock.calls.flat()]
}

function fillDatabase() {
  const database = new DatabaseSync(':memory:')
  database.exec('pragma max_page_count = 2; create table t (x); insert into t values (randomblob(100000))')
}

test.each([
  ['SQLite', fillDatabase],
  ['a file', () => writeFile('/dev/full', 'x')],
  ['a failed migration', () => Promise.reject(new Error('0001.sql: database or disk is full'))],
])('a full disk is one sentence: %s', async (_, fail) => {
  expect(await run(fail)).toEqual([1, [diskFullMessage]])
})

test('a file that cannot be written is one sentence', async () => {
  const [code, printed] = await run(() => writeFile(`${import.meta.filename}/x`, ''))
  expect([code, printed]).toEqual([1, [expect.stringMatching(/^ENOTDIR: .*cli-error/)]])
})

test('an error of the user is its message; another one is thrown', async () => {
  expect(await run(() => Promise.reject(new CliError('wrong', 2)))).toEqual([2, ['wrong']])
  await expect(run(() => Promise.reject(new Error('a mistake')))).rejects.toThrow('a mistake')
})
