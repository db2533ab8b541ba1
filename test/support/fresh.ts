import './known-modules.ts'
import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, afterEach, type RunnerTestCase, type RunnerTestSuite, vi } from 'vitest'
import { failureWindow } from '../../src/platform/auth/failures/count-failure.ts'
import { databaseClock } from '../../src/platform/db/database.ts'
import { repeatLimits } from '../../src/storefront/tags/kv-sync.ts'
import { createTables } from './create-tables.ts'
import { guardD1 } from './d1-guard.ts'
import './main-module.ts'
import { followTimers } from './database-clock.ts'
import { dropEarlierMessages } from './earlier-messages.ts'
import { workerLog } from './held-log.ts'
import './openapi-setup.ts'

const hasFailed = (task: RunnerTestCase | RunnerTestSuite): boolean =>
  task.result?.state === 'fail' || ('tasks' in task && task.tasks.some(hasFailed))

/** Prints the lines of hooks of the file, if one of its tests or hooks failed. */
function releaseSuite(_context: object, suite: RunnerTestSuite) {
  workerLog.release(hasFailed(suite))
}

/**
 * Runs before each test file. Files share a workerd process and its modules, because loading them takes longer than most files run.
 * They share no storage, no spies and no variables: each file gets empty storage with the current tables, real timers and globals, and
 * the first values of all variables that `module-variables.ts` does not name as kept.
 */
workerLog.release(false)
// Vitest runs these hooks behind those of the file, whose lines belong to the test or to the file.
afterEach(({ task }) => workerLog.release(task.result?.state === 'fail'))
// Vitest reads fixtures from the text of a function, which a bound one does not have.
afterAll(releaseSuite.bind(undefined))
vi.useRealTimers()
vi.restoreAllMocks()
vi.unstubAllGlobals()
// Lets work behind the last responses of the file before finish: the reset aborts what is under way, loudly.
await scheduler.wait(50)
// The reset deletes only storage that is loaded. After ten idle seconds, none is.
await Promise.all([
  ...[env.DB, env.BLANK].map((database) => database.prepare('select 1').all()),
  ...[env.MEDIA, env.BACKUPS].map((bucket) => bucket.head('unused')),
  env.TAGS.get('unused'),
  caches.default.match('https://unused.example/'),
])
await reset()
dropEarlierMessages()
await createTables()
// The functions that `makeResettable` adds to modules.
const resets: ReadonlySet<() => void> = Reflect.get(globalThis, 'moduleResets')
for (const resetVariables of resets) resetVariables()
// The tests of a queue that fails would go on for seconds, behind other tests.
Object.assign(repeatLimits, { attempts: 0 })
// The count of a failed request would be among the calls of D1 of the next request.
Object.assign(failureWindow, { isCounting: false })
guardD1()
Object.assign(databaseClock, { shift: followTimers })
