import { getTableName } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createCollections } from '../../../packages/client/src/collections.ts'
import { Transport } from '../../../packages/client/src/transport.ts'
import { erasedEventName, eventNames } from '../../../src/catalogue/events/event-types.ts'
import { resources } from '../../../src/catalogue/resources/registry.ts'
import { scopes } from '../../../src/platform/auth/api-keys.ts'
import {
  detailEventNames,
  resourceIdentities,
  resourceNames,
  resourcePaths,
  verbs,
} from '../../../src/platform/names.ts'
import { routes } from '../../support/routes.ts'
import { samples } from '../../support/samples.ts'

const sorted = (names: readonly string[]) => names.toSorted()

describe('the registry', () => {
  test('exports one declaration for each resource, under its path', () => {
    expect(sorted(Object.keys(resources))).toEqual(sorted(resourcePaths))
    for (const [key, { name, path, idPrefix, table }] of Object.entries(resources)) {
      expect([key, getTableName(table)]).toEqual([path, path])
      expect({ path, idPrefix }).toEqual(resourceIdentities[name])
    }
  })

  test('gives no path and no prefix to two resources', () => {
    const identities = Object.values(resourceIdentities)
    expect(new Set(identities.map(({ path }) => path)).size).toBe(identities.length)
    expect(new Set(identities.map(({ idPrefix }) => idPrefix)).size).toBe(identities.length)
  })

  test.each(resourcePaths)('serves the five operations of %s', (path) => {
    const collection = `/merchants/:merchantId/${path}`
    const served = routes.map((route) => `${route.method} ${route.path}`)
    expect(served).toEqual(
      expect.arrayContaining([
        `GET ${collection}`,
        `POST ${collection}`,
        `GET ${collection}/:id`,
        `POST ${collection}/:id`,
        `DELETE ${collection}/:id`,
      ]),
    )
  })

  test('names the scopes, the events, the collections of the client and the samples of the contract tests', () => {
    expect(scopes).toEqual(expect.arrayContaining(resourcePaths.flatMap((path) => [`${path}:read`, `${path}:write`])))
    const raised = resourceNames.flatMap((name) => verbs.map((verb) => `${name}.${verb}`))
    const all = ['order.created', ...raised, ...detailEventNames, erasedEventName]
    expect(eventNames.filter((name) => all.includes(name))).toEqual(all)
    const transport = new Transport({ origin: 'https://api.example', key: 'sk_test_' })
    expect(Object.keys(createCollections(transport, (path) => path))).toEqual(resourcePaths)
    expect(sorted(samples.map(({ collection }) => collection))).toEqual(sorted(resourcePaths))
    for (const { name, collection, prefix } of samples) {
      expect({ name, path: collection, idPrefix: prefix }).toEqual({
        name,
        ...Object.entries(resourceIdentities).find(([key]) => key === name)?.[1],
      })
    }
  })
})
