/** Operations without a request of `named-requests.ts`, each with the reason. */
export const withoutName: Readonly<Record<string, string>> = {
  'POST /merchants/{merchantId}/imports': 'its file names the objects: test/bulk/import',
  'GET /admin/merchants/{merchantId}/code-clashes': 'reads at the primary, for the operator',
  'GET /merchants/{merchantId}/imports/template': 'names nothing of the merchant',
  'GET /merchants/{merchantId}/imports/{importId}/deletions': 'reads at the primary: test/bulk/files',
  'GET /merchants/{merchantId}/imports/{importId}/preview': 'reads at the primary: test/bulk/files',
  'POST /merchants/{merchantId}/imports/{importId}/mapping': 'reads at the primary: test/bulk/files',
  'POST /admin/merchants/{merchantId}/backups': 'at most one a second: it is made before',
  'POST /admin/merchants/{merchantId}/recover': 'workerd keeps no earlier data',
  'POST /admin/merchants/{merchantId}/support': 'reads at the primary: test/admin/account/support',
  'GET /admin/operators/{operatorId}': 'reads at the primary',
  'POST /admin/operators/{operatorId}': 'reads at the primary',
  'POST /admin/operators/{operatorId}/invitation': 'reads at the primary',
  ...Object.fromEntries(
    [
      'GET /admin/webhooks/{webhookId}',
      'GET /admin/webhooks/{webhookId}/deliveries',
      'GET /admin/webhooks/{webhookId}/filter',
      'GET /admin/webhooks/{webhookId}/secret',
      'POST /admin/webhooks/{webhookId}',
      'POST /admin/webhooks/{webhookId}/filter',
      'POST /admin/webhooks/{webhookId}/recover',
      'POST /admin/webhooks/{webhookId}/secret/rotate',
      'POST /admin/webhooks/{webhookId}/token/rotate',
    ].map((operation) => [operation, 'reads at the primary: test/webhooks/platform']),
  ),
  'POST /console/notices/{noticeId}/read': 'writes at once',
  ...Object.fromEntries(
    ['product', 'modifier', 'menu', 'coupon', 'customer', 'tag'].map((name) => [
      `POST /merchants/{merchantId}/${name}s/{${name}Id}/restore`,
      'reads at the primary: test/catalogue/resource/deleted',
    ]),
  ),
  'POST /m/{merchantId}/requests': 'reads at the primary: test/storefront/tags/calls.test.ts',
  'POST /merchants/{merchantId}/tags/{tagId}/requests/{kind}/done':
    'reads in its transaction: test/storefront/tags/calls.test.ts',
  ...Object.fromEntries(
    ['product', 'modifier', 'menu', 'coupon', 'customer', 'tag', 'webhook'].map((name) => [
      `GET /merchants/{merchantId}/${name}s/{${name}Id}/versions`,
      'reads at the primary: test/catalogue/resource/history',
    ]),
  ),
  'GET /merchants/{merchantId}/releases': 'names nothing: it lists all',
  'POST /merchants/{merchantId}/releases': 'reads at the primary: test/bulk/release',
  'GET /console/{screen}': 'an asset',
  'GET /console/{screen}/{object}': 'an asset',
  'GET /docs/guides/{guide}': 'an asset',
  'GET /i/{picture}': 'a file in R2',
  'GET /i/{picture}/{width}': 'a file in R2',
  'GET /merchants/{merchantId}/test-data': 'the merchant only',
  'POST /merchants/{merchantId}/test-data': 'the merchant only',
}
