import { ApiError, type Client } from 'merchant-ordering-client'
import type { Context } from '../../command.ts'
import { isRecord } from '../../files.ts'
import { type LiveObject, readLiveVenue } from './live-venue.ts'
import { mapAllReferences } from './references.ts'
import { countedFields, merchantFields, readOnlyFields, referencePaths, venueResources } from './venue-fields.ts'

const without = (value: object, names: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))

const idOnly: ReadonlySet<string> = new Set(['id'])
const sectionTexts: ReadonlySet<string> = new Set(['sections'])

/** A menu without the ids of its sections, which the service makes. Texts of sections are stored by these ids. */
const withoutSectionIds = ({ sections, ...menu }: Record<string, unknown>) => ({
  ...menu,
  ...(Array.isArray(sections) && {
    sections: sections.map((section: unknown) => (isRecord(section) ? without(section, idOnly) : section)),
  }),
})

const withoutSectionTexts = ({ translations, ...details }: Record<string, unknown>) => ({
  ...details,
  ...(isRecord(translations) && {
    translations: Object.fromEntries(
      Object.entries(translations).map(([language, texts]) => [
        language,
        isRecord(texts) ? without(texts, sectionTexts) : texts,
      ]),
    ),
  }),
})

const hasSectionTexts = ({ details }: LiveObject) =>
  isRecord(details?.['translations']) &&
  Object.values(details['translations']).some((texts) => isRecord(texts) && 'sections' in texts)

/** Settings of the merchant. Undefined if the key may not read them. */
async function readSettings(client: Client, context: Context): Promise<object | undefined> {
  try {
    return without(await client.merchant.retrieve({ signal: context.signal }), merchantFields)
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403)) throw error
    context.output.note('The settings are left out: the key lacks merchant:read.')
    return undefined
  }
}

/** The venue as a file for `apply`. */
export async function describeVenue(client: Client, context: Context): Promise<string> {
  const venue = await readLiveVenue(client, context.signal)
  const merchant = await readSettings(client, context)
  const toKey = (reference: unknown) =>
    typeof reference === 'string' ? (venue.keyOf(reference) ?? reference) : reference
  const toMember = ({ resource, object, details, limits }: LiveObject) => {
    const { body: ofBody, details: ofDetails } = referencePaths[resource]
    const fields = mapAllReferences(without(without(object, readOnlyFields), countedFields), ofBody, toKey)
    const named = details && mapAllReferences(details, ofDetails, toKey)
    const isMenu = resource === 'menus'
    return {
      ...(isMenu ? withoutSectionIds(fields) : fields),
      ...(named && { details: isMenu ? withoutSectionTexts(named) : named }),
      ...(limits && { limits }),
    }
  }
  const sections = venueResources.flatMap((resource) => {
    const objects = venue.objects.filter((each) => each.resource === resource)
    const members = objects.map((each) => [each.externalId ?? each.id, toMember(each)] as const)
    return members.length > 0 ? [[resource, Object.fromEntries(members)] as const] : []
  })
  const texts = venue.objects.filter((each) => each.resource === 'menus' && hasSectionTexts(each)).length
  if (texts > 0) context.output.note(`Translated sections of ${texts} menus are left out.`)
  const unnamed = venue.objects.filter(({ externalId }) => externalId === undefined).length
  if (unnamed > 0)
    context.output.note(
      `${unnamed} objects have no external id. The file names them by their ids: it fits only this venue.`,
    )
  const { writeYaml } = await import('./yaml-text.ts')
  return writeYaml({ ...(merchant && { merchant }), ...Object.fromEntries(sections) })
}
