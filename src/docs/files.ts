import packageJson from '../../package.json' with { type: 'json' }
import * as resources from '../resources/index.ts'
import { catalogue } from './catalogue.ts'
import { auditChapter } from './chapters/audit.ts'
import { deliveriesChapter, eventsChapter } from './chapters/delivery.ts'
import { keysChapter } from './chapters/keys.ts'
import { merchantsChapter } from './chapters/merchants.ts'
import { tagImportChapter } from './chapters/oldertags.ts'
import { resourceChapter } from './chapters/resource.ts'
import { guestsChapter, scansChapter } from './chapters/scan.ts'
import { serviceChapter } from './chapters/service.ts'
import { errorsPage } from './errors.ts'
import { models } from './models.ts'
import { openapi } from './openapi.ts'
import { documentationLook } from './page.ts'

const chapters = () => [
  ...Object.entries(resources).map(([path, resource]) => resourceChapter(path, resource)),
  eventsChapter(),
  deliveriesChapter(),
  auditChapter(),
  scansChapter(),
  guestsChapter(),
  merchantsChapter(),
  keysChapter(),
  tagImportChapter(),
  serviceChapter(),
]

/** The documentation, file by file: what `core/docs.ts` serves. */
export const files = async (): Promise<Readonly<Record<string, string>>> => ({
  'openapi.json': JSON.stringify(openapi(chapters(), packageJson.version)),
  'event-types.json': JSON.stringify(await catalogue()),
  'errors.html': await errorsPage(),
  'look.css': documentationLook,
})

/** The types of the client, which are kept in the tree: `src/client/models.ts`. */
export const clientModels = () => models(chapters())
