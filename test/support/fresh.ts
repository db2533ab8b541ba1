import './known-modules.ts'
import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, afterEach, type RunnerTestCase, type RunnerTestSuite, vi } from 'vitest'
import { failureWindow } from '../../src/platform/auth/failures/count-failure.ts'
import { databaseClock } from '../../src/platform/db/database.ts'
import * as home from '../../src/platform/db/home/home.ts'
import * as rateLimit from '../../src/platform/http/rate-limit.ts'
import * as ids from '../../src/platform/lib/ids.ts'
import { repeatLimits } from '../../src/storefront/tags/kv-sync.ts'
import * as resolve from '../../src/storefront/tags/resolve.ts'
import { queueUntil } from '../../src/storefront/tags/scans/record-scan.ts'
import { createTables } from './create-tables.ts'
import { guardD1 } from './d1-guard.ts'
import './main-module.ts'
import { followTimers } from './database-clock.ts'
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
 * They share no storage: each file gets empty storage with the current tables, and real timers and globals. The caches of the
 * modules stay: their keys contain ids, which no two files share.
 */
workerLog.release(false)
// Vitest runs these hooks behind those of the file, whose lines belong to the test or to the file.
afterEach(({ task }) => workerLog.release(task.result?.state === 'fail'))
// Vitest reads fixtures from the text of a function, which a bound one does not have.
afterAll(releaseSuite.bind(undefined))
vi.useRealTimers()
vi.unstubAllGlobals()
// Lets work behind the last responses of the file before finish: the reset aborts what is under way, loudly.
await scheduler.wait(50)
// The reset deletes only storage that is loaded. After ten idle seconds, none is.
await Promise.all([env.DB.prepare('select 1').all(), env.TAGS.get('unused')])
await reset()
await createTables()
// Times that an earlier file left in the future: `clockVariables` in vitest.config.ts.
for (const module of [home, ids, rateLimit, resolve]) Reflect.get(module, 'resetClock')()
// The tests of a queue that fails would go on for seconds, behind other tests.
Object.assign(repeatLimits, { attempts: 0 })
// Scans are counted directly, whatever an earlier file left.
Object.assign(queueUntil, { ms: 0 })
// The count of a failed request would be among the calls of D1 of the next request.
Object.assign(failureWindow, { isCounting: false })
guardD1()
Object.assign(databaseClock, { shift: followTimers })
