import { type Command, rejectWords, textOf } from '../command.ts'
import { UsageError } from '../errors/usage-error.ts'

/** A time in seconds, or a word that the service knows. */
const readUntil = (text: string | undefined) => (text !== undefined && /^\d+$/.test(text) ? Number(text) : text)

function readMinutes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,4}$/.test(text)) throw new UsageError('--prep-minutes must be a number of minutes.')
  return Number(text)
}

/** The requests of a pause. The service checks the bodies. */
interface Service {
  update(body: object): Promise<object>
}

/** Commands for the pause of a venue. */
export const serviceCommands: readonly Command[] = [
  {
    name: 'service get',
    summary: 'Shows whether the venue is paused, and how long orders take',
    examples: ['service get'],
    async run(context) {
      rejectWords(context)
      context.output.object(await (await context.connect()).service.get())
    },
  },
  {
    name: 'service pause',
    summary: 'Pauses the venue: quotes are not orderable, and guests read the message',
    options: {
      until: { value: 'TIME', description: 'tomorrow, or a time in seconds. Default: until service resume' },
      message: { value: 'TEXT', description: 'what guests read during the pause' },
      'prep-minutes': { value: 'MINUTES', description: 'minutes that an order takes' },
    },
    examples: ['service pause', 'service pause --until tomorrow --message "The kitchen takes a break."'],
    async run(context) {
      rejectWords(context)
      const { service }: { service: Service } = await context.connect()
      const prepMinutes = readMinutes(textOf(context, 'prep-minutes'))
      const body = { until: readUntil(textOf(context, 'until')), message: textOf(context, 'message'), prepMinutes }
      context.output.object(await service.update({ paused: true, ...body }))
    },
  },
  {
    name: 'service resume',
    summary: 'Ends the pause of the venue',
    examples: ['service resume'],
    async run(context) {
      rejectWords(context)
      context.output.object(await (await context.connect()).service.resume())
    },
  },
]
