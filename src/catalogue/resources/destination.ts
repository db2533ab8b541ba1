import * as z from 'zod/mini'
import { matches } from '../../platform/http/fields/types.ts'
import * as field from '../../platform/http/fields.ts'
import { getHost, isWebAddress } from '../../platform/lib/web-address.ts'

const { limits } = field

const placeholderPattern = /\{(?:tag|code|merchant|metadata\.[^{}]{1,64})\}/g

/** Whether a text is a web address with placeholders only after the host. */
function isAddressTemplate(template: string): boolean {
  const [, authority = ''] = /^https?:\/\/([^/?#\\]*)/i.exec(template) ?? []
  if (authority === '' || /[{}]/.test(authority)) return false
  const filled = template.replace(placeholderPattern, 'x')
  return !/[{}]/.test(filled) && isWebAddress(filled)
}

/** Address that a scan opens. */
export const addressTemplate = field.exactText({
  min: 1,
  max: limits.url,
  form: matches(
    isAddressTemplate,
    'must be an http or https address; only {tag}, {code}, {merchant} and {metadata.KEY} are allowed, after the host',
  ),
})
export const placeholders = 'Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`.'

/** Programs disagree about which part of such an address is its host. */
const isAmbiguous = (template: string) => template.includes('\\') || /^https?:\/\/[^/?#]*@/i.test(template)

/** Address of its own to which a tag leads. */
export const destination = addressTemplate.check(
  field.rules((template) =>
    isAmbiguous(template)
      ? { code: 'invalid_format', message: 'must not contain a backslash, a user name or a password' }
      : undefined,
  ),
)

/** Maximum length of a host, with its port. */
const maxHostLength = 259
const toHost = (text: string) => (/[\s/?#@\\%{}*]/.test(text) ? undefined : getHost(`https://${text}`))

/** Hosts of addresses, with a port that is not the default one. Stored as addresses have them: in lower case and ASCII. */
export const hosts = field.list(
  z.pipe(
    field.exactText({
      min: 1,
      max: maxHostLength,
      form: matches((text) => toHost(text) !== undefined, 'must be a host, such as order.example.com'),
    }),
    z.transform((text: string) => toHost(text) ?? text),
  ),
  limits.tagHosts,
)
