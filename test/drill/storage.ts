import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { resourcePaths } from '../../src/platform/names.ts'

/** References in owners' rows, as pairs of rows. */
const named = {
  coupon_products: `select o.seq, t.seq from coupons as o, json_each(o.products) as i join products as t on t.id = i.value`,
  product_modifiers: `select o.seq, t.seq from products as o, json_each(o.modifiers) as i join modifiers as t on t.id = i.value`,
  menu_products: `select o.seq, t.seq from menus as o, json_each(o.sections) as s, json_each(s.value, '$.items') as i join products as t on t.id = i.value`,
}
/** Tables of links, and the table of their owners. */
const owned = { coupon_products: 'coupons', product_modifiers: 'products', menu_products: 'menus' } as const
const missing = {
  coupons: `select i.value from coupons as o, json_each(o.products) as i where i.value not in (select id from products)`,
  menus: `select i.value from menus as o, json_each(o.sections) as s, json_each(s.value, '$.items') as i where i.value not in (select id from products)`,
}

/** Statements that select rows which must not exist: an object of which only a part was written. */
const halves: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(named).flatMap(([links, pairs]) => [
      [`links without names in ${links}`, `select owner, target from ${links} except ${pairs}`],
      [`names without links in ${links}`, `${pairs} except select owner, target from ${links}`],
    ]),
  ),
  ...Object.fromEntries(Object.entries(missing).map(([owners, sql]) => [`${owners} that name nothing`, sql])),
  ...Object.fromEntries(
    resourcePaths.flatMap((name) => [
      [`${name} without words for the search`, `select seq from ${name} except select id from indexed_${name}`],
      [`words of no ${name}`, `select id from indexed_${name} except select seq from ${name}`],
      [
        `${name} whose last event has another version`,
        `select o.id from ${name} as o left join last as l on l.id = o.id where l.version is not o.version or l.type like '%.deleted'`,
      ],
    ]),
  ),
  'events that leave a version out': `select id from changed group by id having min(version) <> 1 or max(version) <> count(*) or count(distinct version) <> count(*)`,
  'objects that are gone, and no event says so': `select id from last where type not like '%.deleted' and id not in (${resourcePaths
    .map((name) => `select id from ${name}`)
    .join(' union all ')})`,
  'numbers of events with a gap, or twice': `
    select merchant_id, count(*), max(seq) from events group by merchant_id, test_mode
    having min(seq) <> 1 or max(seq) <> count(*) or count(distinct seq) <> count(*)`,
  'events without a delivery to a subscribed webhook': `
    select e.id, w.seq from events as e join webhooks as w on w.merchant_id = e.merchant_id and w.test_mode = e.test_mode
    where w.active and exists (select 1 from json_each(w.events) where value = e.type)
    except select event, webhook from deliveries`,
}

/** Folders of the databases of a service, below that of its state. */
const folders = {
  shared: 'v3/d1/miniflare-D1DatabaseObject',
  objects: 'v3/do/merchant-ordering-api-MerchantHome',
} as const
const isDatabase = (name: string) => name.endsWith('.sqlite') && name !== 'metadata.sqlite'

/** The file of the shared database. */
export async function findSharedDatabase(state: string): Promise<string> {
  const name = (await readdir(join(state, folders.shared))).find(isDatabase)
  if (name === undefined) throw new Error('there is no database')
  return join(state, folders.shared, name)
}

/**
 * Hides the rows of merchants whose data is elsewhere, by views with the names of the tables. The database of a merchant that moves, or that
 * has moved, holds rows that nobody reads.
 */
function hideOthers(database: DatabaseSync, isHere: string): void {
  const view = (name: string, where: string) =>
    database.exec(`create temp view ${name} as select * from main.${name} where ${where}`)
  const ofHere = `merchant_id in (select id from main.merchants where ${isHere})`
  for (const name of [...resourcePaths, 'events']) view(name, ofHere)
  for (const [links, owners] of Object.entries(owned)) view(links, `owner in (select seq from temp.${owners})`)
  view('deliveries', 'webhook in (select seq from temp.webhooks)')
  for (const name of resourcePaths)
    database.exec(`create temp view indexed_${name} as select id from main.${name}_search_docsize
      where id not in (select seq from main.${name} where not ${ofHere})`)
}

/** Partial writes of the merchants whose data is in a database. */
function findHalves(database: DatabaseSync, isHere: string): string[] {
  const findings: string[] = []
  const [{ integrity_check } = {}] = database.prepare('pragma integrity_check').all()
  if (integrity_check !== 'ok') findings.push(`the database is damaged: ${integrity_check}`)
  if (database.prepare('pragma foreign_key_check').all().length > 0) findings.push('a foreign key leads nowhere')
  hideOthers(database, isHere)
  database.exec(
    // The versions of details count their own changes.
    `create temp table changed as select row ->> 'id' as id, type, version from events where type not in ('order.created', 'webhook.test')
      and type not like '%.details_updated'`,
  )
  database.exec('create temp table last as select id, type, max(version) as version from changed group by id')
  database.exec('create index temp.last_id on last (id)')
  for (const [what, sql] of Object.entries(halves)) {
    const rows = database.prepare(sql).all()
    if (rows.length > 0) findings.push(`${rows.length} ${what}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  return findings
}

/** The merchant of an object, and the number of the object. Undefined if it was never used. */
function identify(database: DatabaseSync): { merchant: string; object: number } | undefined {
  const [found] = database
    .prepare(`select id, (select seq >> 30 from sqlite_sequence where name = 'webhooks') as object from merchants`)
    .all()
  return found && { merchant: String(found['id']), object: Number(found['object']) }
}

/** Partial writes of a service that was killed. Reads a copy of its databases, which recover as the service does. */
export async function halvesIn(state: string): Promise<string[]> {
  const copy = await mkdtemp(join(tmpdir(), 'drill-'))
  const open: DatabaseSync[] = []
  try {
    for (const folder of Object.values(folders))
      await cp(join(state, folder), join(copy, folder), { recursive: true }).catch(() => undefined)
    const shared = new DatabaseSync(await findSharedDatabase(copy))
    open.push(shared)
    const findings = findHalves(shared, `id not in (select merchant_id from homes where kind <> 'd1')`)
    for (const name of await readdir(join(copy, folders.objects)).catch(() => [])) {
      if (!isDatabase(name)) continue
      const object = new DatabaseSync(join(copy, folders.objects, name))
      open.push(object)
      const identity = identify(object)
      const isHome = shared.prepare(`select 1 from homes where merchant_id = ? and kind = 'object' and object = ?`)
      if (!identity || !isHome.get(identity.merchant, identity.object)) continue
      findings.push(...findHalves(object, 'true').map((finding) => `object ${identity.object}: ${finding}`))
    }
    return findings
  } finally {
    for (const database of open) database.close()
    await rm(copy, { recursive: true, force: true })
  }
}
