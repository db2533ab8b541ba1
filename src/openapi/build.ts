import packageJson from '../../package.json' with { type: 'json' }
import * as resources from '../resources/registry.ts'
import { renderModels } from './client-models.ts'
import { collectSchemas, createDocument } from './document.ts'
import { createEventCatalogue, type EventType } from './event-catalogue.ts'
import { createAuditGroup } from './operations/audit.ts'
import { createKeyGroup } from './operations/keys.ts'
import { maintenanceChapter } from './operations/maintenance.ts'
import { createMerchantGroup } from './operations/merchants.ts'
import { createResourceGroup } from './operations/resources.ts'
import { createServiceGroup } from './operations/service.ts'
import { createTagImportGroup } from './operations/tag-import.ts'
import { createGuestGroup, createScanGroup } from './operations/tags.ts'
import { createDeliveryGroup, createEventGroup } from './operations/webhooks.ts'
import { renderErrorsPage } from './site/errors-page.ts'
import { renderLandingPage } from './site/landing-page.ts'
import { renderLlms } from './site/llms.ts'
import { siteStyles } from './site/page-frame.ts'
import { referenceScript, renderReferencePage } from './site/reference-page.ts'

const listOperationGroups = async (entries: readonly EventType[]) => [
  await createResourceGroup('products', resources.products),
  await createResourceGroup('modifiers', resources.modifiers),
  await createResourceGroup('menus', resources.menus),
  await createResourceGroup('coupons', resources.coupons),
  await createResourceGroup('customers', resources.customers),
  await createResourceGroup('tags', resources.tags),
  await createResourceGroup('webhooks', resources.webhooks),
  createEventGroup(entries),
  createDeliveryGroup(),
  createAuditGroup(),
  createScanGroup(),
  createGuestGroup(),
  createMerchantGroup(),
  createKeyGroup(),
  await createTagImportGroup(),
  maintenanceChapter(),
  createServiceGroup(),
]

/** The documentation, file by file: what `http/documentation.ts` serves, but for the program that draws the reference. */
export async function buildFiles(): Promise<Readonly<Record<string, string>>> {
  const entries = await createEventCatalogue()
  const described = await listOperationGroups(entries)
  return {
    'index.html': await renderLandingPage(),
    'reference.html': await renderReferencePage(),
    'start.js': referenceScript,
    'llms.txt': renderLlms(described),
    'openapi.json': JSON.stringify(createDocument(described, entries, packageJson)),
    'event-types.json': JSON.stringify(entries),
    'errors.html': await renderErrorsPage(),
    'look.css': siteStyles,
  }
}

/** The types of the client, which are kept in the tree: `src/client/models.ts`. */
export async function buildClientModels(): Promise<string> {
  const described = await listOperationGroups(await createEventCatalogue())
  return renderModels(collectSchemas(described), described)
}
