import { keyCacheMs } from '../../platform/auth/api-keys.ts'

/** Seconds until every isolate knows that a merchant moves: after them, no isolate has the home in its cache. */
export const announceSeconds = keyCacheMs / 1000 + 5
