import { expect, test } from 'vitest'
import {
  countedFields,
  merchantFields,
  type ReferencePath,
  readOnlyFields,
  referencePaths,
  venueResources,
} from '../../packages/cli/src/commands/venue/venue-fields.ts'
import { merchantSchemas } from '../../src/admin/merchant-schemas.ts'
import { resources } from '../../src/catalogue/resources/registry.ts'

const nameOf = (table: unknown) => Object.values(resources).find((each) => each.table === table)?.path
const sort = (paths: readonly ReferencePath[]) => paths.map(({ to, path }) => `${to} ${path.join('/')}`).sort()

test.each(venueResources)('a venue file names objects in all places where %s do', async (path) => {
  const resource = resources[path]
  const ofBody = resource.references.map(({ target, path: place }) => `${nameOf(target)} ${[...place, '*'].join('/')}`)
  const details = 'details' in resource ? await resource.details?.load() : undefined
  const ofDetails = (details?.references ?? []).map(({ target, path: place }) => `${target} ${place.join('/')}`)
  expect(sort(referencePaths[path].body)).toEqual(ofBody.sort())
  expect(sort(referencePaths[path].details)).toEqual([...ofDetails].sort())
})

test('an exported file has the fields that clients write, but those that the service counts', () => {
  for (const path of venueResources) {
    const { item, create, counters } = resources[path]
    const shown = Object.keys(item.shape).filter((name) => !readOnlyFields.has(name))
    expect([path, shown.filter((name) => !(name in create.schema.shape))]).toEqual([path, []])
    for (const name of Object.keys(counters ?? {})) expect(countedFields).toContain(name)
  }
  const settings = Object.keys(merchantSchemas.view.shape).filter((name) => !merchantFields.has(name))
  expect(settings.sort()).toEqual(Object.keys(merchantSchemas.update.shape).sort())
})
