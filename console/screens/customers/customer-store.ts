import type { Customer } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { createStore } from '../../objects/store.ts'

export const toForm = (customer?: Customer) => ({
  firstName: customer?.firstName ?? '',
  lastName: customer?.lastName ?? '',
  email: customer?.email ?? '',
  phone: customer?.phone ?? '',
})
export type CustomerForm = ReturnType<typeof toForm>

export function findErrors(form: CustomerForm): ReadonlyMap<string, string> {
  const { required } = t().issue
  const { firstName, lastName } = form
  return new Map(
    Object.entries({ firstName, lastName }).flatMap(([name, text]) => (text.trim() === '' ? [[name, required]] : [])),
  )
}

const optional = (text: string) => (text.trim() === '' ? null : text)
export const toBody = ({ firstName, lastName, email, phone }: CustomerForm) => ({
  firstName,
  lastName,
  email: optional(email),
  phone: optional(phone),
})

const phoneNumber = /^[+(]?\d[\d\s().+-]{5,}$/
/** The service finds words in names, and complete email addresses and telephone numbers. */
const findAnything = <Query extends { q?: string }>({ q = '', ...rest }: Query) =>
  q.includes('@') ? { ...rest, email: q } : phoneNumber.test(q) ? { ...rest, phone: q } : { ...rest, ...(q && { q }) }

export const getFullName = ({ firstName, lastName }: Customer) => `${firstName} ${lastName}`
export const store = createStore<Customer, ReturnType<typeof toBody>>({
  name: 'customers',
  source: () => {
    const { customers } = api()
    return { ...customers, list: (query, options) => customers.list(findAnything(query), options) }
  },
  titleOf: getFullName,
  nameOf: (field) => {
    const { firstName, lastName, email, phone } = t().customers
    return new Map(Object.entries({ firstName, lastName, email, phone })).get(field) ?? field
  },
})
