/**
 * Test files that hold wherever the data of a merchant is. The project `objects` runs them with merchants in objects. Other files look
 * into D1, count what it reads, set the clock back, so that alarms of objects are due without end, or load modules anew, which breaks the
 * objects of the process.
 */
export const representative = [
  'batch/contract',
  'checkout/effects/take-order',
  'checkout/redemptions/redeem',
  'import/csv-imports',
  'resource/contract',
  'resource/references',
  'tags/scans/scan-consumer',
  'webhooks/events/event-feed',
  'webhooks/secret-routes',
]

export const others = [
  'auth/authenticate',
  'batch/atomic',
  'batch/random-batches',
  'batch/stock',
  'checkout/quote/quote-issues',
  'checkout/redemptions/redemption-costs',
  'http/pagination',
  'import/round-trips',
  'import/uploads',
  'menu/food',
  'menu/menu-routes',
  'resource/filters',
  'resource/merge-patch',
  'resource/search',
  'resource/store',
  'resource/tenant-isolation',
  'resources/coupons',
  'resources/field-values',
  'resources/menus',
  'resources/modifiers',
  'resources/webhooks',
  'tags/code-routes',
  'tags/isolate-cache',
  'tags/kv-sync',
  'tags/nfc/nfc-routes',
  'tags/redirect-url',
  'tags/scans/scan-routes',
  'tags/tag-batches',
  'tags/unknown-tags',
  'webhooks/payload',
  'webhooks/published-data',
  'webhooks/rpc',
  'webhooks/send',
]
