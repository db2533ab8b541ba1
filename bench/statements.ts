/** Handwritten statements of the control, equal to those of the service or shorter. */

const scoped = 'merchant_id = ? and test_mode = ? and id = ?'
export const retrieve = (table: string) => `select * from ${table} where ${scoped}`
export const list = 'select * from products where merchant_id = ? and test_mode = ? order by id desc limit ?'
const found = 'select rowid as seq from products_search where products_search match ? order by rowid desc limit ?'
export const search = `select products.*, found.seq as number from (${found}) as found left join products on products.seq = found.seq
  and +products.merchant_id = ? and +products.test_mode = ? order by found.seq desc limit ?`

const plain =
  'seq id merchant_id test_mode created_at updated_at version title price description visible taxable use_custom_tax_rate tax_rate calories manage_stock stock_quantity type upc sku'.split(
    ' ',
  )
const listed = ['images', 'metadata', 'modifiers']
export const insertProduct = `insert into products (${[...plain.slice(1), ...listed].join(', ')}) values (${Array.from({ length: 22 }, () => '?').join(', ')})`
export const insertModifiers = `insert into product_modifiers (owner, target)
  select (select seq from products where ${scoped}), m.seq from json_each(?) as named
  left join modifiers as m on m.merchant_id = ? and m.test_mode = ? and m.id = named.value where true on conflict do nothing`
export const insertWords = `insert into products_search (rowid, terms) select (select seq from products where ${scoped}), ?`
/** Columns that an event records. */
const recorded = plain.filter((name) => !['seq', 'merchant_id', 'version'].includes(name))
/** In two calls, because D1 allows 32 arguments for a function. */
const asJson = `json_set(json_object(${recorded
  .slice(0, 16)
  .map((name) => `'${name}', ${name}`)
  .join(
    ', ',
  )}), ${[...recorded.slice(16).map((name) => `'$.${name}', ${name}`), ...listed.map((name) => `'$.${name}', json(${name})`)].join(', ')})`
const lastSeq = (table: string) =>
  `(select coalesce(max(seq), 0) from events where merchant_id = ${table}.merchant_id and test_mode = ${table}.test_mode)`
/** Rows that a deletion removes with the product, as JSON. */
const kept = `json_object('details', (select data from details where merchant_id = products.merchant_id and test_mode = products.test_mode
  and resource = 'products' and object = products.seq))`
export const insertEvent = (verb: string, version: string) => `
  insert into events (merchant_id, test_mode, id, seq, type, version, at, row, previous, base_url, object, context, kept)
  select merchant_id, test_mode, ?, ${lastSeq('products')} + 1, 'product.${verb}', ${version}, ?, ${asJson}, ?, ?, id, ?,
    ${verb === 'deleted' ? kept : 'null'}
  from products where ${scoped}`
export const insertDeliveries = `
  insert into deliveries (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
  select w.seq, e.id, 'pending', ?, max(?, coalesce(w.probe_at, 0)), 0, 0, 10, w.failures >= 3, 0, '[]'
  from events as e cross join subscriptions as s cross join webhooks as w
  where e.merchant_id = ? and e.test_mode in (0, 1) and e.id >= substr(?, 1, 18) and e.id < substr(?, 1, 18) || char(126)
    and s.merchant_id = e.merchant_id and s.test_mode = e.test_mode and s.type in (e.type, '*') and w.seq = s.webhook
    and e.type <> 'product.availability_changed' and e.type <> 'modifier.availability_changed' and e.type <> 'coupon.limits_changed'
  on conflict do nothing returning webhook, event, slow, due_at > created_at as parked`
export const insertAuditEntry = `insert into audit (merchant_id, test_mode, id, at, key, request_id, operation, object)
  select ?, ?, ?, ?, ?, ?, ?, ? where changes() > 0`
/** The entry of a deletion has the title of the object in its event. */
export const insertDeletionEntry = `
  insert into audit (merchant_id, test_mode, id, at, key, request_id, operation, object, title)
  select ?, ?, ?, ?, ?, ?, ?, ?, coalesce(
    (select nullif(substr(trim(coalesce(title, '')), 1, 250), '') from products where ${scoped}),
    (select nullif(substr(trim(coalesce(row ->> '$.title', '')), 1, 250), '') from events indexed by events_object
     where merchant_id = ? and test_mode = ? and object = ? and object is not null and type = 'product.deleted'
     order by seq desc limit 1)) where changes() > 0`
/** Undoes the transaction if the data of the merchant is in another database. */
export const guardHome = `update homes set kind = null where merchant_id = ? and kind <> 'd1'`
export const updatePrice = `update products set price = ?, updated_at = ?, version = case when version = ? then version + 1 end
  where ${scoped} returning version`
export const publish = `
  insert into events (merchant_id, test_mode, id, seq, type, version, at, row)
  select id, ?, ?, (select coalesce(max(seq), 0) + 1 from events where merchant_id = ? and test_mode = ?), ?, 1, ?, ?
  from merchants where id = ? returning id`
/** `seq` of the product that is deleted. */
const target = `(select seq from products where ${scoped})`
const owners = (table: string, links: string) => `${table}.seq in (select owner from ${links} where target = ${target})`
/** Removes references to a product and inserts their events; `column` holds the references, `without` is its new value. */
const prune = (table: string, links: string, column: string, without: string) => [
  `insert into events (merchant_id, test_mode, id, seq, type, version, at, row, previous, base_url, object)
    select merchant_id, test_mode, ?, ${lastSeq(table)} + row_number() over (), '${table}.updated', version + 1, ?,
      json_object('id', id, '${column}', json(${without})), json_object('${column}', json(${column})), ?, id
    from ${table} where ${owners(table, links)}`,
  `update ${table} set ${column} = ${without}, version = version + 1, updated_at = max(?, updated_at + 1)
    where ${owners(table, links)}`,
  `delete from ${links} where target = ${target}`,
]
const others = (list: string) =>
  `(select json_group_array(value) from json_each(${list}) where value not in (select value from json_each(?)))`
export const pruning = [
  prune('coupons', 'coupon_products', 'products', others('coupons.products')),
  prune(
    'menus',
    'menu_products',
    'sections',
    `(select json_group_array(json_set(outer.value, '$.items', json(${others("outer.value, '$.items'")})))
      from json_each(menus.sections) as outer)`,
  ),
]
export const remove = `delete from products where ${scoped} returning *`

const field = (name: string) => `value ->> '${name}'`
const countKey = ['merchant', 'tag', 'day', 'channel'].map(field)
/** A condition on the row of the scan's count. */
const hasCount = (condition: string) =>
  `exists (select 1 from scan_counts as c where (c.merchant_id, c.tag, c.day, c.channel) = (${countKey.join(', ')}) and ${condition})`
const receipt = `substr(${field('id')}, -12) || ' '`
const isCounted = hasCount(`instr(c.receipts, ' ' || ${receipt}) > 0`)
const isElsewhere = `homes.merchant_id = ${field('merchant')} and (homes.kind = 'object' or homes.fenced_until > unixepoch())`
const isHere = `not exists (select 1 from homes where ${isElsewhere})`
const isUncounted = `${field('id')} not in (select id from scan_receipts where id in (select ${field('id')} from json_each(?1)))
  and not ${isCounted} and ${isHere}`
const mode = `coalesce((select test_mode % 2 from tags where merchant_id = ${field('merchant')} and test_mode in (0, 1, 2, 3)
  and id = ${field('tag')}), 0)`
const listHours = (build: (hour: number) => string) =>
  `json_array(${Array.from({ length: 24 }, (_, hour) => build(hour)).join(', ')})`
const hours = listHours((hour) => `count(*) filter (where ${field('hour')} = ${hour})`)
const sumOf = (column: string) =>
  listHours((hour) => `coalesce(${column} ->> '$[${hour}]', 0) + coalesce(excluded.${column} ->> '$[${hour}]', 0)`)
/** Statements of the transaction that counts scans, a JSON list. */
export const countScans = [
  `insert into scan_hours (merchant_id, test_mode, day, counts) select ${field('merchant')}, ${mode}, ${field('day')}, ${hours}
    from json_each(?1) where ${isUncounted} and ${hasCount('c.test_mode is null')} group by 1, 2, 3
    on conflict do update set counts = ${sumOf('counts')}`,
  `insert into scan_counts (merchant_id, tag, day, channel, count, receipts, keeps_receipts, hours, test_mode)
    select ${countKey.join(', ')}, count(*), ' ' || group_concat(${receipt}, ''), 1, ${hours}, ${mode}
    from json_each(?1) where ${isUncounted} group by 1, 2, 3, 4
    on conflict do update set count = count + excluded.count, hours = ${sumOf('hours')},
      receipts = receipts || iif(length(receipts) < 20000, substr(excluded.receipts, 2), '')`,
  `insert into scan_receipts (id, merchant_id) select ${field('id')}, ${field('merchant')} from json_each(?1)
    where not ${isCounted} and ${isHere} on conflict do nothing`,
  `select homes.merchant_id, object from json_each(?1) join homes on ${isElsewhere}`,
]
