import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { ConstraintError, getConstraintSubject } from '../../platform/db/database-errors.ts'
import { homeKinds, moveStates, moveTable } from '../../platform/db/schema/directory/homes.ts'
import { ApiError, invalid, notFound } from '../../platform/errors.ts'
import { type Env, getMerchantId } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { log } from '../../platform/lib/log.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { announceSeconds } from '../../tenancy/move/announce.ts'
import { type Move, moveStatements as statements } from '../../tenancy/move/move-statements.ts'
import { commitAsOperator, insertObject } from '../merchant-routes.ts'
import { checkHome, homeRequestFields, type Merchant } from '../merchant-schemas.ts'
import { findMerchant } from '../stored-merchant.ts'

/** The body that starts a move. */
export const moveBody = z.strictObject({
  ...homeRequestFields,
  home: z
    .enum(homeKinds)
    .check(z.describe('Target of the move. `d1`: the shared database. `object`: a new separate database.')),
})
const rules = { schema: moveBody, partial: z.partial(moveBody), readOnly: new Set<string>() }

/** A move in responses. */
export const moveView = z.object({
  state: z
    .enum(moveStates)
    .check(
      z.describe(
        '`copying`: rows are copied while the merchant trades. `fenced`: writes wait, the last changes are copied. `verifying`: writes wait, all tables are compared. `done`, `failed`: the move has ended. A failed move has changed nothing.',
      ),
    ),
  home: moveBody.shape.home,
  location: z.optional(z.string()).check(z.describe('Region near which the database is created.')),
  jurisdiction: z.optional(z.string()).check(z.describe('Jurisdiction of the database.')),
  rows: z.int().check(z.describe('Number of rows that were copied.')),
  startedAt: z.int().check(z.describe('Time of the request, in seconds since 1970-01-01 UTC.')),
  endedAt: z
    .optional(z.int())
    .check(z.describe('Time of the end, in seconds since 1970-01-01 UTC. Absent while the move runs.')),
  fencedMs: z
    .optional(z.int())
    .check(z.describe('How long writes waited, in milliseconds. Absent unless the move is done.')),
  reason: z.optional(z.string()).check(z.describe('Reason why the move failed. Absent unless it failed.')),
})

function toView({ target, ...move }: Move) {
  const home = target === 'd1' ? { home: 'd1' } : { home: 'object', ...target }
  const own = Object.fromEntries(Object.entries({ ...move, ...home }).filter(([, value]) => value !== null))
  return moveView.parse(own)
}

async function findLast(c: Context<Env>, merchantId: string): Promise<Move | undefined> {
  const { database } = c.var
  return database.findNamed(async () => (await database.run([statements.findLast(), { merchantId }]))[0][0])
}

type Place = Pick<Merchant, 'home' | 'location' | 'jurisdiction'>
const isSamePlace = (a: Place, b: Place) =>
  (a.home ?? 'd1') === (b.home ?? 'd1') &&
  (a.location ?? undefined) === (b.location ?? undefined) &&
  (a.jurisdiction ?? undefined) === (b.jurisdiction ?? undefined)

/** Another move of the merchant is running. */
const isActiveError = (error: unknown) =>
  error instanceof ConstraintError && error.subject === getConstraintSubject(moveTable.merchantId)

/** The merchant is being restored. */
const isRefused = (error: unknown) =>
  error instanceof ConstraintError && error.subject === getConstraintSubject(moveTable.state)

/** Routes for operators that move a merchant to another home. Mounted under `/admin/merchants/:merchantId/move`. */
export const moveRoutes = new Hono<Env>()
  .get('/', async (c) => {
    const move = await findLast(c, getMerchantId(c))
    if (!move) throw notFound()
    return c.json(toView(move), 200)
  })
  .post('/', jsonBody(rules), idempotent, async (c) => {
    const { patch, issues } = c.req.valid('json')
    const place = z.partial(moveBody).parse(issues.length > 0 ? {} : patch)
    const wanted: Place = {
      home: place.home,
      location: place.location ?? undefined,
      jurisdiction: place.jurisdiction ?? undefined,
    }
    const all = issues.length > 0 ? issues : checkHome(wanted)
    if (all.length > 0) throw invalid(all)
    const merchantId = getMerchantId(c)
    c.var.database.usePrimary()
    const merchant = await findMerchant(c.var.database, merchantId)
    if (merchant.closedAt !== undefined) throw new ApiError('conflict', 'The merchant is closed.')
    const running = await findLast(c, merchantId)
    const isRunning = running !== undefined && running.state !== 'done' && running.state !== 'failed'
    if (isRunning && isSamePlace(toView(running), wanted)) return c.json(toView(running), 202)
    if (isRunning) throw new ApiError('conflict', 'The merchant is being moved to another home.')
    if (isSamePlace(merchant, wanted)) throw new ApiError('conflict', 'The data of the merchant is already there.')

    const now = nowInSeconds()
    const { home, ...where } = wanted
    const isObject = home === 'object'
    const [current] = await c.var.database.run([statements.findHome(), { merchantId }])
    const values = {
      merchantId,
      now,
      isObject,
      source: current[0] ?? 'd1',
      target: JSON.stringify(isObject ? where : home),
    }
    const response = c.json(moveView.parse({ state: 'copying', ...wanted, rows: 0, startedAt: now }), 202)
    const object = [insertObject(), { id: merchantId, createdAt: now }] as const
    try {
      await commitAsOperator(c, merchantId, { operation: 'merchants.move', object: merchantId, response }, [
        ...(isObject ? [object] : []),
        [statements.insert(), values],
        [statements.markHome(), values],
      ])
    } catch (error) {
      if (isActiveError(error)) throw new ApiError('conflict', 'The merchant is already being moved.')
      if (isRefused(error))
        throw new ApiError('conflict', 'The merchant is being restored. Continue the restore until it is done.')
      throw error
    }
    // Copying starts when no isolate has the home in its cache. If the message of a move is lost, the cron enqueues it again.
    const sent = c.env.MOVES.send({ merchant: merchantId }, { delaySeconds: announceSeconds }).catch(
      (error: unknown) => {
        log(c.env, 'move not enqueued', { merchant: merchantId, error: String(error) })
      },
    )
    c.executionCtx.waitUntil(sent)
    return response
  })
