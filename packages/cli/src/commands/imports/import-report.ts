import type { Client, Import, ImportIssue, ImportPreview } from 'merchant-ordering-client'
import type { Output } from '../../output.ts'

/** Maximum number of issues of an import, and of objects of a preview, that are printed. */
const maxIssues = 20
const maxPreview = 10

/** Columns of the table of issues. */
const issueColumns = ['row', 'code', 'message', 'column', 'value']

/** Prints what the service found out about a file, and what applying will do. */
export function describeReading(output: Output, { reading, check, notices: found }: Import): void {
  if (!reading) return
  const { kind, preset, encoding, delimiter, columns, notices, menu, sections } = reading
  const parts = [preset === undefined ? kind : `${kind}, export of ${preset}`, encoding]
  output.print(
    `Read as ${parts.join(', ')}${delimiter === undefined ? '' : `, separated by ${JSON.stringify(delimiter)}`}`,
  )
  for (const { name, to, samples } of columns) {
    if (name !== '')
      output.print(`  ${name} → ${to ?? 'left out'}${samples.length > 0 ? `  (${samples.join(' · ')})` : ''}`)
  }
  if (menu !== undefined) output.print(`Menu: ${menu} (${sections === 1 ? '1 section' : `${sections} sections`})`)
  for (const { code, column, count, message } of notices) {
    if (code !== 'column_left_out')
      output.print(`Notice: ${column === undefined ? '' : `${column}: `}${message} (${count})`)
  }
  for (const { message } of found) output.print(`Notice: ${message}`)
  if (!check) return
  const { creates, updates, unchanged, leftOut, changes } = check
  if (check.deletes) output.print(`${check.deletes} will be deleted: GET …/deletions`)
  output.print(`${creates} new, ${updates} changed, ${unchanged} unchanged, ${leftOut} left out`)
  const { up, down } = changes.price
  if (up + down > 0) output.print(`Prices that rise: ${up}, that fall: ${down}`)
}

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const toLine = ({ row, object, sections = [], sizes = [] }: ImportPreview) => ({
  row,
  title: textOf(object['title'] ?? object['lastName'] ?? object['code']),
  price:
    sizes.length > 0
      ? sizes.map(({ label, price }) => `${label} ${textOf(price)}`).join(', ')
      : textOf(object['price']),
  sections: sections.join(', '),
})

/** Prints the first objects as they will be written. */
export async function describePreview(output: Output, client: Client, { id, mapping }: Import, signal: AbortSignal) {
  if (mapping !== 'auto') return
  const { items } = await client.imports.preview(id, { limit: maxPreview }, { signal }).page()
  const usable = items.filter(({ issues }) => issues.every(({ severity }) => severity === 'notice'))
  if (usable.length > 0) await output.list(usable.map(toLine), ['row', 'title', 'price', 'sections'])
}

/** Prints the first issues of rows. */
export async function printIssues(output: Output, id: string, issues: readonly ImportIssue[], hasMore: boolean) {
  if (issues.length === 0) return
  await output.list(issues.slice(0, maxIssues), issueColumns)
  if (issues.length > maxIssues || hasMore) output.note(`All issues: GET …/imports/${id}/errors`)
}
