import { env } from 'cloudflare:workers'
import { vi } from 'vitest'

const writes = /\b(?:insert|update|delete)\b/i

/**
 * Lets sessions read a replica that lags behind: until their first write they find none of the given ids. A batch with a write runs at the
 * primary, and a session that has written reads its own writes.
 */
export function lagBehind(ids: readonly string[]) {
  const hide = (value: unknown) =>
    typeof value === 'string' ? ids.reduce((text, id) => text.replaceAll(id, `${id.slice(0, -4)}none`), value) : value
  const withSession = env.DB.withSession.bind(env.DB)
  vi.spyOn(env.DB, 'withSession').mockImplementation((constraint) => {
    const session = withSession(constraint)
    if (constraint !== 'first-unconstrained') return session
    /** Statements as the replica runs them, by those as the primary does. */
    const stale = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
    const written = new WeakSet<D1PreparedStatement>()
    let isLatest = false
    const [prepare, batch] = [session.prepare.bind(session), session.batch.bind(session)]
    const isStale = (statements: readonly D1PreparedStatement[]) => {
      isLatest ||= statements.some((statement) => written.has(statement))
      return !isLatest
    }
    session.prepare = (text) => {
      const statement = prepare(text)
      const bind = statement.bind.bind(statement)
      statement.bind = (...values) => {
        const [bound, behind] = [bind(...values), bind(...values.map(hide))]
        stale.set(bound, behind)
        if (writes.test(text)) written.add(bound)
        const all = bound.all.bind(bound)
        bound.all = <Row>() => (isStale([bound]) ? behind.all<Row>() : all<Row>())
        return bound
      }
      return statement
    }
    session.batch = <Row>(statements: D1PreparedStatement[]) =>
      batch<Row>(isStale(statements) ? statements.map((each) => stale.get(each) ?? each) : statements)
    return session
  })
}
