import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { createTables } from './create-tables.ts'

/**
 * Runs before each test file. Files share a workerd process and its modules, because loading them takes longer than most files run.
 * They share no storage: each file gets empty storage with the current tables, and real timers and globals. The caches of the
 * modules stay: their keys contain ids, which no two files share.
 */
vi.useRealTimers()
vi.unstubAllGlobals()
// Lets work behind the last responses of the file before finish: the reset aborts what is under way, loudly.
await scheduler.wait(50)
// The reset deletes only storage that is loaded. After ten idle seconds, none is.
await Promise.all([env.DB.prepare('select 1').all(), env.TAGS.get('unused')])
await reset()
await createTables()

/** A function of the shared modules. The global object holds it, because an earlier file may have reset all modules. */
const shared: { createId?: unknown } = Reflect.get(globalThis, 'sharedModules') ?? {}
Reflect.set(globalThis, 'sharedModules', shared)
const load = () => import('../../src/lib/ids.ts')
const { createId, toTimeDigits } = await load()
// An earlier file loaded modules of its own, or moved the clock ahead: ids and the ends of pauses stay there.
const isUsed = shared.createId !== createId || toTimeDigits(createId('test')) > Date.now() + 1
if (isUsed) vi.resetModules()
shared.createId = (await load()).createId
await import('./openapi-setup.ts')
const { guardD1 } = await import('./d1-guard.ts')
guardD1()
