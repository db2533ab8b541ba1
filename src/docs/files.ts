import packageJson from '../../package.json' with { type: 'json' }
import * as resources from '../resources/registry.ts'
import { catalogue, type Entry } from './catalogue.ts'
import { auditChapter } from './chapters/audit.ts'
import { deliveriesChapter, eventsChapter } from './chapters/delivery.ts'
import { keysChapter } from './chapters/keys.ts'
import { maintenanceChapter } from './chapters/maintenance.ts'
import { merchantsChapter } from './chapters/merchants.ts'
import { tagImportChapter } from './chapters/oldertags.ts'
import { resourceChapter } from './chapters/resource.ts'
import { guestsChapter, scansChapter } from './chapters/scan.ts'
import { serviceChapter } from './chapters/service.ts'
import { errorsPage } from './errors.ts'
import { landingPage } from './landing.ts'
import { llms } from './llms.ts'
import { models } from './models.ts'
import { openapi, schemasOf } from './openapi.ts'
import { documentationLook } from './page.ts'
import { referencePage, referenceStart } from './reference.ts'

const chapters = async (entries: readonly Entry[]) => [
  await resourceChapter('products', resources.products),
  await resourceChapter('modifiers', resources.modifiers),
  await resourceChapter('menus', resources.menus),
  await resourceChapter('coupons', resources.coupons),
  await resourceChapter('customers', resources.customers),
  await resourceChapter('tags', resources.tags),
  await resourceChapter('webhooks', resources.webhooks),
  eventsChapter(entries),
  deliveriesChapter(),
  auditChapter(),
  scansChapter(),
  guestsChapter(),
  merchantsChapter(),
  keysChapter(),
  await tagImportChapter(),
  maintenanceChapter(),
  serviceChapter(),
]

/** The documentation, file by file: what `http/documentation.ts` serves, but for the program that draws the reference. */
export async function files(): Promise<Readonly<Record<string, string>>> {
  const entries = await catalogue()
  const told = await chapters(entries)
  return {
    'index.html': await landingPage(),
    'reference.html': await referencePage(),
    'start.js': referenceStart,
    'llms.txt': llms(told),
    'openapi.json': JSON.stringify(openapi(told, entries, packageJson)),
    'event-types.json': JSON.stringify(entries),
    'errors.html': await errorsPage(),
    'look.css': documentationLook,
  }
}

/** The types of the client, which are kept in the tree: `src/client/models.ts`. */
export async function clientModels(): Promise<string> {
  const told = await chapters(await catalogue())
  return models(schemasOf(told), told)
}
