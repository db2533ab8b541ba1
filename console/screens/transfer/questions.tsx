import type { ImportMapping } from '../../../packages/client/src/client.ts'
import { formatNumber, formatPrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { Choice } from '../../ui/controls.tsx'
import { getFieldNames, getOwn } from './columns.tsx'
import type { Reading } from './import-store.ts'
import type { ResourceName } from './resources.ts'

type Question = Reading['questions'][number]

/** The number that a text means with a decimal separator. */
function readAs(sample: string, format: 'point' | 'comma'): number {
  const [decimal, group] = format === 'point' ? ['.', ','] : [',', '.']
  return Number(
    sample
      .replaceAll(group, '')
      .replace(decimal, '.')
      .replace(/[^\d.-]/g, ''),
  )
}

/** Each answer with its meaning for a value of the file. */
function listAnswers(
  { code, column, choices, samples }: Question,
  columns: Reading['columns'],
): readonly (readonly [string, string])[] {
  const { transfer: texts } = t()
  if (code === 'name')
    return choices.map((choice) => [choice, choice === 'lastName' ? texts.fields.lastName : texts.fields.firstName])
  if (code === 'title_rows')
    return choices.map((choice) => [choice, choice === 'sections' ? texts.areSections : texts.areProducts])
  if (code === 'date_format')
    return choices.map((choice) => [choice, texts.isFirst[choice === 'day_first' ? 'day' : 'month']])
  if (code === 'discount_type') {
    const [discount = '10'] = samples
    return choices.map((choice) => [
      choice,
      choice === 'percent'
        ? `${discount} %`
        : formatPrice(readAs(discount, discount.includes('.') ? 'point' : 'comma')),
    ])
  }
  if (code === 'tax_rate') {
    const [sample = '0.19'] = samples
    const rate = readAs(sample, sample.includes('.') ? 'point' : 'comma')
    return choices.map((choice) => [
      choice,
      texts.isRead(sample, `${formatNumber(choice === 'fraction' ? Number((rate * 100).toFixed(4)) : rate)} %`),
    ])
  }
  if (code === 'sold_by') return choices.map((unit) => [unit, unit === 'piece' ? t().dish.units.piece : unit])
  if (code !== 'number_format') return choices.map((choice) => [choice, choice])
  const [sample = '1.234'] = samples
  const isPrice = columns.find(({ name }) => name === column)?.to === 'price'
  const format = isPrice ? formatPrice : formatNumber
  return (['comma', 'point'] as const).map((choice) => [choice, texts.isRead(sample, format(readAs(sample, choice)))])
}

/** Fields of a mapping with the answers to questions. */
const answerFields = {
  number_format: 'numberFormat',
  location: 'location',
  title_rows: 'titleRows',
  date_format: 'dateFormat',
  discount_type: 'discountType',
  tax_rate: 'taxRates',
  sold_by: 'soldBy',
} as const

/** The choices of a mapping that answer a question. */
function toChoices({ code, column = '' }: Question, answer: string): ImportMapping {
  if (code === 'name') return { columns: { [column]: answer } }
  return code === 'column' ? { columns: { [answer]: column } } : { [answerFields[code]]: answer }
}

/** The answer that choices contain; empty if they contain no answer. */
function findAnswer({ code, column = '', choices: answers }: Question, choices: ImportMapping): string {
  if (code === 'name') return getOwn(choices.columns, column) ?? ''
  if (code === 'column') return answers.find((answer) => getOwn(choices.columns, answer) === column) ?? ''
  return choices[answerFields[code]] ?? ''
}

/** Questions whose text has the samples. */
const sampled: ReadonlySet<Question['code']> = new Set([
  'title_rows',
  'date_format',
  'discount_type',
  'tax_rate',
  'sold_by',
])

/** Questions that the file leaves open. */
export function Questions(props: {
  questions: readonly Question[]
  columns: Reading['columns']
  resource: ResourceName | undefined
  choices: ImportMapping
  onChoose: (choices: ImportMapping) => void
}) {
  const { transfer: texts } = t()
  const fields = getFieldNames(props.resource)
  return props.questions.map((question) => {
    const { code, column = '', samples } = question
    const answer = findAnswer(question, props.choices)
    return (
      <Choice
        key={`${code} ${column}`}
        legend={texts.questions[code](sampled.has(code) ? samples.join(', ') : (getOwn(fields, column) ?? column))}
        value={answer}
        options={listAnswers(question, props.columns)}
        onChange={(next) => {
          // Of several columns for one field, only the chosen one keeps it.
          const withdrawn = code === 'column' && answer !== '' ? { [answer]: null } : {}
          const { columns, ...rest } = toChoices(question, next)
          props.onChoose({ ...rest, columns: { ...withdrawn, ...columns } })
        }}
      />
    )
  })
}
