import { Hono } from 'hono'
import * as z from 'zod'
import { settle } from '../core/draft.ts'
import { type EventName, eventNames, verbs } from '../core/events.ts'
import { createId } from '../core/ids.ts'
import type { Draft, Kept, Presentation } from '../core/resource.ts'
import type { JsonSchema } from '../core/schemas.ts'
import type { Env } from '../env.ts'
import * as resources from '../resources/index.ts'

/** What the catalogue needs of a resource. */
interface Catalogued extends Pick<Kept, 'name' | 'idPrefix' | 'hooks'> {
  example: object
  create: { schema: z.ZodType<Draft> }
  item: z.ZodType<object>
  view: z.ZodType
  present(item: object, presentation: Presentation): object
}

const all: readonly Catalogued[] = Object.values(resources)

const at = new Date('2026-11-21T09:00:00Z')

/** The example of a resource as it would be shown in an event. */
function sampleOf({ hooks, idPrefix, create, item, example, present }: Catalogued): object {
  const draft = settle({ hooks }, {}, create.schema.parse(example))
  const seconds = at.getTime() / 1000
  const made = { id: createId(idPrefix), testMode: false, createdAt: seconds, updatedAt: seconds }
  return present(item.parse({ ...hooks.complete(draft), ...hooks.generate(), ...made }), {
    baseUrl: 'https://menu.example',
  })
}

/** What every event looks like. */
export const eventSchema = (type: JsonSchema, data: JsonSchema, mayChange: boolean): JsonSchema => ({
  type: 'object',
  required: ['id', 'type', 'timestamp', 'merchantId', 'testMode', 'version', 'data'],
  properties: {
    id: { type: 'string', description: 'The same on every attempt; what a receiver drops duplicates by.' },
    type,
    timestamp: { type: 'string', format: 'date-time' },
    merchantId: { type: 'string' },
    testMode: { type: 'boolean' },
    version: { type: 'integer', minimum: 1, description: 'Grows with every change of the object.' },
    data,
    ...(mayChange && {
      previous: { type: 'object', description: 'The old values of what was changed; null where there was none.' },
    }),
  },
})

/** One entry: what an event of this type looks like. */
function entry(type: EventName, version: number, schema: JsonSchema, data: object, previous?: object) {
  const [merchantId, id] = [createId('mer'), createId('evt')]
  const sample = {
    id,
    type,
    timestamp: at.toISOString(),
    merchantId,
    testMode: false,
    version,
    data,
    ...(previous && { previous }),
  }
  return { type, schema: eventSchema({ const: type }, schema, previous !== undefined), sample }
}

function entriesOf(resource: Catalogued) {
  const schema = z.toJSONSchema(resource.view, { io: 'output' })
  const sample = sampleOf(resource)
  const [field = ''] = Object.keys(resource.example)
  const versions = { created: 1, updated: 2, deleted: 3 } as const
  return verbs.map((verb) =>
    entry(
      `${resource.name}.${verb}`,
      versions[verb],
      schema,
      sample,
      verb === 'updated' ? { [field]: null } : undefined,
    ),
  )
}

const order = () =>
  entry(
    'order.created',
    1,
    { type: 'object', description: 'Whatever the ordering system published.' },
    { orderId: '1234', total: 12.5 },
  )

let text: string | undefined

/** `GET /event-types`: every event there is, with its JSON Schema and a sample; built when it is first asked for. */
export const catalogue = new Hono<Env>().get('/event-types', (c) => {
  text ??= JSON.stringify(
    [order(), ...all.flatMap(entriesOf)].toSorted((a, b) => eventNames.indexOf(a.type) - eventNames.indexOf(b.type)),
  )
  return c.body(text, 200, { 'content-type': 'application/json' })
})
