import type { ImportMapping } from '../../../packages/client/src/client.ts'
import { formatNumber, formatPrice, fromCents } from '../../app/format.ts'
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
  const [sample = ''] = samples
  const value = readAs(sample, sample.includes('.') ? 'point' : 'comma')
  const isPrice = columns.find(({ name }) => name === column)?.to === 'price'
  const describe = (choice: string): string => {
    if (code === 'name') return getOwn(texts.fields, choice) ?? choice
    if (code === 'title_rows') return choice === 'sections' ? texts.areSections : texts.areProducts
    if (code === 'date_format') return texts.isFirst[choice === 'day_first' ? 'day' : 'month']
    if (code === 'discount_type') return choice === 'percent' ? `${sample} %` : formatPrice(value)
    if (code === 'tax_rate') {
      const rate = choice === 'fraction' ? Number((value * 100).toFixed(4)) : value
      return texts.isRead(sample, `${formatNumber(rate)} %`)
    }
    if (code === 'amounts') return texts.isRead(sample, formatPrice(choice === 'cents' ? fromCents(value) : value))
    if (code === 'sold_by' && choice === 'piece') return t().dish.units.piece
    if (code !== 'number_format') return choice
    const read = readAs(sample, choice === 'point' ? 'point' : 'comma')
    return texts.isRead(sample, isPrice ? formatPrice(read) : formatNumber(read))
  }
  return choices.map((choice) => [choice, describe(choice)])
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
  amounts: 'amounts',
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

/** Whether the text of a question has the samples. */
const isSampled = (code: Question['code']) => code in answerFields && code !== 'number_format'

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
        legend={texts.questions[code](isSampled(code) ? samples.join(', ') : (getOwn(fields, column) ?? column))}
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
