import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'

/**
 * Runs before each test file. Files share a workerd process, because starting one takes longer than most files run.
 * They share no state: each file gets empty storage with the current tables, modules that no other file has used,
 * and real timers and globals. The order of files therefore does not matter.
 */
vi.useRealTimers()
vi.unstubAllGlobals()
// Lets work behind the last responses of the file before finish: the reset aborts what is under way, loudly.
await scheduler.wait(50)
await reset()
await applyD1Migrations(env.DB, env.MIGRATIONS)
vi.resetModules()
await import('./openapi-setup.ts')
await import('./d1-guard.ts')
