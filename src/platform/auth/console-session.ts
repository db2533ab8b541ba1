import { homeFields, toCacheableHome } from '../db/home/home.ts'
import type { RowOf } from '../db/query.ts'
import { sessionTable as table } from '../db/schema/directory/sessions.ts'
import { merchantTable, suspendedField } from '../db/schema/merchants.ts'
import type { Credential } from './api-keys.ts'
import type { Role } from './roles.ts'

/** Lifetime of a session in seconds: without use, and in total. */
export const sessionSeconds = { idle: 43_200, total: 604_800 } as const
/** Random bits of a session's token. */
export const tokenBits = 160
/** First character of the tokens of support: no digit of base 32. Other tokens cost no lookup of support. */
export const supportMark = 'U'

/** Fields of a session and its merchant. */
export const sessionFields = {
  sessionId: table.id,
  startedAt: table.createdAt,
  usedAt: table.lastUsedAt,
  merchantId: table.merchantId,
  name: merchantTable.name,
  timezone: merchantTable.timezone,
  currency: merchantTable.currency,
  suspended: suspendedField,
  ...homeFields,
}

/** When a session expires, in seconds. */
export const getExpiry = (createdAt: number, lastUsedAt: number, keyExpiresAt: number | null) =>
  Math.min(createdAt + sessionSeconds.total, lastUsedAt + sessionSeconds.idle, keyExpiresAt ?? Infinity)

/** The session of a console: of an API key, of a member of the merchant, or of an operator who supports it. */
export interface ConsoleSession {
  id: string
  createdAt: number
  lastUsedAt: number
  credential: Credential & { expiresAt: number }
  merchant: { id: string; name: string; timezone: string; currency: string | undefined }
  /** Absent: the session is of a key or of support. */
  member?: { id: string; name: string; role: Role }
  /** The operator, and why the operator opened the venue. */
  support?: { operator: string; name: string; reason: string }
}

/** A session, which ends with its key or at a time. */
export const toSession = (
  row: RowOf<typeof sessionFields>,
  keyExpiresAt: number | null,
  rights: Pick<Credential, 'id' | 'testMode' | 'scopes' | 'allowedIps' | 'grantsLive' | 'finish'>,
): ConsoleSession => ({
  id: row.sessionId,
  createdAt: row.startedAt,
  lastUsedAt: row.usedAt,
  credential: {
    ...rights,
    merchantId: row.merchantId,
    expiresAt: getExpiry(row.startedAt, row.usedAt, keyExpiresAt),
    suspended: row.suspended === 1,
    home: toCacheableHome(row),
  },
  merchant: { id: row.merchantId, name: row.name, timezone: row.timezone, currency: row.currency ?? undefined },
})
