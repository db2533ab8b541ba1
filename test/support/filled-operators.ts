/** Statements that insert people and keys of the operator, by table. */
export const operatorRows = (n: number): (readonly [string, string])[] => [
  [
    'failed_requests',
    `insert into failed_requests (merchant_id, key_id, day, request, test_mode, count, last_at) values ('mer_${n}', 'key_${n}', 1, '[]', 0, 1, 1)`,
  ],
  [
    'platform_keys',
    `insert into platform_keys (id, hash, title, scopes, last4, created_by, created_at) values ('key_p${n}', 'platform ${n}', 'Billing', '[]', '8W2K', 'operator', 1)`,
  ],
  [
    'platform_webhooks',
    `insert into platform_webhooks (id, version, title, url, events, active, bearer_token, secrets, failures, filter_version, created_by, created_at, updated_at)
      values ('pwh_${n}', 1, 'Warehouse', 'https://hooks.example.com/p', '["*"]', 0, 'whtok', '[]', 0, 0, 'operator', 1, 2)`,
  ],
  ['platform_backlogs', `insert into platform_backlogs (webhook, merchant_id, parked) values (${n}, 'mer_${n}', 0)`],
  [
    'operators',
    `insert into operators (id, role, name, email, person, created_by, created_at) values ('opr_${n}', 'support', 'Ana', 'ana${n}@example.com', 'OPERATOR${n}', 'operator', 1)`,
  ],
  [
    'operator_sessions',
    `insert into operator_sessions (id, hash, created_at, last_used_at) values ('ses_${n}', 'operator ${n}', 1, 2)`,
  ],
]
