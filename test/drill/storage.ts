import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { resourcePaths } from '../../src/names.ts'

/** What owners' rows say that they name, as pairs of rows. */
const named = {
  coupon_products: `select o.seq, t.seq from coupons as o, json_each(o.products) as i join products as t on t.id = i.value`,
  product_modifiers: `select o.seq, t.seq from products as o, json_each(o.modifiers) as i join modifiers as t on t.id = i.value`,
  menu_products: `select o.seq, t.seq from menus as o, json_each(o.sections) as s, json_each(s.value, '$.items') as i join products as t on t.id = i.value`,
}
const missing = {
  coupons: `select i.value from coupons as o, json_each(o.products) as i where i.value not in (select id from products)`,
  menus: `select i.value from menus as o, json_each(o.sections) as s, json_each(s.value, '$.items') as i where i.value not in (select id from products)`,
}

/** Statements that select what must not be: something of which a half is there. */
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
      [`${name} without words for the search`, `select seq from ${name} except select id from ${name}_search_docsize`],
      [`words of no ${name}`, `select id from ${name}_search_docsize except select seq from ${name}`],
      [
        `${name} whose last event tells of another version`,
        `select o.id from ${name} as o left join last as l on l.id = o.id where l.version is not o.version or l.type like '%.deleted'`,
      ],
    ]),
  ),
  'events that leave a version out': `select id from told group by id having min(version) <> 1 or max(version) <> count(*) or count(distinct version) <> count(*)`,
  'objects that are gone, and no event says so': `select id from last where type not like '%.deleted' and id not in (${resourcePaths
    .map((name) => `select id from ${name}`)
    .join(' union all ')})`,
  'events that a webhook will not hear of': `
    select e.id, w.seq from events as e join webhooks as w on w.merchant_id = e.merchant_id and w.test_mode = e.test_mode
    where w.active and exists (select 1 from json_each(w.events) where value = e.type)
    except select event, webhook from deliveries`,
}

/** What is half written in a database whose service was killed; looks at a copy, which recovers as the service would. */
export async function halvesIn(state: string): Promise<string[]> {
  const folder = join(state, 'v3/d1/miniflare-D1DatabaseObject')
  const copy = await mkdtemp(join(tmpdir(), 'drill-'))
  await cp(folder, copy, { recursive: true })
  const file = (await readdir(copy)).find((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
  const database = new DatabaseSync(join(copy, file ?? ''))
  try {
    const faults: string[] = []
    const [{ integrity_check } = {}] = database.prepare('pragma integrity_check').all()
    if (integrity_check !== 'ok') faults.push(`the database is damaged: ${integrity_check}`)
    if (database.prepare('pragma foreign_key_check').all().length > 0) faults.push('a foreign key leads nowhere')
    database.exec(
      `create temp table told as select row ->> 'id' as id, type, version from events where type not in ('order.created', 'webhook.test')`,
    )
    database.exec('create temp table last as select id, type, max(version) as version from told group by id')
    database.exec('create index temp.last_id on last (id)')
    for (const [what, sql] of Object.entries(halves)) {
      const rows = database.prepare(sql).all()
      if (rows.length > 0) faults.push(`${rows.length} ${what}: ${JSON.stringify(rows.slice(0, 3))}`)
    }
    return faults
  } finally {
    database.close()
    await rm(copy, { recursive: true, force: true })
  }
}
