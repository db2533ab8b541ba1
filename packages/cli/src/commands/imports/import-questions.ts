import { createInterface } from 'node:readline/promises'
import type { Import, ImportMapping } from 'merchant-ordering-client'
import type { Context } from '../../command.ts'
import { UsageError } from '../../errors/usage-error.ts'

/** Whether questions can be asked: a person reads the output and types the answers. */
export const isConversation = ({ output }: Context) =>
  !output.isJson && process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks on the terminal. */
export async function ask({ signal }: Context, question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question, { signal })).trim()
  } finally {
    terminal.close()
  }
}

/** Units of the prices of products by weight or volume. */
export const soldByUnits = ['kg', '100g', 'l', 'piece'] as const

type Question = NonNullable<Import['reading']>['questions'][number]

/** The question as a person reads it. */
export function describeQuestion({ code, column = '', samples }: Question): string {
  if (code === 'number_format') return `How are numbers written, such as ${samples.join(', ')}? (${column})`
  if (code === 'location') return 'Whose prices and stock count?'
  if (code === 'title_rows') return `Some rows have only a text, such as ${samples.join(', ')}. What are they?`
  if (code === 'date_format') return `What is first in dates such as ${samples.join(', ')}? (${column})`
  if (code === 'discount_type') return `What are discounts such as ${samples.join(', ')}? (${column})`
  if (code === 'tax_rate') return `What are tax rates such as ${samples.join(', ')}? (${column})`
  if (code === 'amounts') return `What are prices such as ${samples.join(', ')}? (${column})`
  if (code === 'sold_by')
    return `What amount is the price for, of products by weight such as ${samples.join(', ')}? (${column})`
  if (code === 'name') return `"${column}" has whole names. What are they?`
  return `Which column is "${column}"?`
}

/** The meaning of an answer. */
function describeChoice({ code }: Question, choice: string): string {
  if (code === 'number_format') return choice === 'point' ? '1,234.56 (point)' : '1.234,56 (comma)'
  if (code === 'tax_rate') return choice === 'fraction' ? 'fractions: 0.19 is 19 %' : 'percentages: 0.19 is 0.19 %'
  if (code === 'amounts') return choice === 'cents' ? 'cents: 1250 is 12.50' : 'units: 1250 is 1250.00'
  return choice
}

const toChoices = ({ code, column = '' }: Question, choice: string): ImportMapping => {
  if (code === 'number_format') return { numberFormat: choice === 'comma' ? 'comma' : 'point' }
  if (code === 'location') return { location: choice }
  if (code === 'title_rows') return { titleRows: choice === 'sections' ? 'sections' : 'products' }
  if (code === 'date_format') return { dateFormat: choice === 'day_first' ? 'day_first' : 'month_first' }
  if (code === 'discount_type') return { discountType: choice === 'percent' ? 'percent' : 'amount' }
  if (code === 'tax_rate') return { taxRates: choice === 'percent' ? 'percent' : 'fraction' }
  if (code === 'amounts') return { amounts: choice === 'cents' ? 'cents' : 'units' }
  if (code === 'sold_by') return { soldBy: soldByUnits.find((unit) => unit === choice) }
  return { columns: code === 'name' ? { [column]: choice } : { [choice]: column } }
}

/** The option that answers a question. */
export const describeOption = ({ code, column = '' }: Question) =>
  ({
    number_format: '--number-format point or comma',
    location: '--location NAME',
    title_rows: '--title-rows sections or products',
    date_format: '--date-format day_first or month_first',
    discount_type: '--discount-type percent or amount',
    tax_rate: '--tax-rates percent or fraction',
    sold_by: '--sold-by kg, 100g, l or piece',
    amounts: '--amounts units or cents',
    name: `--map "${column}=lastName"`,
    column: `--map "COLUMN=${column}"`,
  })[code]

/** Asks all questions of a file. */
export async function answer(context: Context, questions: readonly Question[]): Promise<ImportMapping> {
  let mapping: ImportMapping = {}
  for (const question of questions) {
    context.output.note(describeQuestion(question))
    for (const [index, choice] of question.choices.entries()) {
      context.output.note(`  ${index + 1}  ${describeChoice(question, choice)}`)
    }
    const typed = await ask(context, 'Number: ')
    const { [Number(typed) - 1]: chosen } = question.choices
    if (chosen === undefined) throw new UsageError(`Type a number from 1 to ${question.choices.length}.`)
    const choices = toChoices(question, chosen)
    mapping = { ...mapping, ...choices, columns: { ...mapping.columns, ...choices.columns } }
  }
  return mapping
}
