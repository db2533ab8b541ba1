import fc from 'fast-check'
import { samples } from '../support/samples.ts'

/** A request that no ordinary client sends. Bodies that are not text are lists of bytes. */
export interface HostileRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | number[] | undefined
}

/** Values that hostile requests are made from. */
export interface Prey {
  merchantId: string
  /** Merchants' keys, and the operator's token. */
  keys: readonly string[]
  operator: string
  ids: readonly string[]
  /** Cursors, ETags and other values of earlier responses. */
  received: readonly string[]
  /** Strings and bodies that have broken other things. */
  naughty: readonly string[]
  bodies: readonly number[][]
  /** Header values that can be sent at all. */
  sendable: RegExp
}

interface Operation {
  method: string
  path: string
  parameters: string[]
  fields: string[]
}

/** The operations of an OpenAPI document, with what hostile requests need. */
// biome-ignore lint/suspicious/noExplicitAny: the document is JSON from outside
export function operationsOf(document: any): Operation[] {
  const resolve = ({ $ref, ...rest }: { $ref?: string }) =>
    $ref
      ?.split('/')
      .slice(1)
      .reduce((part, key) => part[key], document) ?? rest
  // biome-ignore lint/suspicious/noExplicitAny: see above
  return Object.entries<Record<string, any>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((parameter: { $ref?: string }) => resolve(parameter).name),
        fields: Object.keys(resolve(requestBody?.content['application/json']?.schema ?? {}).properties ?? {}),
      })),
  )
}

const methods = ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']
const inner = ['key', 'value', 'visible', 'url', 'id', 'label', 'items', 'required', 'banner', 'title', '__proto__']
const values = [
  ...[0, 1, -1, -0.5, 1e21, 1e-7, 12.34567, 2 ** 53, '12.50', '1e3', '', ' ', 'RADIO', 'FIXED', 'PERCENTAGE', '0900'],
  ...['2400', 'LIST', '*', 'order.created', 'https://a.b/c', 'http://127.0.0.1:9/x', 'https://[::1]/', 'a@b.cd', null],
  ...[true, false, [], {}, [null], [[]], '\ud800', '\u0000', 'ﷺ', '👩‍👩‍👧‍👦'],
]

/** Any hostile request to a merchant. */
export function hostileRequests(operations: readonly Operation[], prey: Prey): fc.Arbitrary<HostileRequest> {
  const weighted = <Value>(...parts: [number, fc.Arbitrary<Value>][]) =>
    fc.oneof(...parts.map(([weight, arbitrary]) => ({ weight, arbitrary })))
  const oneOf = (texts: readonly string[]) => (texts.length > 0 ? fc.constantFrom(...texts) : fc.constant(''))
  const text = weighted(
    [3, oneOf(prey.naughty)],
    [2, fc.string({ unit: 'binary', maxLength: 40 })],
    [1, oneOf(prey.received)],
    [1, fc.nat(300).map((length) => 'é'.repeat(length))],
  )
  const id = weighted([6, oneOf(prey.ids)], [1, oneOf(prey.received)], [2, text])
  const anything = weighted<unknown>(
    [4, fc.constantFrom(...values)],
    [3, text],
    [2, id],
    [2, fc.jsonValue({ noUnicodeString: false, maxDepth: 3 })],
    [1, fc.integer({ min: 0, max: 6_000 }).map((length) => Array(length).fill(prey.ids[0] ?? 0))],
    [2, fc.dictionary(fc.constantFrom(...inner), fc.oneof(text, fc.constantFrom(...values)))],
    [2, fc.array(fc.dictionary(fc.constantFrom(...inner), fc.oneof(id, fc.constantFrom(...values))), { maxLength: 3 })],
  )

  const bodyOf = ({ path, fields }: Operation) => {
    const sample = samples.find(({ collection }) => path.includes(`/${collection}`))
    // Deliveries to webhooks fail immediately, and are not sent.
    const base = { ...sample?.body('Thing'), ...(sample?.name === 'webhook' ? { url: 'http://127.0.0.1:9/in' } : {}) }
    const wild = fc.dictionary(weighted([8, oneOf(fields)], [1, text]), anything, { maxKeys: 5 })
    return weighted<string | number[] | undefined>(
      [6, wild.map((part) => JSON.stringify({ ...base, ...part }))],
      [2, wild.map((part) => JSON.stringify(part))],
      [1, anything.map((value) => JSON.stringify(value) ?? '')],
      [2, prey.bodies.length > 0 ? fc.constantFrom(...prey.bodies) : fc.constant('{')],
      [1, fc.uint8Array({ maxLength: 60 }).map((bytes) => [...bytes])],
      [1, fc.nat(300_000).map((length) => `{"title":"${'a'.repeat(length)}"}`)],
      [1, fc.nat(50_000).map((depth) => `{"metadata":${'['.repeat(depth)}`)],
      [1, fc.constant(undefined)],
    )
  }
  const queryOf = ({ parameters }: Operation) =>
    fc
      .array(
        fc.tuple(
          weighted([6, oneOf(parameters)], [1, text]),
          weighted(
            [3, oneOf(prey.received)],
            [3, oneOf(['0', '1', '50', '101', '-1', 'true', 'asc', 'live', '2026-11-21'])],
            [2, id],
            [2, text],
          ),
        ),
        { maxLength: 3 },
      )
      .map((pairs) => {
        const query = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
        return query === '' ? '' : `?${query}`
      })
  const pathOf = ({ path }: Operation) => {
    const parts = path.split('/').map((part) => {
      if (part === '{merchantId}') return weighted([30, fc.constant(prey.merchantId)], [1, id.map(encode)])
      if (!part.startsWith('{')) return fc.constant(part)
      return weighted([8, id.map(encode)], [1, fc.constant('%zz')], [1, fc.constant('%00')])
    })
    return fc.tuple(...parts).map((filled) => filled.join('/'))
  }
  const needed = ['authorization', 'content-type']
  const headersOf = ({ path }: Operation) =>
    fc
      .record(
        {
          authorization: weighted(
            [20, path.startsWith('/admin') ? fc.constant(prey.operator) : oneOf(prey.keys)],
            [1, fc.constantFrom(...prey.keys, prey.operator)],
            [1, text],
          ).map((key) => `Bearer ${key}`),
          'content-type': weighted(
            [20, fc.constant('application/json')],
            [
              1,
              oneOf([
                'application/json; charset=utf-16',
                'application/jsonl',
                'text/csv',
                'text/plain',
                'application/x-www-form-urlencoded',
                '',
              ]),
            ],
          ),
          'idempotency-key': text,
          'if-match': weighted([1, text], [1, oneOf(['*', '"1"', 'W/"1"', '"a", "b"', '"'])]),
          'if-none-match': weighted([1, text], [1, oneOf(['*', '"1"', 'W/"1"', '"a", "b"', '"'])]),
          'd1-bookmark': weighted([1, text], [1, oneOf(prey.received)]),
          'accept-language': weighted([1, text], [2, oneOf(['de', 'ar;q=0.5, *', 'x-klingon', ';;q=,'])]),
          'content-encoding': oneOf(['gzip', 'br', 'identity']),
          'user-agent': text,
        },
        { requiredKeys: ['authorization', 'content-type'] },
      )
      .chain((all) =>
        // The server reads more than the headers of most requests.
        weighted([3, fc.constant(needed)], [1, fc.constant(Object.keys(all))]).map((names) =>
          Object.fromEntries(
            Object.entries(all).filter(([name, value]) => names.includes(name) && prey.sendable.test(value)),
          ),
        ),
      )

  return fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      method: weighted([12, fc.constant(operation.method)], [1, fc.constantFrom(...methods)]),
      path: fc.tuple(pathOf(operation), queryOf(operation)).map((parts) => parts.join('')),
      headers: headersOf(operation),
      body: bodyOf(operation),
    }),
  )
}

/** Percent-encoded, also half surrogates, which no URL can contain. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())
