import { afterEach, describe, expect, test, vi } from 'vitest'
import { send } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { document } from '../../tools/openapi/openapi-document.ts'
import { createNamed, type NamedRequest } from './named-requests.ts'
import { lagBehind } from './replica.ts'
import { withoutName } from './unnamed-operations.ts'

afterEach(() => vi.restoreAllMocks())

const idForm = /\b[a-z]{2,6}_[0-9a-z]{26}\b/g
/** The ids of a request: in its path and in its body. */
const listIds = ({ path, json }: NamedRequest) => [...new Set(`${path} ${JSON.stringify(json)}`.match(idForm) ?? [])]
const toTitle = ({ method, path }: NamedRequest) => `${method} ${path.replace(idForm, '…')}`

const sendNamed = ({ method, path, json, file, token, headers }: NamedRequest, key: string) =>
  send(path, {
    method,
    headers: headers ?? (token === '' ? {} : { authorization: `Bearer ${token ?? key}` }),
    ...(json === undefined ? {} : { body: new Blob([JSON.stringify(json)], { type: 'application/json' }) }),
    ...(file && { body: new Blob([file], { type: 'image/jpeg' }) }),
  })

const { venue, requests } = await createNamed()

test('every operation that names something is among the requests', () => {
  const operations = Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => ['get', 'post'].includes(method) && path.includes('{'))
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  const tried = requests.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)
  const toForm = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
  const untried = operations.filter((operation) => !tried.some((request) => toForm(operation).test(request)))
  expect(untried.sort()).toEqual(Object.keys(withoutName).sort())
})

describe.each([
  ['the merchant', (_id: string) => true],
  ['what a request names of the merchant', (id: string) => !id.startsWith('mer_')],
])('a replica that does not have %s yet', async (_, isHidden) => {
  const { venue, requests } = await createNamed()
  test.each(requests.map((request) => [toTitle(request), request] as const))(
    'is no reason to reject %s',
    async (_, request) => {
      lagBehind(listIds(request).filter(isHidden))
      const response = await sendNamed(request, venue.key)
      expect(response.status < 400 ? 'found' : [response.status, response.body]).toBe('found')
      if (request.expected) expect(response.body).toMatchObject(request.expected)
    },
  )
})

describe('the primary is not asked for what is known', () => {
  // The directory of keys and members is read from the primary anyway.
  const reads = requests.filter(({ method, token, headers }) => method === 'GET' && token === undefined && !headers)
  test.each(reads.map((request) => [toTitle(request), request] as const))('%s', async (_, { path }) => {
    const known = await observe('GET', path, { key: venue.key })
    expect([known.status, known.sessions]).toEqual([200, known.sessions.filter((asked) => asked !== 'first-primary')])
    const last = listIds({ method: 'GET', path }).findLast((id) => !id.startsWith('mer_'))
    if (last === undefined) return
    const unknown = await observe('GET', path.replaceAll(last, `${last.slice(0, -4)}none`), { key: venue.key })
    expect(unknown.trips.length).toBeLessThanOrEqual(known.trips.length + 1)
  })
})
