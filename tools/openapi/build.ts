import packageJson from '../../package.json' with { type: 'json' }
import { eventTypes } from '../../src/catalogue/events/event-catalogue.operations.ts'
import { toCodeFile } from '../../src/storefront/pages/code-page.ts'
import { getFoodMessages } from '../../src/storefront/pages/food/languages.ts'
import { toFoodFile } from '../../src/storefront/pages/food-messages.ts'
import { pageLanguages } from '../../src/storefront/pages/messages.ts'
import { staffMessagesByLanguage } from '../../src/storefront/pages/staff/languages.ts'
import { toStaffFile } from '../../src/storefront/pages/staff-messages.ts'
import { renderBrunoCollection } from './bruno.ts'
import { renderCollections, renderEventData, renderModels } from './client-models.ts'
import { collectSchemas, createDocument } from './document.ts'
import { renderEventGuide } from './event-guide.ts'
import { operationGroups } from './operation-groups.ts'
import { renderCodePage } from './site/code-page.ts'
import { demoPictures } from './site/demo-pictures.ts'
import { renderErrorsPage } from './site/errors-page.ts'
import { renderLandingPage } from './site/landing-page.ts'
import { renderLlms } from './site/llms.ts'
import { renderNotFoundPage } from './site/not-found-page.ts'
import { siteStyles } from './site/page-frame.ts'
import { renderReferencePage } from './site/reference/reference-page.ts'
import { robots } from './site/robots.ts'
import { searchScript } from './site/search/search-script.ts'
import { renderTryPage, tryScript } from './site/try-page.ts'

/** The static assets: the documentation that `platform/http/documentation.ts` serves, except the program that renders the reference, and texts. */
export async function buildFiles(): Promise<Readonly<Record<string, string>>> {
  return {
    'index.html': await renderLandingPage(),
    'not-found.html': await renderNotFoundPage(),
    'reference.html': await renderReferencePage(operationGroups, eventTypes),
    'try.html': await renderTryPage(),
    'start.js': tryScript,
    'search.js': searchScript,
    'llms.txt': renderLlms(operationGroups),
    'openapi.json': JSON.stringify(createDocument(operationGroups, eventTypes, packageJson)),
    'event-types.json': JSON.stringify(eventTypes),
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
export const buildBrunoCollection = () => renderBrunoCollection(operationGroups)

/** The generated files of the client, which are committed, by their path in `packages/client/src`. */
export function buildClientFiles(): Readonly<Record<string, string>> {
  const schemas = collectSchemas(operationGroups)
  return {
    'models.ts': renderModels(schemas, operationGroups),
    'collections.ts': renderCollections(schemas),
    'event-data.ts': renderEventData(),
  }
}

/** The generated guides, which are committed, by their name in `docs`. */
export const buildGuides = (): Readonly<Record<string, string>> => ({ 'events.md': renderEventGuide() })
