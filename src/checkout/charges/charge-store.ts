import { sql } from 'drizzle-orm'
import { isSameJson } from '../../catalogue/resource/merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../../catalogue/resource/object-lock.ts'
import { keepPartIds } from '../../catalogue/resource/part-ids.ts'
import { chargeList, chargesFields, type VenueCharge } from '../../catalogue/resources/venue-charges.ts'
import { allOf, compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { db, insertSelect, type RowOf, setColumns, typed, withRawRows, withRows } from '../../platform/db/query.ts'
import { chargeTable as table } from '../../platform/db/schema/checkout/charges.ts'
import { isInScope, type Scope } from '../../platform/db/scope.ts'
import { type Actor, commit } from '../../platform/db/transaction.ts'
import { invalid } from '../../platform/errors.ts'
import { isPreconditionMet, type Precondition, preconditionFailed, toShownState } from '../../platform/http/etag.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { createId } from '../../platform/lib/ids.ts'
import { parseStored } from '../quote/stored-json.ts'

const storedFields = { merchantId: table.merchantId, charges: table.charges, version: table.version }
const toStored = ({ merchantId, charges, version }: RowOf<typeof storedFields>) => ({
  charges: parseStored(chargeList, charges, { id: merchantId, merchantId }, { table: 'charges', name: 'charges' }),
  version,
})
const values = { charges: param('charges'), version: param('version') }

const statements = {
  version: lazy(() =>
    typed({ version: table.version }, (select) =>
      db
        .select(select)
        .from(table)
        .where(allOf(isInScope(table))),
    ),
  ),
  /** Writes the charges if their version is still `:version` - 1. */
  write: lazy(() => {
    const row = { merchantId: param('merchantId'), testMode: param('testMode'), ...values }
    const update = sql`do update set ${setColumns(table, values)} where ${table.version} = ${param('version')} - 1`
    return compile(
      sql`${insertSelect(table, row, sql`where true`)} on conflict (merchant_id, test_mode) ${update} returning 1`,
    )
  }),
}

/** Reads the charges of a merchant in a mode. Leaves out a damaged list. */
export const findCharges = lazy(() =>
  withRows(
    typed(storedFields, (select) =>
      db
        .select(select)
        .from(table)
        .where(allOf(isInScope(table))),
    ),
    toStored,
  ),
)

/** The charges of a merchant in a mode, as shown, with their version; 0 if they were never set. */
export interface StoredCharges {
  charges: readonly VenueCharge[]
  version: number
}

const none: StoredCharges = { charges: [], version: 0 }

/** Reads the charges. Throws `DamagedError` for a damaged list. */
export async function readCharges(database: Database, scope: Scope): Promise<StoredCharges> {
  const statement = findCharges()
  const [[row] = []] = await database.run([withRawRows(statement), { ...scope }])
  return row ? statement.read(row) : none
}

/** Reads charges that a request replaces: those of a damaged list are unknown. */
async function readBefore(database: Database, scope: Scope): Promise<StoredCharges & { isDamaged: boolean }> {
  const [[found], [row]] = await database.run([findCharges(), { ...scope }], [statements.version(), { ...scope }])
  if (found) return { ...found, isDamaged: false }
  return { charges: [], version: row?.version ?? 0, isDamaged: row !== undefined }
}

/** Charges of a request as stored: with ids and defaults, without what is null, and with their members in the order of a response. */
function toCharges(patch: ParsedBody['patch'], before: readonly VenueCharge[]): VenueCharge[] {
  const { charges } = chargesFields.parse(keepPartIds(patch, { charges: before }, 'charges', 'title'))
  const toTexts = (translations: (typeof charges)[number]['translations']) =>
    Object.entries(translations ?? {}).flatMap(([language, text]) => (text ? [[language, text] as const] : []))
  return chargeList.parse(
    charges.map(({ translations, orderTypes, minGuests, taxRate, ...charge }) => {
      const texts = toTexts(translations)
      return {
        ...charge,
        id: charge.id ?? createId('chg'),
        ...(texts.length > 0 && { translations: Object.fromEntries(texts) }),
        per: charge.per ?? 'order',
        ...(orderTypes && { orderTypes }),
        ...(typeof minGuests === 'number' && { minGuests }),
        taxable: charge.taxable ?? true,
        ...(typeof taxRate === 'number' && { taxRate }),
        optional: charge.optional ?? false,
      }
    }),
  )
}

/** Replaces the charges. `respond` creates the response from what is then stored. */
export function writeCharges(
  actor: Actor,
  { patch, issues }: ParsedBody,
  condition: Precondition | undefined,
  respond: (stored: StoredCharges) => Response,
): Promise<Response> {
  const { database, scope } = actor
  return withObjectLock(JSON.stringify(['charges', scope]), async () => {
    // Only the latest state can justify a skipped write.
    database.usePrimary()
    for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
      const before = await readBefore(database, scope)
      if (condition && !isPreconditionMet(condition, toShownState(before.version, { charges: before.charges }))) {
        throw preconditionFailed()
      }
      if (issues.length > 0) throw invalid(issues)
      const charges = toCharges(patch, before.charges)
      if (!before.isDamaged && isSameJson(charges, before.charges)) return respond(before)
      const version = before.version + 1
      const response = respond({ charges, version })
      const operation = { operation: 'charges.update', object: scope.merchantId, response }
      const written = { ...scope, charges: JSON.stringify(charges), version }
      const [rows] = await commit(actor, operation, [[statements.write(), written]])
      if (rows.length > 0) return response
      await pauseAfter(attempt)
    }
    throw busy()
  })
}
