import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { listedObjects } from '../../../src/bulk/batch/statements/row-parameters.ts'
import type { Draft } from '../../../src/catalogue/resource/definition.ts'
import {
  getListOrder,
  hasFurtherConditions,
  type ListShape,
} from '../../../src/catalogue/resource/statements/list-statements.ts'
import { createRowWrites, oneObject } from '../../../src/catalogue/resource/statements/row-writes.ts'
import { getStatements } from '../../../src/catalogue/resource/statements/statements.ts'
import { resourceList } from '../../../src/catalogue/resources/registry.ts'
import { sqlName } from '../../../src/platform/db/sql-name.ts'
import { createVenue } from '../../support/api.ts'
import { observe, plansOf } from '../../support/d1.ts'

const all = resourceList
const either = [false, true]
const subsetsOf = (names: readonly string[]) =>
  Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_name, index) => bits & (1 << index)))

/** Every list that a query can ask for. */
const shapesOf = (filters: readonly string[], uses: readonly string[]): ListShape[] =>
  subsetsOf(filters).flatMap((chosen) =>
    subsetsOf([
      ...['ascending', 'continued', 'updatedSince', 'ids', 'externalIds', 'search'],
      ...uses.map((use) => `by ${use}`),
    ]).map((flags) => ({
      filters: chosen,
      ascending: flags.includes('ascending') || flags.includes('updatedSince'),
      continued: flags.includes('continued'),
      updatedSince: flags.includes('updatedSince'),
      ids: flags.includes('ids'),
      externalIds: flags.includes('externalIds'),
      uses: uses.filter((use) => flags.includes(`by ${use}`)),
      includesExternalId: flags.includes('externalIds'),
      includesDetails: false,
      search: flags.includes('search'),
    })),
  )

describe.each(all.map((resource) => [`${resource.name}s`, resource] as const))('a list of %s', (_, resource) => {
  const name = getTableName(resource.table)
  const statements = getStatements(resource)
  /** Lookup of a filter in a query plan. Undefined for a boolean, because an index on it would at best halve the rows. */
  const lookups = Object.fromEntries(
    Object.entries(resource.filters).map(([filter, column]) => [
      filter,
      column.dataType === 'boolean' ? undefined : `${sqlName(column.name)}=?`,
    ]),
  )

  test.each(resource.spansModes ? either : [false])(
    'is read by an index, whatever is asked (both modes: %o)',
    async (bothModes) => {
      const { references, referrers, indexed } = resource
      const used = [...references, ...referrers, ...(indexed ? [indexed] : [])].map(({ filter }) => filter)
      const shapes = shapesOf(Object.keys(resource.filters), used)
      const plans = await plansOf(shapes.map((shape) => statements.list.page(bothModes, shape).sql))
      for (const [index, shape] of shapes.entries()) {
        const plan = plans[index] ?? []
        const steps = plan.filter((step) => new RegExp(`^(SCAN|SEARCH) ${name}\\b`).test(step))
        const what = JSON.stringify(shape)
        const { filters, uses, updatedSince, ids, externalIds, search, continued } = shape
        const sorts = plan.some((line) => line.includes('TEMP B-TREE'))
        const exact = filters.flatMap((filter) => lookups[filter] ?? [])
        const order = getListOrder(resource, shape)
        const examines = order !== 'number' && hasFurtherConditions(resource, shape)
        const isByNumber = order === 'number'
        // A page in the order of numbers begins behind the number of an object.
        expect(steps.length, what).toBe(examines || (isByNumber && continued) ? 2 : 1)
        const [first = '', found = ''] = steps
        const step = isByNumber && !first.includes('(rowid=?)') ? found : first
        expect(step, what).toMatch(/^SEARCH /)

        if (externalIds) {
          expect(step, what).toContain('USING INTEGER PRIMARY KEY (rowid=?)')
          expect(plan, what).toContainEqual(
            expect.stringMatching(
              /^SEARCH external_ids USING COVERING INDEX|^SEARCH external_ids USING PRIMARY KEY|^SEARCH external_ids USING INDEX sqlite_autoindex/,
            ),
          )
          continue
        }
        if (isByNumber) {
          expect(step, what).toContain('USING INTEGER PRIMARY KEY (rowid=?)')
          const numbers = search
            ? expect.stringMatching(new RegExp(`^SCAN ${name}_search VIRTUAL TABLE INDEX \\d+:.*M1`))
            : expect.stringMatching(
                uses.some((use) => references.some(({ filter }) => filter === use))
                  ? /^SEARCH \w+ USING COVERING INDEX \w+_target \(target=\?/
                  : uses.some((use) => referrers.some(({ filter }) => filter === use))
                    ? /^SEARCH \w+ USING COVERING INDEX sqlite_autoindex_\w+ \(owner=\?/
                    : /^SEARCH product_labels USING COVERING INDEX \w+ \(merchant_id=\? AND test_mode=\? AND label=\?/,
              )
          expect(plan, what).toContainEqual(numbers)
          expect(sorts, what).toBe(false)
          continue
        }
        expect(step, what).toContain(bothModes ? '(merchant_id=?' : '(merchant_id=? AND test_mode=?')
        if (exact.length > 0) {
          expect(
            exact.some((lookup) => step.includes(lookup)),
            `${what} ${step}`,
          ).toBe(true)
          // The objects with one of several texts are few.
          expect(sorts, what).toBe(filters.some((filter) => resource.listFilters.includes(filter)))
          if (examines) {
            expect(step, what).toContain('USING COVERING INDEX')
            expect(found, what).toContain('USING INTEGER PRIMARY KEY (rowid=?)')
          }
        } else if (ids) {
          expect(step, what).toContain('id=?)')
          expect(sorts, what).toBe(false)
        } else if (updatedSince) {
          expect(step, what).toMatch(continued ? /\(updated_at,id\)>\(\?,\?\)/ : /updated_at>\?/)
          expect(sorts, what).toBe(false)
          if (examines) {
            expect(step, what).toContain('USING COVERING INDEX')
            expect(found, what).toContain('USING INTEGER PRIMARY KEY (rowid=?)')
          }
        } else {
          expect(sorts, what).toBe(false)
          if (continued) expect(step, what).toMatch(/\bid[<>]\?\)/)
        }
      }
    },
  )

  test('is all that is read by anything but a key', async () => {
    const { hooks, references } = resource
    const readText = ({ text }: Draft) => String(text)
    const bare = {
      ...resource,
      hooks: { ...hooks, searchTexts: (draft: Draft) => ({ names: [readText(draft)] }) },
      references: references.map((reference) => ({
        ...reference,
        field: 'text',
        listIds: (draft: Draft) => [{ pointer: '', id: readText(draft) }],
      })),
    }
    const object = { id: 'a', before: { text: 'b' }, after: { text: 'c' } }
    const changed = { ...object, externalId: 'd', previousExternalId: 'e' }
    const sources = [oneObject, listedObjects].map((source) => createRowWrites(bare, source))
    const written = either.flatMap((testMode) => {
      const values = { merchantId: 'f', testMode }
      const dependents = sources.flatMap(({ dependents: write, limit }) => [
        ...write(values, [changed]),
        ...write(values, [{ ...object, repairs: true }]),
        ...limit(values),
      ])
      // Two for external ids, one for search terms; links are deleted, deleted one by one, and inserted.
      expect(new Set(dependents.map(([statement]) => statement)).size).toBe(
        2 * (3 + 3 * references.length + (resource.maxPerMode === undefined ? 0 : 1)),
      )
      return dependents.map(([statement]) => statement)
    })
    const others = [
      statements.find(false),
      statements.update(false, ['updatedAt']),
      statements.remove(false),
      ...(resource.spansModes
        ? [statements.find(true), statements.update(true, ['updatedAt']), statements.remove(true)]
        : []),
      ...statements.prune(),
      ...statements.missing(),
      ...written,
      ...Object.values(statements.externalIds).flatMap((build) => either.map((bothModes) => build(bothModes))),
    ]
    const plans = await plansOf(others.map(({ sql }) => sql))
    for (const [index, { sql }] of others.entries()) {
      const scans = plans[index]?.filter(
        (step) =>
          step.startsWith('SCAN ') &&
          !/^SCAN (named|CONSTANT ROW|json_each|outer|value|section|\(subquery|\w+ VIRTUAL)/.test(step),
      )
      expect([sql, scans]).toEqual([sql, []])
    }
  })
})

test('what the operator’s routes read is read by an index', async () => {
  const { id, keyId } = await createVenue()
  const key = env.ADMIN_TOKEN ?? ''
  for (const [method, path, json] of [
    ['GET', '/admin/merchants', undefined],
    ['GET', '/admin/merchants?order=asc&limit=1', undefined],
    ['GET', `/admin/merchants/${id}`, undefined],
    ['POST', `/admin/merchants/${id}`, { name: 'Other' }],
    ['GET', `/admin/merchants/${id}/keys`, undefined],
    ['GET', `/admin/merchants/${id}/keys?order=asc`, undefined],
    ['POST', `/admin/merchants/${id}/keys/${keyId}/roll`, {}],
    ['DELETE', `/admin/merchants/${id}/keys/${keyId}`, undefined],
  ] as const) {
    const { trips, status } = await observe(method, path, { key, ...(json === undefined ? {} : { json }) })
    expect(status).toBeLessThan(300)
    const asked = trips.flatMap(({ statements }) => statements).filter((sql) => !sql.trim().startsWith('insert'))
    for (const [index, plan] of (await plansOf(asked)).entries()) {
      // Subqueries look up the home of a merchant.
      const reads = plan.filter((step) => !/^CORRELATED SCALAR SUBQUERY/.test(step))
      const known = expect.stringMatching(
        /^SEARCH (merchants|keys|homes|sessions|invitations) USING (?:COVERING )?INDEX/,
      )
      expect([asked[index], reads]).toEqual([asked[index], reads.map(() => known)])
      expect(reads.filter((step) => /^SEARCH (?:merchants|keys|invitations)/.test(step))).toHaveLength(1)
    }
  }
})
