/** Runs SQL in the SQLite of a Durable Object, as one transaction; the object's name is the path. */
const script = `
import { DurableObject } from 'cloudflare:workers'
export class SqliteObject extends DurableObject {
  run(statements) {
    return this.ctx.storage.transactionSync(() => statements.map((statement) => this.ctx.storage.sql.exec(statement).toArray()))
  }
}
export default {
  async fetch(request, env) {
    const object = env.OBJECTS.get(env.OBJECTS.idFromName(new URL(request.url).pathname))
    try {
      return Response.json(await object.run(await request.json()))
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  },
}`

/** A Worker beside the one under test, for tests of migrations. */
export const sqliteObject = {
  name: 'sqlite-object',
  modules: true,
  script,
  compatibilityDate: '2026-10-01',
  durableObjects: { OBJECTS: { className: 'SqliteObject', useSQLite: true } },
}
