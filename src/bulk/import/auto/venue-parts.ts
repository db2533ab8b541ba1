import * as z from 'zod/mini'
import type { Caller } from '../../../catalogue/resource/caller.ts'
import { hasScope } from '../../../platform/auth/authenticate.ts'
import type { KnownModifier } from '../../files/items/to-rows.ts'
import { autoStatements } from '../statements/auto-statements.ts'
import type { MappedVenue } from './map-file.ts'

const options = z.array(z.looseObject({ id: z.string(), label: z.optional(z.string()) }))

/** Reads the parts of a merchant on which the mapping of a file depends. */
export async function readMappedVenue(
  { database, scope }: Caller,
  grantedScopes: readonly string[] | undefined,
): Promise<MappedVenue> {
  const [[merchant]] = await database.run([autoStatements.venue(), { merchantId: scope.merchantId }])
  return {
    currency: merchant?.currency ?? undefined,
    language: merchant?.language ?? undefined,
    timeZone: merchant?.timezone ?? 'UTC',
    canWriteMenus: hasScope(grantedScopes, 'menus:write'),
    async findMenuTitle(id) {
      const [[menu]] = await database.run([autoStatements.menuTitle(), { ...scope, id }])
      return menu?.title
    },
    async findModifiers(titles) {
      if (titles.length === 0) return []
      const [found] = await database.run([autoStatements.modifiers(), { ...scope, keys: JSON.stringify(titles) }])
      return found.flatMap((row): KnownModifier[] => {
        const { success, data } = options.safeParse(row.options)
        return success ? [{ id: row.id, title: row.title, type: row.type, options: data }] : []
      })
    },
  }
}
