import { keyCacheMs } from '../../platform/auth/api-keys.ts'

/** Seconds until every isolate has seen that a merchant moves: none has a home in its cache then. */
export const announceSeconds = keyCacheMs / 1000 + 5
