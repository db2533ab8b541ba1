import { describe, expect, test } from 'vitest'
import limitsPage from '../../docs/limits.md?raw'
import { invitationSeconds, maxInvitations, maxMembers } from '../../src/admin/account/members/invitation-statements.ts'
import { challengeSeconds } from '../../src/admin/account/passkeys/challenge.ts'
import { maxMemberships, maxPasskeys } from '../../src/admin/account/passkeys/passkey-statements.ts'
import { graceDays } from '../../src/admin/merchant-schemas.ts'
import { maxCounted } from '../../src/admin/operator/failing-webhook-routes.ts'
import { maxDeliveries } from '../../src/bulk/batch/write/commit-staged.ts'
import { maxMetadataColumns } from '../../src/bulk/export/export-routes.ts'
import { maxDocumentUnits } from '../../src/bulk/files/documents/read-document.ts'
import { maxTextUnits } from '../../src/bulk/files/sheet/read-xlsx.ts'
import { maxInflatedBytes } from '../../src/bulk/files/sheet/unzip.ts'
import { maxTokenUnits } from '../../src/bulk/files/sheet/xml-reader.ts'
import {
  failureLimits,
  importLimits,
  importRetentionDays,
  importRowRetentionDays,
} from '../../src/bulk/import/import-limits.ts'
import { releaseLimits } from '../../src/bulk/release/release-limits.ts'
import { maxListedProducts } from '../../src/catalogue/events/event-data.ts'
import { maxDetailBytes, maxLanguages } from '../../src/catalogue/resource/details/details-definition.ts'
import { objectLockLimits } from '../../src/catalogue/resource/object-lock.ts'
import { pruneBounds } from '../../src/catalogue/resource/pruning/continue-pruning.ts'
import { maxPrunedTogether } from '../../src/catalogue/resource/statements/prune-statements.ts'
import { maxAutomatic } from '../../src/checkout/coupon-limit-fields.ts'
import { maxApplied } from '../../src/checkout/quote/check-coupons.ts'
import { adjustmentRetentionDays } from '../../src/checkout/stock/adjustment-retention.ts'
import { assertionSeconds } from '../../src/platform/auth/assertion.ts'
import { sessionSeconds } from '../../src/platform/auth/console-session.ts'
import { failedRequestLimits } from '../../src/platform/auth/failures/failure-statements.ts'
import { linkSeconds } from '../../src/platform/auth/signed-link.ts'
import { auditRetentionDays } from '../../src/platform/db/audit-log.ts'
import { moveWait } from '../../src/platform/db/home/merchant-connection.ts'
import { replaySeconds } from '../../src/platform/db/idempotency-keys.ts'
import { pageBytes } from '../../src/platform/db/page-budget.ts'
import { largeWork, roomWait } from '../../src/platform/http/bodies/byte-budget.ts'
import { maxDepth } from '../../src/platform/http/exact-json.ts'
import { limits } from '../../src/platform/http/fields.ts'
import { maxKeyLength } from '../../src/platform/http/idempotency.ts'
import { maxExaminedRows } from '../../src/platform/http/keyset-list.ts'
import { maxExamined, pageSize } from '../../src/platform/http/pagination.ts'
import { rateLimits } from '../../src/platform/http/rate-limit.ts'
import { maxSeconds } from '../../src/platform/lib/day.ts'
import { pictureRetentionDays } from '../../src/storefront/media/picture-statements.ts'
import { resizedWidths } from '../../src/storefront/media/picture-widths.ts'
import { substituteSeconds } from '../../src/storefront/media/serve-picture.ts'
import { maxMenus } from '../../src/storefront/menu/catalogue/catalogue-statements.ts'
import { maxDataBytes, maxPageBytes } from '../../src/storefront/menu/menu-part.ts'
import { sharpWidth } from '../../src/storefront/print/logo/paper-picture.ts'
import { sheetLimits } from '../../src/storefront/print/sheet-parameters.ts'
import { backupDays, maxUploadBytes } from '../../src/tenancy/backup/backup-file.ts'
import { keptDays } from '../../src/tenancy/move/finish-move.ts'
import { maxRecovered } from '../../src/webhooks/deliveries/resend-routes.ts'
import { retentionDays } from '../../src/webhooks/event-retention.ts'
import { maxExaminedEvents } from '../../src/webhooks/events/feed-statements.ts'
import { filterLimits } from '../../src/webhooks/filters/filter-fields.ts'
import { maxBodyShapes } from '../../src/webhooks/filters/shapes.ts'
import { declared } from '../support/declared.ts'
import { callRows, codeRows, platformRows, scanRows, searchRows, sessionRows } from './limit-rows.ts'

const units: Readonly<Record<string, number>> = { MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** Numbers of a text. Sizes are in bytes. Status codes and names in backticks are not limits. */
const numbersIn = (text: string) =>
  [...text.replaceAll(/`[^`]*`|\(`?\d{3}`?\)/g, '').matchAll(/(\d[\d,]*)(?: (MiB|GiB))?/g)].map(
    ([, number = '', unit = '']) => Number(number.replaceAll(',', '')) * (units[unit] ?? 1),
  )

const hours = (seconds: number) => seconds / 3_600
const days = (seconds: number) => hours(seconds) / 24
const quote = (name: string) => declared('checkout/quote/quote-request.ts', name)
const { webhooks, code, label, title, externalId, callerReference } = limits

/** The numbers of each row of the page, in their order. A row that is not listed here fails. */
const rows: Readonly<Record<string, readonly number[]>> = {
  'Request body': [limits.bodyBytes],
  'Title, first name, last name': [1, title],
  'Section title, option label': [0, label],
  'Code, metadata key, SKU, UPC': [1, code],
  'External id': [1, externalId],
  Email: [limits.email],
  Phone: [limits.phone],
  'Description, instructions, metadata value': [limits.text],
  URL: [limits.url],
  'Images of a product': [limits.images],
  'Uploaded picture, and each of its variants': [limits.pictureBytes, limits.picturePixels],
  'Parts of an uploaded picture: segments, chunks, boxes, items, extents': [
    declared('storefront/media/formats/bytes.ts', 'maxParts'),
  ],
  'Variants of a picture': [limits.pictureVariants, limits.uploadBytes],
  'Widths of smaller files made on demand': [
    ...resizedWidths,
    declared('storefront/media/resize-picture.ts', 'resizeTimeoutMs') / 1000,
    substituteSeconds,
  ],
  'Pictures of a merchant, both modes together': [limits.pictureQuotaBytes],
  'Metadata entries': [limits.metadata],
  'Modifiers of a product': [limits.productModifiers],
  'Options of a modifier': [limits.options],
  'Sections of a menu': [limits.sections],
  'Items of a menu': [limits.menuItems],
  'Products of a coupon': [limits.couponProducts],
  'Allergens, diets, days of details': [],
  'Alcohol by volume': [0, 100, 2],
  'Age limit': [1, limits.age],
  'Values of a nutrition declaration': [0, limits.nutrient, limits.decimals],
  'Position of a menu': [0, limits.position],
  'Prices of a menu': [limits.menuPrices],
  'Languages of an object': [maxLanguages],
  'Language tag of a merchant': [2, limits.languageTag],
  "Lines of a merchant's address": [label],
  'Addresses of a key; hosts of tags, rules and bytes of details of a tag': [20, 10, 10, limits.tagDetailBytes],
  'Opening hours, closures, special hours of a merchant': [limits.openingHours, limits.closures, limits.specialHours],
  'Charges of a merchant in each mode, named in a quote': [limits.charges],
  'Guests of a quote, `minGuests` of a charge': [1, limits.guests],
  'Message of a pause, minutes that an order takes': [limits.pauseMessage, 0, limits.prepMinutes],
  'Releases of a merchant that are neither published nor cancelled': [releaseLimits.open],
  'Operations of a request to a release, of a release': [releaseLimits.operations, releaseLimits.changes],
  'Deliveries to webhooks of a release or an undo with more than 500 objects': [maxDeliveries],
  'Stored operations of a release': [releaseLimits.bytes],
  'Title, note of a release': [1, releaseLimits.title, releaseLimits.note],
  'Time of a release': [releaseLimits.ahead / 86_400],
  'Address of a preview of a release, operations of a preview': [1, 168, 24, releaseLimits.shownOperations, 64],
  'Notes of a merchant, characters of a note': [limits.notes, limits.noteLength],
  'Logo that a PDF prints': [declared('storefront/print/logo/paper-picture.ts', 'maxPixels'), sharpWidth],
  'Details of an object, all languages together': [maxDetailBytes],
  'Event names of a webhook': [limits.events],
  "Types that a member of a webhook's filter names; fields of one type": [filterLimits.types, filterLimits.fields],
  'Forms of bodies (`fields`, `thin`) of a webhook in 30 days': [maxBodyShapes],
  'Tax rate of a merchant': [0, 100, limits.decimals],
  'Limits of a coupon: redemptions': [1, Number.MAX_SAFE_INTEGER],
  'Automatic coupons of a merchant, in each mode': [maxAutomatic],
  'Coupons that apply to an order': [maxApplied],
  ...callRows,
  ...codeRows,
  ...searchRows,
  'Times in requests': [0, maxSeconds, 9999],
  'Uploaded backup': [maxUploadBytes, backupDays.kept],
  'Grace period of a closed merchant': [1, graceDays.max, graceDays.default],
  'Items of a quote': [1, quote('items'), 1, limits.soldUnits],
  'Quantity of a product by weight in a quote': [limits.soldUnits],
  'Different products of a quote, with parts of bundles': [limits.quoteProducts],
  'Options of an item of a quote': [quote('options'), 1, limits.optionQuantity],
  'Choices of an item of a quote': [limits.quoteChoices],
  'Coupons of a quote': [quote('coupons')],
  'Products of a stock adjustment': [1, limits.stockChanges],
  'Stock added or set by an adjustment': [limits.amount, limits.decimals],
  'Reference of a stock adjustment, order of a redemption': [1, callerReference],
  'Redemptions among the effects of an order': [limits.orderRedemptions],
  'Hold of a redemption': [1, 3_600],
  'Sold-out products that an event lists': [maxListedProducts],
  Amounts: [0, limits.amount, limits.decimals],
  '`data` of a published order': [limits.bodyBytes, maxDepth],
  'Objects on a page, ids in `?ids`, external ids in `?externalIds`': [pageSize.max],
  'Bytes of a page: lists, events, delivery log': [pageBytes],
  'Events that one page of `…/events?types=` examines': [maxExaminedEvents],
  'Objects that one page of `?updatedSince=`, `?q=` or a filter by reference or text examines, if there is a further condition':
    [maxExamined],
  'Deliveries that one page of `…/deliveries?state=` examines, entries of the audit log that one page with `key` or `operation` examines, products that one page of `…/stock?state=low` examines':
    [maxExaminedRows],
  'Different metadata keys in a CSV export': [maxMetadataColumns],
  'Tags of a sheet, ids of a sheet link': [
    sheetLimits.tags,
    ...Array(2).fill(declared('storefront/print/select-tags.ts', 'maxCandidates')),
  ],
  'Call to action of a sheet': [1, sheetLimits.text],
  'Area of a sheet': [1, sheetLimits.area],
  'Used positions of a sheet, `skip`': [0, sheetLimits.skip],
  'Lifetime of the links to sheets and to the page that writes a chip': [linkSeconds],
  'Imported spreadsheet, after unpacking': [maxInflatedBytes, maxTokenUnits, maxTextUnits],
  'Imported JSON document that is no JSON Lines': [maxDocumentUnits],
  'Imported file': [
    importLimits.fileBytes,
    importLimits.rows,
    importLimits.columns,
    importLimits.recordUnits,
    importLimits.lineUnits,
    importLimits.storedRowBytes,
  ],
  'Unfinished imports of a merchant': [importLimits.openImports],
  'Failures of a step of an import until it [gives up a row](import-export.md#states)': [
    failureLimits.count,
    failureLimits.intervalSeconds,
  ],
  'Operations of a batch': [limits.operations],
  'References to deleted objects that one transaction removes': [
    maxPrunedTogether,
    pruneBounds.owners,
    limits.batchObjectBytes,
  ],
  'Body of a batch': [limits.batchBytes, limits.bodyBytes],
  'Stored bytes of all objects and details that a batch updates': [limits.batchObjectBytes],
  'Webhooks of a merchant': [webhooks],
  'Deliveries resent by one `recover`': [maxRecovered, maxRecovered],
  'Memory of one isolate for uploads, imports, exports and batches': [
    largeWork.maxBytes,
    largeWork.maxShare,
    roomWait.maxMs / 1000,
  ],
  'Updates of one object that wait for each other': [objectLockLimits.waiting, objectLockLimits.waitMs / 1000],
  'Hosted menu': [maxPageBytes, maxDataBytes, maxMenus, 3_000],
  'Wait of a write for the end of a [move](homes.md#moving)': [moveWait.maxMs / 1000],
  ...sessionRows,
  ...platformRows,
  'Members of a merchant': [maxMembers],
  'Open invitations of a merchant': [maxInvitations],
  'Lifetime of an invitation': [1, days(invitationSeconds)],
  'Name of a member': [1, label],
  'Passkeys of a person': [maxPasskeys],
  'Name of a passkey': [1, label],
  'Failed deliveries that `GET /admin/failing-webhooks` counts of a webhook': [maxCounted],
  'Venues of a person in `GET /console/memberships`': [maxMemberships],
  'Time in which a session can create credentials after a passkey or the token was used': [assertionSeconds],
  'Lifetime of the challenge of a passkey': [challengeSeconds],
  '`Idempotency-Key`': [1, maxKeyLength, hours(replaySeconds)],
  'Requests with one API key': [rateLimits.REQUESTS.limit, rateLimits.REQUESTS.period],
  'Rejected keys and unknown tags from one address, together': [rateLimits.MISSES.limit, rateLimits.MISSES.period],
  'Events and deliveries': [retentionDays],
  'Audit entries': [auditRetentionDays],
  'Failed requests of a key': [failedRequestLimits.days, failedRequestLimits.groups],
  'Notices of passkeys that were added or deleted': [auditRetentionDays],
  'References of stock adjustments': [adjustmentRetentionDays],
  'Orders that can be changed and cancelled': [adjustmentRetentionDays],
  Releases: [releaseLimits.days],
  Imports: [importRetentionDays],
  'Rows and issues of imports': [importRowRetentionDays, importRetentionDays],
  'Uploaded pictures that are not used': [pictureRetentionDays],
  'Sessions of the console': [hours(sessionSeconds.idle), days(sessionSeconds.total)],
  'Responses to an `Idempotency-Key`': [hours(replaySeconds)],
  ...scanRows,
  Backups: [backupDays.kept],
  'Erasures and the last restore of a merchant': [],
  'Rows at the old home of a merchant that was [moved](homes.md#moving)': [keptDays],
}

const stated = [...limitsPage.matchAll(/^\| (.+?) \| (.+?) \|$/gm)]
  .map(([, what = '', limit = '']) => ({ what, limit }))
  .filter(({ what }) => !['Field', 'What', '---'].includes(what))

describe('the page of limits states', () => {
  test.each(stated)('$what', ({ what, limit }) => expect(numbersIn(limit)).toEqual(rows[what]))

  test('every limit that is listed here', () =>
    expect(stated.map(({ what }) => what).toSorted()).toEqual(Object.keys(rows).toSorted()))
})

test('a number that a file no longer declares is reported', () =>
  expect(() => declared('checkout/quote/quote-request.ts', 'lines')).toThrow('declares no number lines'))
