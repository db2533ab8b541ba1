import { describe, expect, test } from 'vitest'
import { version } from '../../../package.json'
import { apiVersion } from '../../../src/platform/http/headers.ts'
import { buildFiles } from '../../../tools/openapi/build.ts'
import { send } from '../../support/api.ts'
import { routes } from '../../support/routes.ts'
import { document, operations, schemas, walk } from './parsed-document.ts'

/** Printed symbols and chips contain `/t` and `/n` in capitals. The document lists these pages once. */
const capitalTwin = /^GET \/[TN]\//
/** Files that pages of the documentation, of guests and of the demo venue load. */
const partOfPage = /\.(?:css|js)$|\/demo\/|\/fonts\/|\/(?:plate|icon-\d+)\.png$/
/** One route serves menus as pages and, with `.json`, as data. The document has an operation for each. */
const menuAsData = 'GET /m/{}.json'

describe('the document', () => {
  test('has every route, and no other', () => {
    const served = routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '{}')}`)
      .filter((route) => !capitalTwin.test(route) && !partOfPage.test(route))
    const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(documented.toSorted()).toEqual([...new Set(served), menuAsData].sort())
    expect(documented.length).toBeGreaterThan(75)
  })

  test('is OpenAPI 3.1, with the version of the package and the date of the contract', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe(version)
    expect(document.info['x-api-version']).toBe(apiVersion)
    expect(new Date(apiVersion).toISOString().slice(0, 10)).toBe(apiVersion)
  })

  test('has the target of each reference, and a reference to each component', () => {
    const places = new Set(Array.from(walk(document), ([path]) => path))
    const references = new Set(Array.from(walk(document), ([, { $ref }]) => $ref).filter((ref) => ref !== undefined))
    expect([...references].filter((ref) => !places.has(String(ref)))).toEqual([])
    const parts = ['schemas', 'responses', 'parameters', 'headers'].flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    )
    expect(parts.filter((part) => !references.has(part))).toEqual([])
  })

  test('has unique operation ids, every path parameter, and tags that exist', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(
      expect.arrayContaining(['listProducts', 'createMenu', 'retrieveTag', 'updateCoupon', 'deleteWebhook']),
    )
    for (const [path, { parameters }] of Object.entries<{ parameters: { name?: string; in?: string }[] }>(
      document.paths,
    )) {
      const documented = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
      expect(documented).toEqual(path.match(/\{\w+\}/g) ?? [])
    }
    const tags = new Set(document.tags.map(({ name }: { name: string }) => name))
    expect(operations.flatMap(({ operation }) => operation.tags).filter((tag) => !tags.has(tag))).toEqual([])
    expect(document.tags.filter(({ description }: { description?: string }) => !description)).toEqual([])
  })

  test('is the same in each build, and so are the other files', async () => {
    expect(await buildFiles()).toEqual(await buildFiles())
  })

  test('is what the service returns', async () => {
    expect((await send('/openapi.json')).body).toEqual(document)
  })
})

test('fields of responses say which the service sets, and share the descriptions of requests', () => {
  const { properties } = schemas.Tag
  const readOnly = Object.keys(properties).filter((key) => /Set by the service\.$/.test(properties[key].description))
  const fieldsOfOlderTags = ['documentCollection', 'documentId', 'edited', 'message', 'qr', 'timestamp']
  expect(readOnly.sort()).toEqual(
    ['alias', 'createdAt', 'id', 'qrUrl', 'updatedAt', 'url', ...fieldsOfOlderTags].sort(),
  )
  expect(schemas.Product.properties.price.description).toBe(schemas.ProductCreate.properties.price.description)
  const { required, properties: webhook } = schemas.Webhook
  expect(required).toContain('active')
  expect(Object.keys(webhook)).not.toContain('bearerToken')
  expect(Object.keys(schemas.WebhookFull.properties)).toContain('bearerToken')
})
