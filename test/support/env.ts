import type { D1Migration } from 'cloudflare:test'
import type { Bindings } from '../../src/platform/env.ts'

/** Types `env` and `exports` of `cloudflare:workers`. In a `.ts` file: `skipLibCheck` would hide a mistake in a `.d.ts`. */
declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof import('../../src/index.ts')
    }
    interface Env extends Bindings {
      MIGRATIONS: D1Migration[]
      /** The share of the rounds in CI that tests with random input make: 1 in CI. See `rounds.ts`. */
      ROUNDS_SHARE: number
      /** A database without tables. */
      BLANK: D1Database
      /** The Images binding of Miniflare. */
      LOCAL_IMAGES: ImagesBinding
      /** A Durable Object with a SQLite database of its own; see `sqlite-object.ts`. */
      SQLITE_OBJECT: Fetcher
    }
  }
}
