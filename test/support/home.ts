import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { directoryDatabase } from '../../src/platform/db/home/d1-connection.ts'
import { homeStatements, type ObjectHome } from '../../src/platform/db/home/home.ts'
import { getHomeObject } from '../../src/platform/db/home/object-connection.ts'
import type { Bindings } from '../../src/platform/env.ts'

/** The object of a merchant; undefined if its data is in the shared database. */
export async function findObject(merchantId: string) {
  const [[home = 'd1']] = await directoryDatabase(env).run([homeStatements.find(), { merchantId }])
  return home === 'd1' ? undefined : { home, stub: getHomeObject(env.HOMES, merchantId, home) }
}

/** Runs a statement where the data of a merchant is. */
export async function queryHome(merchantId: string, sql: string, ...values: unknown[]) {
  const object = await findObject(merchantId)
  if (!object)
    return (
      await env.DB.prepare(sql)
        .bind(...values)
        .all()
    ).results
  const { home, stub } = object
  const result = await stub.run(toIdentity(merchantId, home), [{ sql, values }])
  if (result.error !== undefined) throw new Error(result.error)
  return result.rows[0] ?? []
}

const toIdentity = (merchantId: string, { object, settingsVersion }: ObjectHome) => ({
  merchantId,
  object,
  settingsVersion,
})

/** Lets the alarm of a merchant's object ring, with other bindings if some are given. Returns when the next one does. */
export async function ringAlarm(merchantId: string, bindings: Partial<Bindings> = {}): Promise<number | null> {
  const object = await findObject(merchantId)
  if (!object) throw new Error('the merchant has no object')
  return runInDurableObject(object.stub, async (instance, state) => {
    const own = Reflect.get(instance, 'env')
    Reflect.set(instance, 'env', { ...own, ...bindings })
    await state.storage.deleteAlarm()
    await Reflect.get(instance, 'alarm').call(instance)
    Reflect.set(instance, 'env', own)
    return state.storage.getAlarm()
  })
}
