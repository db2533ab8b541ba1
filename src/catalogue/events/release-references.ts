import * as z from 'zod/mini'
import type { SampleValues } from './event-data.ts'

const releaseFields = {
  id: z.string().check(z.describe('Id of the release.')),
  title: z.string().check(z.describe('Title of the release.')),
  changes: z.int().check(z.describe('Number of its operations.')),
}

/** Data of `release.published`. */
const createReleasePublished = () =>
  z.object({
    ...releaseFields,
    created: z.int().check(z.describe('Number of objects that it created.')),
    updated: z.int().check(z.describe('Number of objects that it changed.')),
    deleted: z.int().check(z.describe('Number of objects that it deleted.')),
    publishedBy: z.string().check(z.describe('Id of the key or the member that published or scheduled it.')),
  })

/** Data of `release.failed`. */
const createReleaseFailed = () =>
  z.object({
    ...releaseFields,
    code: z.string().check(z.describe('Code of the problem.')),
    message: z.string().check(z.describe('Description of the problem.')),
    errors: z.int().check(z.describe('Number of errors of its operations, up to 20.')),
    conflicts: z.int().check(z.describe('Number of its conflicts, up to 20.')),
  })

/** A release in samples. */
const sampleRelease = ({ id }: SampleValues) => ({ id: id('rel'), title: 'Autumn menu', changes: 12 })

/** References of the events of releases. */
export const releaseReferences = {
  'release.published': {
    raised: 'A release is published. Its changes raise their own events before, in the same transaction.',
    copy: 'none' as const,
    data: {
      name: 'ReleasePublished',
      schema: createReleasePublished,
      sample: (values: SampleValues) => ({
        ...sampleRelease(values),
        ...{ created: 1, updated: 11, deleted: 0, publishedBy: values.id('key') },
      }),
    },
  },
  'release.failed': {
    raised: 'A release could not be published at its time. Nothing of it was published.',
    copy: 'none' as const,
    data: {
      name: 'ReleaseFailed',
      schema: createReleaseFailed,
      sample: (values: SampleValues) => ({
        ...sampleRelease(values),
        ...{
          code: 'release_conflict',
          message: 'Somebody else has changed 1 field of the release.',
          errors: 0,
          conflicts: 1,
        },
      }),
    },
  },
}
