import { exampleId, exampleOrder, exampleSeconds, exampleTime } from '../../platform/http/openapi/examples.ts'
import {
  isSchema,
  type JsonSchema,
  mapValues,
  outputSchema,
  ref,
  responseSchema,
} from '../../platform/http/openapi/json-schema.ts'
import { capitalize } from '../../platform/http/openapi/operation.ts'
import { type ResourcePath, resourceIdentities, resourcePaths } from '../../platform/names.ts'
import { getDetailEventData } from '../resource/details/details.operations.ts'
import { createExample } from '../resource/example.operations.ts'
import { resources } from '../resources/registry.ts'
import { getEventReference } from './event-references.ts'
import {
  type CopyRule,
  type EventName,
  type EventReference,
  eventNames,
  getEvent,
  getEventResource,
  testEventType,
} from './event-types.ts'

/** The schema of every event. */
export const eventSchema = (type: JsonSchema, data: JsonSchema, mayChange: boolean, hasData = true): JsonSchema => ({
  type: 'object',
  required: ['id', 'type', 'timestamp', 'merchantId', 'testMode', 'version', ...(hasData ? ['data'] : [])],
  properties: {
    id: {
      type: 'string',
      description: 'Unique identifier, equal on every attempt. Receivers use it to drop duplicates.',
    },
    type,
    timestamp: { type: 'string', format: 'date-time', description: 'Time of the event: ISO 8601, in UTC.' },
    merchantId: { type: 'string', description: 'Id of the merchant.' },
    testMode: { type: 'boolean', description: 'Whether the object belongs to test mode.' },
    version: { type: 'integer', minimum: 1, description: 'Version of the object. Increases with every change.' },
    sequence: {
      type: 'integer',
      minimum: 1,
      description:
        'Number of the event among those of the merchant and mode, in the order of their commits. An endpoint sees gaps for events that it does not receive. Absent in bodies that an earlier release stored.',
    },
    externalId: { type: 'string', description: 'External id of the object. Absent if it has none.' },
    release: { type: 'string', description: 'Id of the release that caused the change. Absent for other changes.' },
    restored: {
      const: true,
      description:
        'The object was deleted before and has returned with its id. Only in events of new objects; consumers that know the id replace their copy.',
    },
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

/** Values that samples share. */
export const sampleValues = { id: exampleId, seconds: exampleSeconds, order: exampleOrder }

type DataReference = NonNullable<EventReference['data']>

const documentedViews: ReadonlyMap<string, JsonSchema> = new Map(
  [resources.coupons].map((resource) => [resource.name, responseSchema(resource, resource.view)]),
)

/** The schema of the data of an event. Objects of resources in it have the descriptions of their fields. */
function describeData({ name, schema, description }: DataReference): JsonSchema {
  if (!schema) return { type: 'object', additionalProperties: true, ...(description !== undefined && { description }) }
  const whole = outputSchema(schema())
  const { properties = {}, ...shown } = whole
  if (name === undefined)
    return { type: 'object', description: shown.description ?? '', required: shown.required ?? [], properties }
  if (!Object.keys(properties).some((key) => documentedViews.has(key))) return whole
  const described = mapValues(properties, (part, key) => {
    const view = documentedViews.get(key)
    return view && isSchema(part) ? { ...view, description: part.description ?? '' } : part
  })
  return { ...shown, properties: described }
}

/** The schemas of the data of events, by their names in the document. */
export const eventSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  eventNames.flatMap((type) => {
    const { data } = getEventReference(type)
    return data?.name === undefined ? [] : [[data.name, describeData(data)]]
  }),
)

/** The schema of the data of an event in a description of requests, which refers to schemas by their names. */
export function refToData(type: EventName | typeof testEventType): JsonSchema {
  const { data } = getEventReference(type)
  if (data) return data.name === undefined ? (data.schema ? describeData(data) : { type: 'object' }) : ref(data.name)
  return getEvent(type).stored === 'object'
    ? ref(capitalize(getEventResource(type) ?? ''))
    : ref(getDetailEventData(type).schemaName)
}

const createSample = (type: EventName | typeof testEventType, version: number, data: object, previous?: object) => ({
  id: exampleId('evt'),
  type,
  timestamp: exampleTime.toISOString(),
  merchantId: exampleId('mer'),
  testMode: false,
  version,
  sequence: 1,
  data,
  ...(previous && { previous }),
})

function createEventType(type: EventName, schema: JsonSchema, data: object, previous?: object): EventType {
  const { copy, version = 1 } = getEventReference(type)
  return {
    type,
    copy,
    schema: eventSchema({ const: type, description: 'Type of the event.' }, schema, previous !== undefined),
    sample: createSample(type, version, data, previous),
  }
}

/** The deletion of a damaged object has only the fields that could be read. */
const readable = (schema: JsonSchema): JsonSchema => ({ ...schema, required: ['id'] })

/** Schema and samples of the objects of a resource. */
async function createObjects(path: ResourcePath) {
  const { [path]: resource } = resources
  const { create, update } = resource.examples
  const { view } = await createExample(resource, create)
  const { view: changed } = await createExample(resource, { ...create, ...update })
  const before = new Map(Object.entries(view))
  const previous = Object.fromEntries(Object.keys(update).map((field) => [field, before.get(field) ?? null]))
  return { schema: responseSchema(resource, resource.view), view, changed, previous }
}
type Objects = Awaited<ReturnType<typeof createObjects>>

function toEventType(type: EventName, objects: ReadonlyMap<string, Objects>): EventType {
  const { data, hasPrevious, copy } = getEventReference(type)
  if (data) return createEventType(type, describeData(data), data.sample(sampleValues))
  const resource = getEvent(type).stored === 'object' ? getEventResource(type) : undefined
  const known = resource && objects.get(resourceIdentities[resource].path)
  if (!known) {
    const { schema, sample } = getDetailEventData(type)
    return createEventType(type, schema, sample)
  }
  const { schema, view, changed, previous } = known
  if (hasPrevious) return createEventType(type, schema, changed, previous)
  return createEventType(type, copy === 'delete' ? readable(schema) : schema, view)
}

const objects = new Map(
  await Promise.all(resourcePaths.map(async (path) => [path, await createObjects(path)] as const)),
)

/** Every type of event, with its JSON Schema and a sample. */
export const eventTypes: readonly EventType[] = eventNames.map((type) => toEventType(type, objects))

/** The event that `POST …/test` sends. Webhooks cannot subscribe to it. */
export const testNotification = {
  type: testEventType,
  sample: createSample(testEventType, 1, getEventReference(testEventType).data?.sample(sampleValues) ?? {}),
} as const
