import { getTableName } from 'drizzle-orm'
import * as z from 'zod/mini'
import { pickPublished } from '../../catalogue/resource/definition.ts'
import { webhooks } from '../../catalogue/resources/webhooks.ts'
import { parseJson } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { deliveryTable, eventTable } from '../../platform/db/schema/events.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { getColumnName, getValue } from '../../platform/db/sql-name.ts'
import { parseSecrets } from '../secrets.ts'

/** Types of events whose `previous` contained secrets in earlier releases. */
const leakyEventType = 'webhook.updated'
/** Prefix of a signing secret in the log of a delivery. */
export const secretPrefix = 'whsec_'

const jsonObject = z.record(z.string(), z.unknown())
const attemptList = z.array(jsonObject)

/** Columns that change, with their new values. */
type Changes = Readonly<Record<string, string | null>>

/** An event shows only the old values of published fields. Without a stored body, the next attempt renders one. */
function scrubEvent(row: Row): Changes {
  const previous = getValue(row, eventTable.previous)
  if (getValue(row, eventTable.type) !== leakyEventType || typeof previous !== 'string') return {}
  const { data } = jsonObject.safeParse(parseJson(previous))
  if (!data || !webhooks.hidden.some((key) => Object.hasOwn(data, key))) return {}
  const shown = JSON.stringify(pickPublished(webhooks.published, data))
  return { [getColumnName(eventTable.previous)]: shown, [getColumnName(eventTable.payload)]: null }
}

/** The log of a delivery has no responses that repeat a signing secret. */
function scrubDelivery(row: Row): Changes {
  const attempts = getValue(row, deliveryTable.attempts)
  if (typeof attempts !== 'string' || !attempts.includes(secretPrefix)) return {}
  const { data } = attemptList.safeParse(parseJson(attempts))
  const kept = data?.map(({ response, ...attempt }) =>
    typeof response === 'string' && !response.includes(secretPrefix) ? { ...attempt, response } : attempt,
  )
  return kept ? { [getColumnName(deliveryTable.attempts)]: JSON.stringify(kept) } : {}
}

/** A webhook keeps only its current secret. */
function scrubWebhook(row: Row): Changes {
  const secrets = parseSecrets(String(getValue(row, webhookTable.secrets)))
  const current = secrets?.filter(({ retiredAt }) => retiredAt === undefined)
  if (!secrets || current?.length === secrets.length) return {}
  return { [getColumnName(webhookTable.secrets)]: JSON.stringify(current) }
}

const scrubbers: ReadonlyMap<string, (row: Row) => Changes> = new Map([
  [getTableName(eventTable), scrubEvent],
  [getTableName(deliveryTable), scrubDelivery],
  [getTableName(webhookTable), scrubWebhook],
])

/** A row for or from a backup, without replaced secrets, and without secrets in events of earlier releases. */
export const scrubRow = <Scrubbed extends Row>(table: string, row: Scrubbed): Scrubbed & Changes => ({
  ...row,
  ...scrubbers.get(table)?.(row),
})
