/** Statements by their text, each with the reason why the rule does not apply. */
type Listed = readonly (readonly [form: RegExp, reason: string])[]

/** The reason for a statement; undefined if it is not listed. */
export const findReason = (listed: Listed, sql: string) =>
  listed.find(([form]) => form.test(sql.replaceAll(/\s+/g, ' ').trim()))?.[1]

/** Operations that the test of all statements does not request, each with the reason. */
export const withoutRequest: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'DELETE /admin/keys/{keyId}',
      'DELETE /admin/operators/{operatorId}',
      'GET /admin/keys',
      'GET /admin/operators',
      'GET /admin/operators/{operatorId}',
      'POST /admin/keys',
      'POST /admin/operators',
      'POST /admin/operators/{operatorId}',
      'POST /admin/operators/{operatorId}/invitation',
      'POST /console/operator/invitation',
      'POST /console/operator/passkeys',
      'POST /console/operator/registration',
    ].map((operation) => [operation, 'people and keys of the operator, of whom there are 100 at most']),
  ),
  'POST /admin/merchants/{merchantId}/support': 'reads one merchant and one operator: test/admin/account/support',
  ...Object.fromEntries(
    [
      'DELETE /admin/webhooks/{webhookId}',
      'GET /admin/webhooks',
      'GET /admin/webhooks/{webhookId}',
      'GET /admin/webhooks/{webhookId}/deliveries',
      'GET /admin/webhooks/{webhookId}/filter',
      'GET /admin/webhooks/{webhookId}/secret',
      'POST /admin/webhooks',
      'POST /admin/webhooks/{webhookId}',
      'POST /admin/webhooks/{webhookId}/filter',
      'POST /admin/webhooks/{webhookId}/recover',
      'POST /admin/webhooks/{webhookId}/secret/rotate',
      'POST /admin/webhooks/{webhookId}/token/rotate',
    ].map((operation) => [operation, 'webhooks of the operator, of which there are 10: test/webhooks/platform']),
  ),
  'GET /': 'an asset',
  'GET /merchants/{merchantId}/test-data': 'reads the imports of 30 days: test/bulk/import/test-data.test.ts',
  'POST /merchants/{merchantId}/test-data': 'reads pages of the catalogue: test/bulk/import/test-data.test.ts',
  'DELETE /merchants/{merchantId}/releases/{releaseId}/operations/{targetId}': 'deletes one row: test/bulk/release',
  'GET /merchants/{merchantId}/releases': 'at most 50 open ones, and a page of others: test/bulk/release',
  ...Object.fromEntries(
    ['product', 'modifier', 'menu', 'coupon', 'customer', 'tag', 'webhook'].map((name) => [
      `GET /merchants/{merchantId}/${name}s/{${name}Id}/versions`,
      'reads the events of one object by their index: test/catalogue/resource/history',
    ]),
  ),
  ...Object.fromEntries(
    ['coupon', 'customer', 'menu', 'modifier', 'product', 'tag'].map((name) => [
      `POST /merchants/{merchantId}/${name}s/{${name}Id}/restore`,
      'reads what one deletion kept: test/catalogue/resource/deleted',
    ]),
  ),
  'GET /admin/merchants/{merchantId}/code-clashes':
    'reads coupons that clash, for the operator: test/checkout/codes/code-keys.test.ts',
  'GET /console': 'an asset',
  'GET /console/{screen}/{object}': 'an asset',
  'GET /docs': 'an asset',
  'GET /docs/errors': 'an asset',
  'GET /docs/guides': 'an asset',
  'GET /docs/guides/{guide}': 'an asset',
  'GET /docs/try': 'an asset',
  'GET /event-types': 'an asset',
  'GET /i/{picture}': 'a file in R2',
  'GET /i/{picture}/{width}': 'a file in R2',
  'GET /llms.txt': 'an asset',
  'GET /merchants/{merchantId}/imports/template': 'reads only the language of the venue',
  'GET /merchants/{merchantId}/imports/{importId}/deletions': 'reads objects of one import: test/bulk/files',
  'GET /merchants/{merchantId}/imports/{importId}/preview': 'reads rows of one import: test/bulk/files',
  'POST /m/{merchantId}/requests':
    'reads calls of 30 minutes, of which a table has 9 at most: test/storefront/tags/calls.test.ts',
  'POST /merchants/{merchantId}/tags/{tagId}/requests/{kind}/done':
    'reads calls of 30 minutes: test/storefront/tags/calls.test.ts',
  'GET /openapi.json': 'an asset',
  'GET /robots.txt': 'a constant',
  'POST /admin/merchants/{merchantId}/recover': 'workerd keeps no earlier data',
  'POST /console/invitation': 'reads one invitation: test/admin/account/passkeys',
  'POST /console/notices/{noticeId}/read': 'reads one notice: test/admin/account/passkeys',
  'POST /merchants/{merchantId}/imports/{importId}/mapping': 'reads rows of one import: test/bulk/files',
  'PUT /admin/merchants/{merchantId}/backups/{takenAt}': 'a file that is stored: test/tenancy/backup',
}

/** Statements of operators and of objects, which look at all merchants or at all that an object stores. */
export const ofOperators: Listed = [
  [/^select coalesce\(\(select sum\(\d+/, 'usage: all rows of the merchant'],
  [/^with recursive pending_webhooks/, 'metrics: pending deliveries, a bounded number'],
  [/^select "id" as "id", "name" as "name", "timezone"/, 'a page of merchants'],
  [
    /^select "id" as "id", "created_at" as "createdAt", "last_used_at".* from "operator_sessions"/,
    'a page of 100 sessions at most',
  ],
  [
    /as "?oldest"?( from|, )|^with recursive ids\(id\)|^with recursive hook\(seq\) as .* min\(oldest\)/,
    'metrics and maintenance: ages of tables',
  ],
  [
    /^select count\(\*\) (filter|as "pending")|^select "state" as "state", count\(\*\)/,
    'metrics: counts of merchants, backups, moves and deliveries',
  ],
  [/ from "counters"/, 'metrics: one row for each name'],
  [/^select "tag_names"."name" as "name", coalesce/, 'a page of the copies of tags'],
  [/^select "id" as "id", "name" as "name", iif\("homes"/, 'a page of merchants whose copies of tags are written'],
  [/^select "id" as "id", "merchant_id" as "merchantId".* as "failingSince"/, 'a page of failing webhooks'],
  [/"operator_sessions"/, 'the sessions of operators, of which each has 50 at most'],
  [/"platform_(webhooks|backlogs)"/, 'webhooks of the operator, of which there are 10 at most'],
  [/"platform_keys"/, 'a page of platform keys, of which there are 100 at most'],
  [/"operators"/, 'operators, of which there are 100 at most'],
  [/ from sqlite_master | from "d1_migrations"/, 'the schema'],
  [
    /^select "key 0", total as "key total", "(idempotency_keys|scan_receipts)"/,
    'a move: an index would cost each request a written row',
  ],
  [/^with named as materialized .* as version from named/, 'the objects of one change set: 500 at most'],
  [/^with recursive hook\(seq\) as .* as "dueAt" from hook/, 'webhooks of one object with pending deliveries'],
]

/** Statements that read all rows of a merchant. */
export const grows: Listed = [
  ...ofOperators,
  [/^select "key 0"/, 'a page of a backup or a move, which read all rows of the merchant'],
  [/^insert into "deliveries" .* from .*subscribed_events/, 'a delivery for each subscribed webhook, of 100 at most'],
  [
    /^select \(select count\(\*\) from "coupons"|^select coalesce\(\(select sum\(\d+/,
    'usage: the operator asks for the rows and bytes of a merchant',
  ],
  [/^select \* from \(select "(menus|products|modifiers)"/, 'the menu, which shows all products, within a budget'],
  [/with plain\(value\) as materialized/, 'export and erasure of a person, who can be named in any import and event'],
  [/^select "id" as "id", "merchant_id" as "merchantId", "test_mode" as "testMode", "type"/, 'events of a person'],
  [/^select "webhooks"."id" as "webhookId"/, 'deliveries of a person'],
  [/^(update "import_chunks"|update "deliveries" set "attempts")/, 'erasure of a person'],
  [/^select .* from "import_issues"/, 'issues that name a person'],
  [/^update "webhooks" set|^delete from "deliveries"/, 'deliveries of a deleted webhook, in steps of 1,000 rows'],
]

/** Statements that sort rows, or scan a table. */
export const sorts: Listed = [
  ...grows,
  [
    /^select seq, id, merchant_id, /,
    'a page of a list: at most 100 external ids are sorted; query-plans.test.ts judges all lists',
  ],
  [
    /^select "products"."id" as "id", "products"."merchant_id" as "merchantId", "products"."title"/,
    'a page of exceptions of stock',
  ],
  [/"events"."change_set" = \?/, 'the events of one change set'],
  [/from "failed_requests" where .* group by/, 'the failed requests of one key: 800 at most'],
  [/^insert into "audit"[\s\S]* indexed by events_object/, 'the deletions of one object: few'],
  [/ from "release_operations"/, 'the operations of one release: 500 at most'],
  [/order by key/, 'the references of one object, in their order'],
  [/^insert into "tag_names"/, 'the names of the tags of a request'],
  [/json_each\(\?\) as requested|requested\.key/, 'the coupons of one request'],
  [/^with named as materialized/, 'the objects that a batch names'],
  [
    /^select "id" as "id", "test_mode" as "testMode" from "imports"/,
    'imports that wait, of the 30 days that imports are kept',
  ],
  [/ from "passkeys" | from "users" inner join "merchants"/, 'the passkeys and memberships of a person: few'],
  [
    /"scan_counts"."day"|^insert into "scan_(counts|hours)"|"scan_hours"/,
    'days and channels of one tag, or the scans of a batch',
  ],
  [/count\(\*\) over \(\) as "total"/, 'a sheet, which prints all selected tags'],
  [/^select hook\.seq|^select "events"."id" as "id", "events"."seq"/, 'a page of deliveries or events by their keys'],
  [/^select "merchants"."id", "merchants"."name"/, 'the menus of a merchant'],
  [/from "(option_)?availability" indexed by "\1availability_until" where /, 'the marks that have ended'],
  [
    /^select "id" as "id", "merchant_id" as "merchantId", "type" as "type", ("modifiers"\.)?"rules" as "rules"/,
    'a union of the modifiers of the products that one quote names',
  ],
  [/indexed by (events_secrets|webhooks_retired)|"gone_webhooks"/, 'an index or a table that is empty in the rest'],
  [/indexed by "\w+_hidden"/, 'objects whose deletion is under way'],
  [/^select merchant\.value as "name"/, 'the merchants that are due'],
  [/ from "moves" (indexed by "moves_active" )?where \("moves"."state" in \(/, 'the index of moves that are under way'],
  [/"backup_captures"|"backup_changes"/, 'backups that are being read'],
  [/^select "at" as "oldest"|as oldest from "imports"/, 'stops at the first row'],
  [/^select 1 as found from "(deliveries|import_chunks|import_issues)" limit 1$/, 'stops at the first row'],
  [
    / from "coupons" indexed by "coupons_old_keys" where /,
    'an index that is empty once keys of earlier releases are rewritten',
  ],
  [/ from "backups" .* order by random\(\)/, 'the backups of a day, once a week'],
  [/^select "homes"."merchant_id"/, 'objects with a backlog'],
  [/^insert into "(events|backup_captures)"/, 'the products of one event; the list of triggers'],
  [/^select "imports"."merchant_id" as "merchantId".*row_number/, 'imports that are overdue'],
]
