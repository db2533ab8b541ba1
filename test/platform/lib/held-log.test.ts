import { describe, expect, test } from 'vitest'
import { log } from '../../../src/platform/lib/log.ts'
import { HeldLog, workerLog } from '../../support/held-log.ts'

function createConsole() {
  const printed: unknown[] = []
  const print = (value: unknown) => void printed.push(value)
  return { printed, console: { log: print, info: print, warn: print, error: print } }
}

describe('lines of the log', () => {
  test('are printed in their order if the test failed, each once', () => {
    const { printed, console } = createConsole()
    const held = new HeldLog(console)
    console.error('first')
    console.info('second')
    console.warn('third')
    expect(printed).toEqual([])
    held.release(true)
    held.release(true)
    expect(printed).toEqual(['first', 'second', 'third'])
  })

  test('of a test that passed are not printed, not even if the next one fails', () => {
    const { printed, console } = createConsole()
    const held = new HeldLog(console)
    console.error('passed')
    held.release(false)
    console.error('failed')
    held.release(true)
    expect(printed).toEqual(['failed'])
  })

  test('do not hold back figures', () => {
    const { printed, console } = createConsole()
    new HeldLog(console)
    console.log('figure')
    expect(printed).toEqual(['figure'])
  })

  test('of the Worker are held back in every test file', () => {
    expect(workerLog.lines).toEqual([])
    log({ REQUEST_ID: 'req_held' }, 'purge failed', { table: 'none' })
    expect(workerLog.lines.flat()).toEqual([expect.stringContaining('"requestId":"req_held","message":"purge failed"')])
  })
})
