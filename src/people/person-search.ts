import { type SQL, sql } from 'drizzle-orm'
import { param } from '../db/database.ts'

/** Characters that may separate the parts of an email or a phone number; those of `separators` in `person/person.ts`. */
const stripped = [' ', '-', '(', ')', '.', '+', '/', '\u00a0']

/** SQL for a text in lower case, without separators. */
const toPlain = (text: SQL) =>
  stripped.reduce<SQL>(
    (plain, character) => sql`replace(${plain}, ${sql.raw(`'${character}'`)}, '')`,
    sql`lower(${text})`,
  )

/** Texts that may hide a value: ASCII characters as escapes, and forms of letters and separators that `lower` does not change. */
const hidden = ['*\\u00[2-7]*', '*[\u200b-\u2015\uff01-\uff5e]*'].map((pattern) => sql.raw(`'${pattern}'`))

/** SQL for "the text may contain one of `:needles`, a JSON list of `listNeedles`". What it finds is read and judged. */
export const mayContain = (text: SQL) =>
  sql`(exists (
    with plain(value) as materialized (select ${toPlain(text)})
    select 1 from plain, json_each(${param('needles')}) as needle where instr(plain.value, needle.value) > 0
  ) or ${sql.join(
    hidden.map((pattern) => sql`${text} glob ${pattern}`),
    sql` or `,
  )})`
