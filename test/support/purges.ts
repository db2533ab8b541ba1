import { env } from 'cloudflare:workers'
import { purgeExpired } from '../../src/app/maintenance/purges.ts'

/** Purges what has expired at a time, also rows that a test inserted with an earlier one, of which the service cannot know. */
export async function purgeNow(...[bindings, nowMs, database]: Parameters<typeof purgeExpired>) {
  await env.DB.prepare('update purges set due_at = 0').run()
  return purgeExpired(bindings, nowMs, database)
}
