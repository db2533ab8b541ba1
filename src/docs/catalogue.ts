import { type EventName, eventNames, verbs } from '../core/events.ts'
import * as resources from '../resources/index.ts'
import { bodies, exampleId, exampleOf, exampleTime } from './examples.ts'
import { type JsonSchema, outputSchema } from './schemas.ts'

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

/** One type of event: what such an event looks like, and one of them. */
export interface Entry {
  type: EventName
  schema: JsonSchema
  sample: object
}

function entry(type: EventName, version: number, schema: JsonSchema, data: object, previous?: object): Entry {
  const sample = {
    id: exampleId('evt'),
    type,
    timestamp: exampleTime.toISOString(),
    merchantId: exampleId('mer'),
    testMode: false,
    version,
    data,
    ...(previous && { previous }),
  }
  return { type, schema: eventSchema({ const: type }, schema, previous !== undefined), sample }
}

const versions = { created: 1, updated: 2, deleted: 3 } as const

async function entriesOf(path: keyof typeof resources): Promise<Entry[]> {
  const { [path]: resource } = resources
  const schema = outputSchema(resource.view)
  const { view } = await exampleOf(resource, bodies[path])
  const [field = ''] = Object.keys(bodies[path])
  return verbs.map((verb) =>
    entry(`${resource.name}.${verb}`, versions[verb], schema, view, verb === 'updated' ? { [field]: null } : undefined),
  )
}

const order = entry(
  'order.created',
  1,
  { type: 'object', description: 'Whatever the ordering system published.' },
  { orderId: '1234', total: 12.5 },
)

const isCollection = (path: string): path is keyof typeof resources => Object.hasOwn(resources, path)

/** Every event there is, with its JSON Schema and a sample. */
export async function catalogue(): Promise<Entry[]> {
  const entries = await Promise.all(Object.keys(resources).filter(isCollection).map(entriesOf))
  return [order, ...entries.flat()].toSorted((a, b) => eventNames.indexOf(a.type) - eventNames.indexOf(b.type))
}
