import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../platform/db/database.ts'

/** Characters that may separate the parts of an email or a phone number; those of `separators` in `person/person.ts`. */
const stripped = [
  ...[' ', '-', '(', ')', '.', '+', '/', '\u00a0'],
  ...['\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015'],
  ...['\uff08', '\uff09', '\uff0b', '\uff0d', '\uff0e', '\uff0f'],
]

/** SQL for a text in lower case, without separators. */
const toPlain = (text: SQL) =>
  stripped.reduce<SQL>(
    (plain, character) => sql`replace(${plain}, ${sql.raw(`'${character}'`)}, '')`,
    sql`lower(${text})`,
  )

/** Texts that may hide a value: ASCII characters as escapes, and full-width digits, letters and at signs. */
const hidden = ['*\\u00[2-7]*', '*[\uff10-\uff19\uff20-\uff3a\uff41-\uff5a]*'].map((pattern) => sql.raw(`'${pattern}'`))

/** SQL for "the text may contain one of `:needles`, a JSON list of `listNeedles`". The code reads and checks each match. */
export const mayContain = (text: SQL) =>
  sql`(exists (
    with plain(value) as materialized (select ${toPlain(text)})
    select 1 from plain, json_each(${param('needles')}) as needle where instr(plain.value, needle.value) > 0
  ) or ${sql.join(
    hidden.map((pattern) => sql`${text} glob ${pattern}`),
    sql` or `,
  )})`
