import * as z from 'zod/mini'
import { eventNames } from '../../catalogue/events/event-types.ts'
import type { ResourceDefinition } from '../../catalogue/resource/definition.ts'
import { isSameJson } from '../../catalogue/resource/merge-patch.ts'
import { resourceList } from '../../catalogue/resources/registry.ts'
import type { Issue } from '../../platform/errors.ts'
import * as field from '../../platform/http/fields.ts'
import { toJsonPointer } from '../../platform/lib/encoding/json-pointer.ts'
import { foldLabel } from '../../platform/lib/search-terms.ts'
import { type ResourceName, verbs } from '../../platform/names.ts'
import { signatureSchemes } from '../signatures/signature-schemes.ts'

/** Maximum number of types that a member names, and of fields of one type. */
export const filterLimits = { types: 50, fields: 50 } as const

const names = field.set(field.exactText({ min: 1, max: 64 }), filterLimits.fields)
const fieldNames = names.check(
  field.rules((list) => (list.length > 0 ? undefined : { code: 'too_short', message: 'must name a field' })),
  z.meta({ minItems: 1 }),
)
/** Orders of deliveries. */
const orders = ['none', 'object'] as const
const state = z.strictObject({
  label: z
    .nullish(field.trimmedText({ min: 1, max: field.limits.labelLength }))
    .check(
      z.describe(
        'Only `product.*` and types of events of one product: sends events of products that have this label before or after the change. Case, accents and width are ignored.',
      ),
    ),
  visible: z
    .nullish(field.boolean)
    .check(
      z.describe('Sends events of objects that are visible, or of those that are hidden, before or after the change.'),
    ),
})
/** A record by types of events, or by `<resource>.*`. */
const byType = <Value extends z.ZodMiniType>(value: Value) => z.record(z.string(), z.nullish(value))

/** The filter that a request can set; `null` clears a member. */
export const filterFields = z.strictObject({
  changed: z
    .nullish(byType(fieldNames))
    .check(
      z.describe(
        'By the type of an `.updated` event: sends it only if one of these fields changed. `{"product.updated": ["price"]}`. Absent types are sent for every change.',
      ),
    ),
  where: z
    .nullish(byType(state))
    .check(
      z.describe(
        'By a type of event, or by `product.*` or `menu.*`: sends events only of objects in this state, before or after the change. Otherwise a receiver would not learn that an object left the state.',
      ),
    ),
  fields: z
    .nullish(byType(fieldNames))
    .check(
      z.describe(
        'By a type of event, or by `<resource>.*`: fields that `data` and `previous` have. `id` is always sent. Concerns `.created`, `.updated` and `.deleted`.',
      ),
    ),
  order: z
    .nullish(z.enum(orders))
    .check(
      z.describe(
        'Order of the deliveries. `none`, the default: they are sent concurrently. `object`: a delivery waits until those of earlier events of the same object are delivered, failed or cancelled, so one that fails holds back its object for up to the whole retry schedule. Concerns later events.',
      ),
    ),
  signatures: z
    .nullish(
      field.set(z.enum(signatureSchemes), signatureSchemes.length).check(
        field.rules((list) => (list.length > 0 ? undefined : { code: 'too_short', message: 'must name a scheme' })),
        z.meta({ minItems: 1 }),
      ),
    )
    .check(
      z.describe(
        'Schemes of the signatures in `webhook-signature`: `v1`, with the secret, and `v1a`, with a private key of the webhook whose public key `GET /.well-known/webhook-keys` returns. Default: `["v1"]`. Concerns every later attempt.',
      ),
    ),
  thin: z
    .nullish(field.boolean)
    .check(
      z.describe(
        'Whether `data` of `.created`, `.updated` and `.deleted` has only `id` and `href`, the path of the object. `previous` is left out.',
      ),
    ),
})

const list = z.optional(z.record(z.string(), z.array(z.string())))
/** A filter as stored and shown. */
export const filterView = z.object({
  changed: list,
  where: z.optional(
    z.record(z.string(), z.object({ label: z.optional(z.string()), visible: z.optional(z.boolean()) })),
  ),
  fields: list,
  order: z.optional(z.enum(orders)),
  signatures: z.optional(z.array(z.enum(signatureSchemes))),
  thin: z.optional(z.boolean()),
})
export type WebhookFilter = z.output<typeof filterView>

const definitions: readonly ResourceDefinition[] = resourceList
const isEventName = (type: string) => eventNames.some((name) => name === type)

/** The resource of `<resource>.<one of the ends>`. Undefined for other types. */
function findResource(type: string, ends: readonly string[]): ResourceDefinition | undefined {
  const [noun = '', end = '', ...more] = type.split('.')
  return more.length === 0 && ends.includes(end) ? definitions.find(({ name }) => name === noun) : undefined
}

const unknownType = (pointer: string, message: string): Issue => ({ pointer, code: 'unknown_field', message })

/** Public fields of a resource: those that events show. */
const isPublished = ({ published }: ResourceDefinition, name: string) =>
  name === 'externalId' || published.includes(name)

/** Resources that `where` knows. */
const statefulResources = ['product', 'menu'] as const satisfies readonly ResourceName[]

function* checkFields(
  member: 'changed' | 'fields',
  entries: WebhookFilter['changed'],
  ends: readonly string[],
  expected: string,
): Iterable<Issue> {
  for (const [type, fields] of Object.entries(entries ?? {})) {
    const resource = findResource(type, ends)
    if (!resource) yield unknownType(toJsonPointer([member, type]), expected)
    for (const [index, name] of resource ? fields.entries() : []) {
      if (resource && isPublished(resource, name)) continue
      yield unknownType(toJsonPointer([member, type, index]), 'is not a field that the event shows')
    }
  }
}

function* checkWhere({ where }: WebhookFilter): Iterable<Issue> {
  for (const [type, { label }] of Object.entries(where ?? {})) {
    const noun = type.split('.')[0] ?? ''
    const isKnown = statefulResources.some((name) => name === noun)
    const isOfObject = type === `${noun}.*` || (isEventName(type) && findResource(type, [...verbs, 'details_updated']))
    if (label !== undefined && noun === 'menu')
      yield unknownType(toJsonPointer(['where', type, 'label']), 'must be absent: only products have labels')
    if (isKnown && isOfObject) continue
    yield unknownType(
      toJsonPointer(['where', type]),
      'must be product.*, menu.* or the type of an event of one product or menu',
    )
  }
}

function* checkCounts(filter: WebhookFilter): Iterable<Issue> {
  for (const member of ['changed', 'where', 'fields'] as const) {
    if (Object.keys(filter[member] ?? {}).length <= filterLimits.types) continue
    yield { pointer: `/${member}`, code: 'too_long', message: `must have at most ${filterLimits.types} members` }
  }
}

/** The filter as stored: with the folded labels, which the statement that fans out compares. */
export const toStoredFilter = ({ where, ...others }: WebhookFilter) => ({
  ...others,
  ...(where && {
    where: Object.fromEntries(
      Object.entries(where).map(([type, { label, ...rest }]) => [
        type,
        { ...rest, ...(label !== undefined && { label, labelKey: foldLabel(label) }) },
      ]),
    ),
  }),
})

/** The issues of a filter that names unknown types or fields. */
export const getFilterIssues = (filter: WebhookFilter): readonly Issue[] => [
  ...checkCounts(filter),
  ...checkFields('changed', filter.changed, ['updated'], 'must be the type of an updated event of a resource'),
  ...checkWhere(filter),
  ...checkFields(
    'fields',
    filter.fields,
    [...verbs, '*'],
    'must be <resource>.* or the type of a created, updated or deleted event',
  ),
]

/** Types of events of which a change of the filter can send more to the endpoint: who makes it must be able to read them. */
export function listWidened(
  before: WebhookFilter,
  after: WebhookFilter,
  subscribed: readonly string[],
): readonly string[] {
  if (before.thin === true && after.thin !== true) return subscribed
  const names = new Set(
    (['changed', 'where', 'fields'] as const).flatMap((member) => {
      const [had, has] = [before[member] ?? {}, after[member] ?? {}]
      return Object.keys({ ...had, ...has }).filter((name) => !isSameJson(had[name], has[name]))
    }),
  )
  return eventNames.filter((type) => names.has(type) || names.has(`${type.split('.')[0]}.*`))
}
