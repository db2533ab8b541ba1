import { operatorRows } from './filled-operators.ts'

/**
 * Rows for every table, as SQL: what a database in use holds. Each is named by the table that must exist for it; `:n` is the
 * number of the round, so that several rounds can be inserted. Columns are named, because later migrations add some.
 */
const objects = (n: number): readonly (readonly [table: string, sql: string])[] => [
  [
    'merchants',
    `insert into merchants (id, name, timezone, currency, created_at, updated_at) values ('mer_${n}', 'Venue ${n}', 'UTC', 'EUR', 1, 2)`,
  ],
  ['home_objects', `insert into home_objects (merchant_id, created_at) values ('mer_${n}', 1)`],
  ['homes', `insert into homes (merchant_id, kind) values ('mer_${n}', 'd1')`],
  [
    'keys',
    `insert into keys (id, merchant_id, hash, test_mode, scopes, last4, created_at) values ('key_${n}', 'mer_${n}', 'hash ${n}', 0, '["products:read"]', 'ABCD', 1)`,
  ],
  [
    'sessions',
    `insert into sessions (id, merchant_id, key_id, hash, created_at, last_used_at) values ('ses_${n}', 'mer_${n}', 'key_${n}', 'session ${n}', 1, 2)`,
  ],
  [
    'users',
    `insert into users (id, merchant_id, person, role, name, created_at) values ('usr_${n}', 'mer_${n}', 'PERSON${n}', 'owner', 'Zoë', 1)`,
  ],
  [
    'passkeys',
    `insert into passkeys (id, person, public_key, algorithm, counter, transports, created_at) values ('passkey${n}', 'PERSON${n}', 'MFkw', -7, 0, '["usb"]', 1)`,
  ],
  [
    'invitations',
    `insert into invitations (id, merchant_id, hash, role, created_by, created_at, expires_at) values ('inv_${n}', 'mer_${n}', 'invitation ${n}', 'staff', 'usr_${n}', 1, 2)`,
  ],
  [
    'notices',
    `insert into notices (id, person, at, operation, passkey, session_id, venue) values ('ntc_${n}', 'PERSON${n}', 1, 'passkeys.create', 'passkey${n}', 'ses_${n}', 'Venue')`,
  ],
  [
    'notice_marks',
    `insert into notice_marks (passkey, user_id, notice) values ('passkey${n}', 'usr_${n}', 'ntc_${n}')`,
  ],
  ['used_challenges', `insert into used_challenges (id) values ('chl_${n}')`],
  ...operatorRows(n),
  ...[1, 2, 3].flatMap((k): (readonly [string, string])[] => {
    const seq = n * 10 + k
    const base = (prefix: string) => `${seq}, '${prefix}_${seq}', 'mer_${n}', ${k % 2}, 1, ${k}, ${k}`
    const columns = 'seq, id, merchant_id, test_mode, created_at, updated_at, version'
    return [
      [
        'modifiers',
        `insert into modifiers (${columns}, title, instructions, type, rules, options) values (${base('mod')}, 'Milk ${seq}', '', 'RADIO', '{}', '[{"id":"oat"}]')`,
      ],
      [
        'products',
        `insert into products (${columns}, title, price, visible, taxable, use_custom_tax_rate, tax_rate, calories, manage_stock, type, sku, images, metadata, modifiers)
         values (${base('prod')}, 'Tea ${seq}', ${seq}.25, 1, 1, 0, 7.5, 120, 0, 'SIMPLE', 'SKU-${seq}', '[]', '[]', '["mod_${seq}"]')`,
      ],
      ['product_modifiers', `insert into product_modifiers (owner, target) values (${seq}, ${seq})`],
      [
        'menus',
        `insert into menus (${columns}, title, show_section_navigation, visible, all_day_menu, "begin", "end", branding, sections)
         values (${base('menu')}, 'Lunch ${seq}', 1, 1, 0, '1100', '1500', '{}', '[{"id":"sec","type":"LIST","items":["prod_${seq}"]}]')`,
      ],
      ['menu_products', `insert into menu_products (owner, target) values (${seq}, ${seq})`],
      [
        'coupons',
        `insert into coupons (${columns}, title, code, code_key, type, value, active, individual_use, times_redeemed, apply_to_all_products, products)
         values (${base('coup')}, 'Ten', 'TEN${seq}', 'ten${seq}', 'PERCENTAGE', 10, 1, 0, 3, 0, '["prod_${seq}"]')`,
      ],
      ['coupon_products', `insert into coupon_products (owner, target) values (${seq}, ${seq})`],
      [
        'customers',
        `insert into customers (${columns}, first_name, last_name, email) values (${base('cus')}, 'Zoë', 'Núñez ${seq}', 'zoe${seq}@example.com')`,
      ],
      [
        'tags',
        `insert into tags (${columns}, nfc, metadata, code) values (${base('tag')}, 1, '[{"key":"table","value":"${seq}","visible":true}]', 'CODE000000000${100 + seq}')`,
      ],
      [
        'webhooks',
        `insert into webhooks (${columns}, title, url, events, active, bearer_token, secrets, failures)
         values (${base('wh')}, 'Till', 'https://pos.example.com/', '["product.created","*"]', 1, 'token', '[]', 0)`,
      ],
      // The highest number that was given belongs to a webhook that is gone: it must not be given again.
      ...(k === 3 ? [['webhooks', `delete from webhooks where seq = ${seq}`] as const] : []),
      ...['products', 'modifiers', 'menus', 'coupons', 'customers', 'tags', 'webhooks'].map(
        (name) =>
          [`${name}_search`, `insert into ${name}_search (rowid, terms) values (${seq}, 'word${seq} all')`] as const,
      ),
      [
        'deliveries',
        `insert into deliveries (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts) values (${seq}, 'evt_${seq}', 'pending', 1, 1, 0, 0, 10, 0, 0, '[]')`,
      ],
      [
        'events',
        `insert into events (merchant_id, test_mode, id, seq, type, version, at, row) values ('mer_${n}', 0, 'evt_${seq}', ${k}, 'product.created', 1, 1, '{}')`,
      ],
      [
        'external_ids',
        `insert into external_ids (merchant_id, test_mode, resource, external_id, object) values ('mer_${n}', ${k % 2}, 'products', 'ART-${seq}', ${seq})`,
      ],
      [
        'details',
        `insert into details (merchant_id, test_mode, resource, object, data, version) values ('mer_${n}', ${k % 2}, 'products', ${seq}, '{"ageLimit":18,"labels":["Warm"],"labelKeys":["warm"]}', 1)`,
      ],
      [
        'translations',
        `insert into translations (merchant_id, test_mode, resource, object, language, texts) values ('mer_${n}', ${k % 2}, 'products', ${seq}, 'fr', '{"title":"Thé"}')`,
      ],
      [
        'availability',
        `insert into availability (merchant_id, test_mode, product, sold_out_until) values ('mer_${n}', ${k % 2}, 'prod_${seq}', 9)`,
      ],
      [
        'option_availability',
        `insert into option_availability (merchant_id, test_mode, modifier, option, sold_out_until) values ('mer_${n}', ${k % 2}, 'mod_${seq}', 'opt_1', 9)`,
      ],
      ...(k < 3
        ? [
            [
              'service_states',
              `insert or replace into service_states (merchant_id, test_mode, paused_until, message, prep_minutes) values ('mer_${n}', ${k % 2}, 9, 'Back soon', 20)`,
            ] as const,
          ]
        : []),
      [
        'tag_requests',
        `insert into tag_requests (merchant_id, test_mode, id, tag, kind, at) values ('mer_${n}', ${k % 2}, 'call_${seq}', 'tag_${seq}', 'bill', 9)`,
      ],
      ['staged_values', `insert into staged_values (merchant_id, id, data) values ('mer_${n}', 'stg_${seq}', '[]')`],
      [
        'releases',
        `insert into releases (merchant_id, test_mode, id, title, state, version, changes, bytes, author, created_at, updated_at) values ('mer_${n}', ${k % 2}, 'rel_${seq}', 'Autumn', 'draft', 1, 1, 9, 'key_1', 1, 1)`,
      ],
      [
        'release_operations',
        `insert into release_operations (release_id, path, target, merchant_id, verb, title, parts, base, bytes) values ('rel_${seq}', 'products', 'prod_${seq}', 'mer_${n}', 'update', 'Tea', '{"body":{"price":2}}', '{"/body/price":1}', 9)`,
      ],
      [
        'stock_adjustments',
        `insert into stock_adjustments (seq, merchant_id, test_mode, reference, reason, request_hash, change, changes, at) values (${seq}, 'mer_${n}', 0, 'order-${seq}', 'sale', 'hash', 'evt_${seq}', '[]', 1)`,
      ],
      [
        'pictures',
        `insert into pictures (merchant_id, test_mode, digest, widths, bytes, is_logo, check_at, deleting) values ('mer_${n}', 0, 'digest-${seq}', '[800]', 9, 0, 9, 0)`,
      ],
      ['coupon_limits', `insert into coupon_limits (coupon, max_redemptions, version) values (${seq}, 5, 1)`],
      // One list for each mode.
      ...(k === 3
        ? []
        : [
            [
              'charges',
              `insert into charges (merchant_id, test_mode, charges, version) values ('mer_${n}', ${k % 2}, '[{"id":"box","title":"Box","kind":"packaging","type":"FIXED","value":0.3,"per":"item","taxable":true,"optional":false}]', 1)`,
            ] as const,
          ]),
      [
        'redemptions',
        `insert into redemptions (merchant_id, test_mode, id, coupon, code, code_key, order_id, state, created_at, change) values ('mer_${n}', 0, 'red_${seq}', 'coup_${seq}', 'TEN', 'ten', 'order-${seq}', 'redeemed', 1, 'evt_${seq}')`,
      ],
      [
        'coupon_code_batches',
        `insert into coupon_code_batches (merchant_id, test_mode, id, coupon, count, prefix, created_at) values ('mer_${n}', 0, 'ccb_${seq}', 'coup_${seq}', 1, 'A-', 1)`,
      ],
      [
        'coupon_codes',
        `insert into coupon_codes (merchant_id, test_mode, code_key, code, coupon, batch, redemption) values ('mer_${n}', 0, 'a-code${seq}', 'A-CODE${seq}', 'coup_${seq}', 'ccb_${seq}', 'red_${seq}')`,
      ],
      [
        'orders',
        `insert into orders (seq, merchant_id, test_mode, reference, event, state, stock, redemptions, change, skipped, at) values (${seq}, 'mer_${n}', 0, 'order-${seq}', 'evt_${seq}', 'open', '[]', '[]', 'evt_${seq}', '[]', 1)`,
      ],
      [
        'change_sets',
        `insert into change_sets (merchant_id, test_mode, id, kind, actor, created, updated, deleted, state, created_at, updated_at) values ('mer_${n}', 0, 'chs_${seq}', 'batch', 'key_${n}', 1, 2, 3, 'done', 1, 1)`,
      ],
      [
        'imports',
        `insert into imports (merchant_id, test_mode, id, resources, format, match, delete_missing, auto_apply, state, broken, has_unreadable_row, rows, checked, applied, created, updated, unchanged, deleted, failed, step, next_chunk, next_row, deleting, deleted_through, actor, own_hosts, created_at, updated_at)
         values ('mer_${n}', 0, 'imp_${seq}', '["products"]', 'csv', 'id', 0, 0, 'ready', 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 'key_${n}', '[]', 1, 1)`,
      ],
      [
        'import_chunks',
        `insert into import_chunks (import_id, position, merchant_id, resource, rows, file_ids, external_ids, object_ids, faulty) values ('imp_${seq}', 0, 'mer_${n}', 'products', '[{"row":2,"raw":["Tea"]}]', '{}', '{}', '{}', 1)`,
      ],
      [
        'import_issues',
        `insert into import_issues (import_id, id, merchant_id, row, code, message) values ('imp_${seq}', '00000002-00', 'mer_${n}', 2, 'required', 'must be given')`,
      ],
      [
        'import_mappings',
        `insert into import_mappings (merchant_id, test_mode, resource, headings, choices, used_at) values ('mer_${n}', 0, 'products', 'hash ${seq}', '{"columns":{}}', 1)`,
      ],
      [
        'erasures',
        `insert into erasures (merchant_id, customer_hash, erased_at) values ('mer_${n}', 'hash ${seq}', 1)`,
      ],
      ['backups', `insert into backups (merchant_id, taken_at, bytes, rows) values ('mer_${n}', ${seq}, 1, 1)`],
      ...(k === 1
        ? [
            [
              'restores',
              `insert into restores (merchant_id, taken_at, started_at, state, settled_at, lines, omitted, leased_until) values ('mer_${n}', 1, 1, 'done', 1, 0, '{}', 0)`,
            ] as const,
          ]
        : []),
      ...(k === 1
        ? [
            [
              'backup_checks',
              `insert or replace into backup_checks (merchant_id, enqueued_at) values ('mer_${n}', 1)`,
            ] as const,
          ]
        : []),
      [
        'moves',
        `insert into moves (number, merchant_id, state, source, target, started_at, ended_at) values (${seq}, 'mer_${n}', 'done', '"d1"', '"d1"', 1, 2)`,
      ],
      [
        'move_changes',
        `insert into move_changes (number, merchant_id, entry, key) values (${seq}, 'mer_${n}', 'products', '[]')`,
      ],
      ['backup_captures', `insert into backup_captures (number, merchant_id, ends_at) values (${seq}, 'mer_${n}', 2)`],
      [
        'backup_changes',
        `insert into backup_changes (number, capture, entry, key) values (${seq}, ${seq}, 'products', '[]')`,
      ],
      ['counters', `insert into counters (name, value) values ('counter ${seq}', ${seq})`],
      ['tag_names', `insert into tag_names (name, tag) values ('alias-${seq}', ${seq}), ('gone-${seq}', null)`],
      [
        'scan_counts',
        `insert into scan_counts (merchant_id, tag, day, channel, count) values ('mer_${n}', 'tag_${seq}', '2026-11-21', 'qr', 7)`,
      ],
      ['scan_hours', `insert into scan_hours values ('mer_${n}', 0, date('2026-01-01', '+${seq} days'), '[7]')`],
      ['scan_receipts', `insert into scan_receipts (id) values ('scan_${seq}')`],
      [
        'audit',
        `insert into audit (merchant_id, test_mode, id, at, "key", operation, object) values ('mer_${n}', 0, 'aud_${seq}', 1, 'key_${n}', 'products.create', 'prod_${seq}')`,
      ],
      [
        'idempotency_keys',
        `insert into idempotency_keys (seq, id, at, answer, count) values (${seq}, 'idem ${seq}', 1, 'sealed', 1)`,
      ],
    ]
  }),
]

/** Statements that fill the tables that exist, in round `n`. */
export const filling = (tables: ReadonlySet<string>, n: number): string[] =>
  objects(n).flatMap(([table, sql]) => (tables.has(table) ? [sql] : []))
