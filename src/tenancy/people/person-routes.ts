import { Hono } from 'hono'
import * as z from 'zod/mini'
import { createCaller } from '../../catalogue/resource/caller.ts'
import { notFound } from '../../platform/errors.ts'
import { holdTexts } from '../../platform/http/bodies/leased-texts.ts'
import type { Env } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { logFailure } from '../../platform/lib/text-stream.ts'

/** The response to an erasure. */
export const erasureView = z.object({
  id: z.string().check(z.describe('Id of the erased customer.')),
  erased: z.literal(true).check(z.describe('Always `true`.')),
})

/** Routes that export the stored data of a person as one document, and erase it. */
export const personRoutes = new Hono<Env>()
  .get('/:id/export', async (c) => {
    const [caller, id] = [createCaller(c), c.req.param('id')]
    const [{ findPerson }, { exportCustomer }] = await Promise.all([
      import('./find-person.ts'),
      import('./export-customer.ts'),
    ])
    const person = await findPerson(c.var.database, c.var.scope, id)
    if (!person.exists) throw notFound()
    const { merchantId } = caller.scope
    const body = await holdTexts(c, merchantId, logFailure(c.env, merchantId, exportCustomer(caller, id, person)))
    return c.body(body, 200, {
      'content-type': 'application/json',
      'content-disposition': `attachment; filename="${id}.json"`,
    })
  })
  .post('/:id/erase', idempotent, async (c) => {
    const id = c.req.param('id')
    const response = c.json<z.output<typeof erasureView>>({ id, erased: true }, 200)
    const { eraseCustomer } = await import('./erase-customer.ts')
    await eraseCustomer(c.env, createCaller(c), id, response)
    return response
  })
