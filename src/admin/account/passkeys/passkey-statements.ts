import { and, desc, eq, exists, inArray, ne, or, sql } from 'drizzle-orm'
import { compile, databaseNow, lazy, param } from '../../../platform/db/database.ts'
import { columnParam, db, insertSelect, selectList, typed } from '../../../platform/db/query.ts'
import { sessionTable } from '../../../platform/db/schema/directory/sessions.ts'
import { passkeyTable as table, usedChallengeTable, userTable } from '../../../platform/db/schema/directory/users.ts'
import { merchantTable, suspendedField } from '../../../platform/db/schema/merchants.ts'
import { createIdRetention } from '../../../platform/purge-statements.ts'
import { challengeSeconds } from './challenge.ts'

/** Maximum number of passkeys of a person. */
export const maxPasskeys = 10

/** Columns that are shown of a passkey. */
export const passkeyFields = {
  id: table.id,
  title: table.title,
  createdAt: table.createdAt,
  lastUsedAt: table.lastUsedAt,
}

/** Maximum number of memberships of a person that are listed. */
export const maxMemberships = 100

const returned = { id: table.id }
const inserted = {
  id: param('passkey'),
  person: param('person'),
  publicKey: param('publicKey'),
  algorithm: columnParam(table.algorithm, 'algorithm'),
  counter: columnParam(table.counter, 'counter'),
  transports: columnParam(table.transports, 'transports'),
  createdAt: columnParam(table.createdAt, 'now'),
  title: columnParam(table.title, 'title'),
}
const isMember = and(eq(userTable.id, param('userId')), eq(userTable.merchantId, param('merchantId')))
const isOwn = eq(table.person, db.select({ person: userTable.person }).from(userTable).where(isMember))
/** Whether the session of the request still exists: another request may have ended it. */
const hasSession = exists(
  db
    .select({ one: sql`1` })
    .from(sessionTable)
    .where(and(eq(sessionTable.id, param('session')), eq(sessionTable.userId, param('userId')))),
)
const ofMember = { id: userTable.id }
const other = db
  .select({ one: sql`1` })
  .from(sql`${table} as other`)
  .where(sql`other.person = ${table.person} and other.id <> ${table.id}`)

export const passkeyStatements = {
  /** Violates the primary key if the challenge was used before, or is too old. */
  useChallenge: lazy(() => {
    const isFresh = sql`${databaseNow} < ${param('challengedAt')} + ${sql.raw(String(challengeSeconds))}`
    return compile(db.insert(usedChallengeTable).values({ id: sql`iif(${isFresh}, ${param('challenge')}, null)` }))
  }),
  /** The passkey and the memberships of its person, most recently used first, those of suspended merchants last. */
  findMemberships: lazy(() =>
    typed(
      {
        person: table.person,
        publicKey: table.publicKey,
        algorithm: table.algorithm,
        userId: userTable.id,
        merchantId: userTable.merchantId,
        name: userTable.name,
        suspended: suspendedField,
      },
      (select) =>
        db
          .select(select)
          .from(table)
          .innerJoin(userTable, eq(userTable.person, table.person))
          .innerJoin(merchantTable, eq(merchantTable.id, userTable.merchantId))
          .where(eq(table.id, param('passkey')))
          .orderBy(suspendedField, desc(userTable.lastUsedAt), desc(userTable.id)),
    ),
  ),
  /** Passkeys of a member. */
  list: lazy(() =>
    typed({ ...passkeyFields, person: table.person, transports: table.transports }, (select) =>
      db.select(select).from(table).where(isOwn).orderBy(desc(table.createdAt), desc(table.id)).limit(maxPasskeys),
    ),
  ),
  findPerson: lazy(() =>
    typed({ person: userTable.person, name: userTable.name }, (select) =>
      db.select(select).from(userTable).where(isMember),
    ),
  ),
  /** Inserts the passkey of a new member, if the previous statement wrote a row. */
  insertOfNew: lazy(() =>
    typed(returned, () => insertSelect(table, inserted, sql`where changes() > 0 returning ${selectList(returned)}`)),
  ),
  /** Inserts a further passkey of a member, whose session has not ended. */
  insert: lazy(() => {
    const total = db
      .select({ total: sql`count(*)` })
      .from(table)
      .where(eq(table.person, param('person')))
    const isLeft = exists(
      db
        .select({ one: sql`1` })
        .from(userTable)
        .where(and(isMember, eq(userTable.person, param('person')))),
    )
    return typed(returned, () =>
      insertSelect(
        table,
        inserted,
        sql`where (${total}) < ${maxPasskeys} and ${isLeft} and ${hasSession} returning ${selectList(returned)}`,
      ),
    )
  }),
  /** Sets the signature counter, which increases with each use of authenticators that count. */
  use: lazy(() => {
    const counter = columnParam(table.counter, 'counter')
    const doesNotCount = and(eq(table.counter, 0), sql`${param('counter')} = 0`)
    return typed(returned, (select) =>
      db
        .update(table)
        .set({ counter, lastUsedAt: columnParam(table.lastUsedAt, 'now') })
        .where(and(eq(table.id, param('passkey')), or(doesNotCount, sql`${table.counter} < ${param('counter')}`)))
        .returning(select),
    )
  }),
  useMember: lazy(() =>
    compile(
      db
        .update(userTable)
        .set({ lastUsedAt: columnParam(userTable.lastUsedAt, 'now') })
        .where(eq(userTable.id, param('userId'))),
    ),
  ),
  rename: lazy(() =>
    typed(passkeyFields, (select) =>
      db
        .update(table)
        .set({ title: columnParam(table.title, 'title') })
        .where(and(isOwn, eq(table.id, param('passkey'))))
        .returning(select),
    ),
  ),
  /** The memberships of a member's person, most recently used first. */
  listMemberships: lazy(() =>
    typed(
      {
        id: userTable.id,
        role: userTable.role,
        merchantId: userTable.merchantId,
        venue: merchantTable.name,
        suspended: suspendedField,
      },
      (select) =>
        db
          .select(select)
          .from(userTable)
          .innerJoin(merchantTable, eq(merchantTable.id, userTable.merchantId))
          .where(eq(userTable.person, db.select({ person: userTable.person }).from(userTable).where(isMember)))
          .orderBy(desc(userTable.lastUsedAt), desc(userTable.id))
          .limit(maxMemberships),
    ),
  ),
  /** Deletes a passkey of a member, unless it is the last one or the session has ended. */
  remove: lazy(() =>
    typed(passkeyFields, (select) =>
      db
        .delete(table)
        .where(and(isOwn, eq(table.id, param('passkey')), exists(other), hasSession))
        .returning(select),
    ),
  ),
  /** Ends the other sessions of a member's person, at all merchants, if the previous statement of the transaction wrote a row. */
  endOtherSessions: lazy(() => {
    const person = db.select({ person: userTable.person }).from(userTable).where(isMember)
    const memberships = db.select(ofMember).from(userTable).where(eq(userTable.person, person))
    const isOther = and(inArray(sessionTable.userId, memberships), ne(sessionTable.id, param('session')))
    return compile(db.delete(sessionTable).where(and(sql`changes() > 0`, isOther)))
  }),
}

export const challengeRetention = createIdRetention(usedChallengeTable)
