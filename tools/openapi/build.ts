import packageJson from '../../package.json' with { type: 'json' }
import * as resources from '../../src/catalogue/resources/registry.ts'
import { type ResourcePath, resourcePaths } from '../../src/platform/names.ts'
import { toCodeFile } from '../../src/storefront/pages/code-page.ts'
import { getFoodMessages } from '../../src/storefront/pages/food/languages.ts'
import { toFoodFile } from '../../src/storefront/pages/food-messages.ts'
import { pageLanguages } from '../../src/storefront/pages/messages.ts'
import { staffMessagesByLanguage } from '../../src/storefront/pages/staff/languages.ts'
import { toStaffFile } from '../../src/storefront/pages/staff-messages.ts'
import { renderBrunoCollection } from './bruno.ts'
import { renderCollections, renderEventData, renderModels } from './client-models.ts'
import { collectSchemas, createDocument } from './document.ts'
import { createEventCatalogue, type EventType } from './events/event-catalogue.ts'
import { renderEventGuide } from './events/event-guide.ts'
import type { OperationGroup } from './operation.ts'
import { createAccountGroup, createConsoleGroup } from './operations/account.ts'
import { createAuditGroup } from './operations/audit.ts'
import { createBatchGroup } from './operations/bulk/batch.ts'
import { createExportGroup } from './operations/bulk/export.ts'
import { createImportGroup } from './operations/bulk/imports.ts'
import { createCheckoutGroup } from './operations/checkout.ts'
import { createMemberGroup } from './operations/console/members.ts'
import { createDetailsGroup } from './operations/details.ts'
import { createGuestGroup } from './operations/guests/guest-pages.ts'
import { createPeopleGroup } from './operations/guests/people.ts'
import { createPictureGroup } from './operations/guests/pictures.ts'
import { createKeyGroup } from './operations/keys.ts'
import { createMaintenanceGroup } from './operations/maintenance.ts'
import { createMerchantGroup } from './operations/merchants.ts'
import { createRedemptionGroup } from './operations/redemptions.ts'
import { createResourceGroup } from './operations/resources.ts'
import { createServiceGroup } from './operations/service.ts'
import { createStockGroup } from './operations/stock.ts'
import { createTagImportGroup } from './operations/tag-import.ts'
import { createScanGroup } from './operations/tags.ts'
import { createDeliveryGroup, createEventGroup } from './operations/webhooks.ts'
import { renderCodePage } from './site/code-page.ts'
import { demoPictures } from './site/demo-pictures.ts'
import { renderErrorsPage } from './site/errors-page.ts'
import { renderLandingPage } from './site/landing-page.ts'
import { renderLlms } from './site/llms.ts'
import { siteStyles } from './site/page-frame.ts'
import { renderReferencePage } from './site/reference/reference-page.ts'
import { robots } from './site/robots.ts'
import { renderTryPage, tryScript } from './site/try-page.ts'

function documentResource(path: ResourcePath): Promise<OperationGroup> {
  const { [path]: resource } = resources
  return createResourceGroup(resource)
}

const listOperationGroups = async (entries: readonly EventType[]) => [
  ...(await Promise.all(resourcePaths.map(documentResource))),
  createPictureGroup(),
  createDetailsGroup(),
  createCheckoutGroup(),
  createRedemptionGroup(),
  createStockGroup(),
  createEventGroup(entries),
  createDeliveryGroup(),
  createPeopleGroup(),
  createAuditGroup(),
  createBatchGroup(),
  createExportGroup(),
  createImportGroup(),
  createScanGroup(),
  createGuestGroup(),
  createAccountGroup(),
  createMemberGroup(),
  createConsoleGroup(),
  createMerchantGroup(),
  createKeyGroup(),
  await createTagImportGroup(),
  createMaintenanceGroup(),
  createServiceGroup(),
]

/** The static assets: the documentation that `platform/http/documentation.ts` serves, except the program that renders the reference, and texts. */
export async function buildFiles(): Promise<Readonly<Record<string, string>>> {
  const entries = await createEventCatalogue()
  const groups = await listOperationGroups(entries)
  return {
    'index.html': await renderLandingPage(),
    'reference.html': await renderReferencePage(groups, entries),
    'try.html': await renderTryPage(),
    'start.js': tryScript,
    'llms.txt': renderLlms(groups),
    'openapi.json': JSON.stringify(createDocument(groups, entries, packageJson)),
    'event-types.json': JSON.stringify(entries),
    'errors.html': await renderErrorsPage(),
    'look.css': siteStyles,
    'robots.txt': robots,
    ...Object.fromEntries(
      pageLanguages.map((language) => [toFoodFile(language), JSON.stringify(getFoodMessages(language))]),
    ),
    ...Object.fromEntries(
      pageLanguages.map((language) => [toStaffFile(language), JSON.stringify(staffMessagesByLanguage[language])]),
    ),
    ...Object.fromEntries(
      await Promise.all(
        pageLanguages.map(async (language) => [toCodeFile(language), await renderCodePage(language)] as const),
      ),
    ),
    ...Object.fromEntries(Object.entries(demoPictures).map(([name, picture]) => [`demo-${name}.svg`, picture])),
  }
}

/** The files of a Bruno collection, by path. */
export const buildBrunoCollection = async () =>
  renderBrunoCollection(await listOperationGroups(await createEventCatalogue()))

/** The generated files of the client, which are committed, by their path in `packages/client/src`. */
export async function buildClientFiles(): Promise<Readonly<Record<string, string>>> {
  const groups = await listOperationGroups(await createEventCatalogue())
  const schemas = collectSchemas(groups)
  return {
    'models.ts': renderModels(schemas, groups),
    'collections.ts': renderCollections(schemas),
    'event-data.ts': renderEventData(),
  }
}

/** The generated guides, which are committed, by their name in `docs`. */
export const buildGuides = (): Readonly<Record<string, string>> => ({ 'events.md': renderEventGuide() })
