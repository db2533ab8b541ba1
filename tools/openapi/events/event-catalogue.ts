import * as resources from '../../../src/catalogue/resources/registry.ts'
import {
  detailEventNames,
  type EventName,
  erasedEventName,
  eventNames,
  type ResourcePath,
  resourcePaths,
  tillEventNames,
  verbs,
} from '../../../src/platform/names.ts'
import { createExample, exampleId, exampleOrder, exampleTime } from '../examples.ts'
import type { JsonSchema } from '../json-schema.ts'
import { getDetailEventData } from '../operations/details.ts'
import { responseSchema } from '../resource-schemas.ts'
import { type CopyRule, tillEventData, tillEventSchemas } from './till-events.ts'

/** The schema of every event. */
export const eventSchema = (type: JsonSchema, data: JsonSchema, mayChange: boolean, hasData = true): JsonSchema => ({
  type: 'object',
  required: ['id', 'type', 'timestamp', 'merchantId', 'testMode', 'version', ...(hasData ? ['data'] : [])],
  properties: {
    id: {
      type: 'string',
      description: 'Unique identifier, the same on every attempt. Receivers use it to drop duplicates.',
    },
    type,
    timestamp: { type: 'string', format: 'date-time', description: 'Time of the event: ISO 8601, in UTC.' },
    merchantId: { type: 'string', description: 'Id of the merchant.' },
    testMode: { type: 'boolean', description: 'Whether the object belongs to test mode.' },
    version: { type: 'integer', minimum: 1, description: 'Version of the object. Increases with every change.' },
    externalId: { type: 'string', description: 'External id of the object. Absent if it has none.' },
    data,
    ...(mayChange && {
      previous: {
        type: 'object',
        additionalProperties: true,
        description: 'Previous values of the changed fields. `null`: the field had no value.',
      },
    }),
  },
})

/** A type of event with its JSON Schema and a sample. */
export interface EventType {
  type: EventName
  copy: CopyRule
  schema: JsonSchema
  sample: object
}

function createEventType(
  type: EventName,
  copy: CopyRule,
  version: number,
  schema: JsonSchema,
  data: object,
  previous?: object,
): EventType {
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
  return {
    type,
    copy,
    schema: eventSchema({ const: type, description: 'Type of the event.' }, schema, previous !== undefined),
    sample,
  }
}

/** The deletion of a damaged object has only the fields that could be read. */
const readable = (schema: JsonSchema): JsonSchema => ({ ...schema, required: ['id'] })

const versions = { created: 1, updated: 2, deleted: 3 } as const
const copies = { created: 'create', updated: 'replace', deleted: 'delete' } as const

async function listEventTypes(path: ResourcePath): Promise<EventType[]> {
  const { [path]: resource } = resources
  const schema = responseSchema(resource, resource.view)
  const { create, update } = resource.examples
  const { view } = await createExample(resource, create)
  const { view: changed } = await createExample(resource, { ...create, ...update })
  const before = new Map(Object.entries(view))
  const previous = Object.fromEntries(Object.keys(update).map((field) => [field, before.get(field) ?? null]))
  return verbs.map((verb) =>
    verb === 'updated'
      ? createEventType(`${resource.name}.${verb}`, copies[verb], versions[verb], schema, changed, previous)
      : createEventType(
          `${resource.name}.${verb}`,
          copies[verb],
          versions[verb],
          verb === 'deleted' ? readable(schema) : schema,
          view,
        ),
  )
}

const publishedEventType = createEventType(
  'order.created',
  'none',
  1,
  { type: 'object', additionalProperties: true, description: 'The order, as the ordering system published it.' },
  exampleOrder,
)

/** The data of `customer.erased`. */
export const erasureSchema: JsonSchema = {
  type: 'object',
  description: 'The customer is deleted, and its data must be deleted from all copies. No `customer.deleted` follows.',
  required: ['id'],
  properties: { id: { type: 'string', description: 'Id of the erased customer.' } },
}
const erasureEventType = createEventType(erasedEventName, 'delete', 2, erasureSchema, { id: exampleId('cus') })

/** Every type of event, with its JSON Schema and a sample. */
export async function createEventCatalogue(): Promise<EventType[]> {
  const entries = await Promise.all(resourcePaths.map(listEventTypes))
  const tillEvents = tillEventNames.map((name) => {
    const { schema, copy, sample } = tillEventData[name]
    return createEventType(name, copy, 1, tillEventSchemas[schema], sample)
  })
  const detailEvents = detailEventNames.map((name) => {
    const { schema, sample } = getDetailEventData(name)
    return createEventType(name, 'merge', 1, schema, sample)
  })
  return [publishedEventType, ...entries.flat(), ...tillEvents, ...detailEvents, erasureEventType].toSorted(
    (a, b) => eventNames.indexOf(a.type) - eventNames.indexOf(b.type),
  )
}
