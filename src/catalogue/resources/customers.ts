import * as z from 'zod/mini'
import { customerTable } from '../../platform/db/schema/resources/customers.ts'
import { textFilter } from '../../platform/http/fields/query-parameters.ts'
import * as field from '../../platform/http/fields.ts'
import { baseFields, defineResource } from '../resource/define-resource.ts'

const item = z.object({
  ...baseFields,
  firstName: z.string(),
  lastName: z.string(),
  email: z.optional(z.string()),
  phone: z.optional(z.string()),
})
const parts = z.partial(item)

export const customers = defineResource({
  name: 'customer',
  fields: z.strictObject({
    firstName: field.title.check(z.describe('Given name.')),
    lastName: field.title.check(z.describe('Family name.')),
    email: z.nullish(field.email).check(z.describe('Email address. Can contain non-Latin letters.')),
    phone: z
      .nullish(field.phone)
      .check(z.describe('Phone number: digits, spaces, `+ - ( ) .` and an extension after `x`.')),
  }),
  item: item.register(z.globalRegistry, { description: 'A person who orders from the venue.' }),
  table: customerTable,
  createOnly: {},
  // Two people of the same name stay apart.
  titleFields: ['firstName', 'lastName', 'phone', 'email'],
  filters: { email: textFilter, phone: textFilter },
  examples: {
    create: { firstName: 'Zoë', lastName: 'Núñez', email: 'zoe@example.com', phone: '+44 20 7946 0000' },
    update: { phone: null },
  },
  hooks: {
    searchTexts(draft) {
      const { firstName, lastName } = parts.parse(draft)
      return { names: [firstName, lastName] }
    },
  },
})
