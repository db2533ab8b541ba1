import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { AuditEntry } from '../../packages/client/src/client.ts'
import { getLabel } from '../screens/tables/table-label.ts'
import { showError } from '../ui/toasts.tsx'
import { api } from './api.ts'
import { t } from './language.ts'
import { hasScope, session } from './session.ts'

const find = (texts: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(texts, name) ? texts[name] : undefined

/** An operation in words: a noun and a verb. Operations that the console does not know keep their name. */
export function describeOperation({ operation }: AuditEntry, title?: string): { noun: string; verb: string } {
  const { resources, verbs, named } = t().operations
  const [resource = '', ...action] = operation.split('.')
  const noun = find(resources, resource) ?? resource
  const verb = find(verbs, operation) ?? find(verbs, action.join('.')) ?? operation
  return { noun: title === undefined ? noun : named(noun, title), verb }
}

/** Known names of objects, members and keys by id. The id itself is the name of a deleted object. */
const names = signal<ReadonlyMap<string, string>>(new Map())

/** Functions that read the names of objects, by resource. */
function listSources(): Readonly<Record<string, (ids: string[]) => Promise<readonly { id: string; name: string }[]>>> {
  const client = api()
  const titled = (['products', 'modifiers', 'menus', 'coupons', 'webhooks'] as const).map((resource) => {
    const read = async (ids: string[]) =>
      (await client[resource].list({ ids }).page()).items.map(({ id, title }) => ({ id, name: title }))
    return [resource, read] as const
  })
  return {
    ...Object.fromEntries(titled),
    customers: async (ids) =>
      (await client.customers.list({ ids }).page()).items.map(({ id, firstName, lastName }) => ({
        id,
        name: `${firstName} ${lastName}`,
      })),
    tags: async (ids) =>
      (await client.tags.list({ ids }).page()).items.map((tag) => ({ id: tag.id, name: getLabel(tag) })),
    members: async () => (await client.members.list({ limit: 100 }).page()).items,
    keys: async () =>
      (await client.keys.list({ limit: 100 }).page()).items.map(({ id, title, prefix, last4 }) => ({
        id,
        name: title ?? `${prefix}…${last4}`,
      })),
  }
}

/** The part of an entry whose names are looked up. */
export type Named = Pick<AuditEntry, 'operation' | 'object' | 'key' | 'title'>

/** Looks up the objects and the actors of entries. */
async function loadNames(entries: readonly Named[]): Promise<void> {
  const found = new Map<string, string>()
  const actors = { members: 'usr_', keys: 'key_' }
  const idsOf = (resource: string) => [
    ...entries.filter(({ operation }) => operation.startsWith(`${resource}.`)).map(({ object }) => object),
    ...Object.entries(actors).flatMap(([name, prefix]) =>
      name === resource ? entries.map(({ key }) => key).filter((id) => id.startsWith(prefix)) : [],
    ),
  ]
  await Promise.all(
    Object.entries(listSources()).map(async ([resource, read]) => {
      const ids = [...new Set(idsOf(resource))].filter((id) => !names.value.has(id))
      if (ids.length === 0 || !hasScope(`${resource}:read`)) return
      for (const id of ids) found.set(id, id)
      for (const { id, name } of await read(ids)) found.set(id, name)
    }),
  )
  if (found.size > 0) names.value = new Map([...names.value, ...found])
}

/** The name of an object, if it is known. */
function nameOf(id: string) {
  const name = names.value.get(id)
  return name === id ? undefined : name
}

/** The names of objects, without those that the session may not read. */
export async function readNames(objects: readonly { resource: string; id: string }[]): Promise<string[]> {
  await loadNames(objects.map(({ resource, id }) => ({ operation: `${resource}.`, object: id, key: '' })))
  return objects.flatMap(({ id }) => nameOf(id) ?? [])
}

/** The names of what entries of the audit log refer to. They are looked up after the entries, which are useful without them. */
export function useNames(entries: readonly Named[] | undefined) {
  useEffect(() => void loadNames(entries ?? []).catch(showError), [entries])
  return {
    /** The title at the time of the change; else the present one. */
    titleOf: ({ object, title }: Named) => title ?? nameOf(object),
    /** The actor of a change; undefined if that member or key was deleted, or if the session may not read its name. */
    actorOf({ key, name }: Pick<Named, 'key'> & { name?: string | undefined }) {
      const { operations } = t()
      const { user, support, key: own } = session.value ?? {}
      if (key === (user?.id ?? support?.operator ?? own)) return operations.you
      if (key === 'operator' || key === 'system') return operations[key]
      return name === undefined ? nameOf(key) : `${name} (${operations.operator})`
    },
  }
}
