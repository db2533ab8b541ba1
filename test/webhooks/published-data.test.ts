import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { app } from '../../src/app/app.ts'
import { origin } from '../support/api.ts'
import { toRounds } from '../support/rounds.ts'
import { createWebhookHarness, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

/** A request whose body goes out as it is, and the response's text as it comes. */
async function exchange(harness: WebhookHarness, method: string, path: string, body?: string) {
  const context = createExecutionContext()
  const headers = { authorization: `Bearer ${harness.venue.key}`, 'content-type': 'application/json' }
  const request = new Request(new URL(harness.path(path), origin), {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const response = await app.fetch(request, harness.bindings, context)
  const text = await response.text()
  await waitOnExecutionContext(context)
  return { status: response.status, text }
}

const publish = (harness: WebhookHarness, data: string) =>
  exchange(harness, 'POST', '/events', `{"type":"order.created","data":${data}}`)

/** The text of `data` in an event's text. */
const dataIn = (text: string) => text.slice(text.indexOf(',"data":') + ',"data":'.length, -1)

const issuesIn = (text: string): string[] =>
  JSON.parse(text).errors.map((issue: Record<string, string>) => `${issue['pointer']} ${issue['code']}`)

/** The text of `data` in the feed, in the first delivery and in its retry. */
async function sentTexts(harness: WebhookHarness, data: string): Promise<string[]> {
  harness.clear()
  harness.endpoint = (_call, number) => new Response(null, { status: number === 1 ? 500 : 204 })
  const { status, text } = await publish(harness, data)
  expect([status, text]).toEqual([202, expect.stringContaining('evt_')])
  await harness.deliver()
  await harness.advance(30)
  const feed = await exchange(harness, 'GET', `/events?limit=100`)
  const [last] = JSON.parse(feed.text).slice(-1)
  const start = feed.text.indexOf(`{"id":"${last.id}"`)
  return [feed.text.slice(start, -1), ...harness.calls.map(({ text }) => text)].map(dataIn)
}

describe('the data of a published event', () => {
  test.each([
    ['names that objects have anyway', '{"__proto__":{"a":1},"constructor":2,"toString":null,"a":{"__proto__":[]}}'],
    ['integers beyond 2^53', '{"a":12345678901234567890,"b":-9007199254740993}'],
    ['numbers by their spelling', '{"a":1.0,"b":1,"c":-0,"d":1e2,"e":1E+2,"f":0.10,"g":1.7976931348623157e308}'],
    ['more digits than a double has', '{"a":0.1234567890123456789012345}'],
    ['the order of names that are numbers', '{"b":1,"10":2,"a":3,"2":4}'],
    ['escapes as they came', '{"a":"\\u00fc\\/ü/\\ud83c\\udf55🍕\\"\\\\","\\u0062":"\\t"}'],
    ['empty lists, objects and names', '{"":{"":[]},"a":[{},[],""]}'],
    ['text that looks like JSON', '{"a":"} , \\" ] : [ {\\\\","b":"\\\\"}'],
  ])('preserves %s', async (_what, data) => {
    const harness = await createWebhookHarness()
    await harness.createWebhook({ events: ['order.created'] })
    expect(await sentTexts(harness, data)).toEqual([data, data, data])
  })

  test('is stored without white space between tokens', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook({ events: ['order.created'] })
    const data = ' \n{ "a" :\t[ 1 , { } , " x  y " ] ,\r\n"b":{"c" : true } } '
    const kept = '{"a":[1,{}," x  y "],"b":{"c":true}}'
    expect(await sentTexts(harness, data)).toEqual([kept, kept, kept])
  })

  test('is preserved byte by byte for random JSON', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook({ events: ['order.created'] })
    await fc.assert(
      fc.asyncProperty(jsonObject, async ({ sent, kept }) => {
        const expected = [kept, kept, kept]
        expect(await sentTexts(harness, sent)).toEqual(expected)
      }),
      // The feed is read in one page of 100 events.
      { numRuns: toRounds(96) },
    )
  })

  test.each([
    ['a name twice', '{"a":1,"b":{"x":1,"y":2,"x":1}}', '/data/b/x duplicate'],
    ['a name twice, spelt differently', '{"a":1,"\\u0061":1}', '/data/a duplicate'],
    ['a name twice in a list', '{"a":[0,{"~/":1,"~/":2}]}', '/data/a/1/~0~1 duplicate'],
    ['a number beyond a double', '{"a":[1,-1e9999]}', '/data/a/1 too_large'],
    ['half a character', '{"a":"\\ud83c"}', '/data/a invalid_character'],
    ['NUL', '{"a":"b\\u0000"}', '/data/a invalid_character'],
    ['half a character in a name', '{"a":{"\\udf55":1}}', '/data/a invalid_character'],
    ['101 levels', `${'{"a":'.repeat(100)}[]${'}'.repeat(100)}`, '/data invalid_value'],
    ['a list', '[1]', '/data invalid_type'],
    ['null', 'null', '/data required'],
  ])('with %s is rejected', async (_what, data, issue) => {
    const harness = await createWebhookHarness()
    const { status, text } = await publish(harness, data)
    expect([status, issuesIn(text)]).toEqual([422, [issue]])
    expect(await harness.events()).toEqual([])
  })

  test('can have 100 levels', async () => {
    const harness = await createWebhookHarness()
    await harness.createWebhook({ events: ['order.created'] })
    const data = `${'{"a":'.repeat(99)}[]${'}'.repeat(99)}`
    expect(await sentTexts(harness, data)).toEqual([data, data, data])
  })

  test.each([
    ['type twice', '{"type":"order.created","type":"order.created","data":{}}', '/type duplicate'],
    ['data twice', '{"type":"order.created","data":{},"data":{}}', '/data duplicate'],
    ['__proto__', '{"type":"order.created","data":{},"__proto__":{}}', '/__proto__ unknown_field'],
    ['two issues', '{"type":"order.created","data":{"a":1,"a":1},"x":1}', '/x unknown_field,/data/a duplicate'],
  ])('together with %s is rejected', async (_what, body, issues) => {
    const harness = await createWebhookHarness()
    const { status, text } = await exchange(harness, 'POST', '/events', body)
    expect([status, issuesIn(text).sort()]).toEqual([422, issues.split(',').sort()])
    expect(await harness.events()).toEqual([])
  })
})

/** A piece of JSON: as it is sent, with white space, and as it has to be kept. */
interface Piece {
  sent: string
  kept: string
}

const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 })
const padded = (piece: fc.Arbitrary<Piece>) =>
  fc.tuple(blanks, piece, blanks).map(([before, { sent, kept }, after]) => ({ sent: before + sent + after, kept }))
const literal = (texts: fc.Arbitrary<string>) => texts.map((text) => ({ sent: text, kept: text }))

const character = fc.oneof(
  fc.constantFrom(
    '\\n',
    '\\"',
    '\\\\',
    '\\/',
    '\\u0041',
    '\\u00e9',
    '\\ud83c\\udf55',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ' ',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((text) => !/["\\\p{Cc}]/u.test(text)),
)
const text = fc.array(character, { maxLength: 6 }).map((parts) => `"${parts.join('')}"`)
const name = fc.oneof(text, fc.constantFrom('"__proto__"', '"constructor"', '"7"', '"12"', '"data"', '""'))
const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`))
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,30}$/)),
    fc.option(digits(25), { nil: undefined }),
    fc.option(fc.stringMatching(/^[eE][+-]?[0-9]{1,2}$/), { nil: undefined }),
  )
  .map(([sign, whole, fraction, exponent]) => `${sign}${whole}${fraction ? `.${fraction}` : ''}${exponent ?? ''}`)

const joined = (open: string, parts: readonly Piece[], close: string): Piece => ({
  sent: open + parts.map(({ sent }) => sent).join(',') + close,
  kept: open + parts.map(({ kept }) => kept).join(',') + close,
})
const { jsonObject } = fc.letrec<{ jsonValue: Piece; jsonList: Piece; jsonObject: Piece }>((tie) => ({
  jsonValue: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literal(fc.oneof(text, number, fc.constantFrom('true', 'false', 'null'))),
    tie('jsonList'),
    tie('jsonObject'),
  ),
  jsonList: fc.array(padded(tie('jsonValue')), { maxLength: 4 }).map((parts) => joined('[', parts, ']')),
  jsonObject: fc
    .uniqueArray(fc.tuple(padded(literal(name)), padded(tie('jsonValue'))), {
      maxLength: 5,
      selector: ([{ kept }]) => JSON.parse(kept),
    })
    .map((members) =>
      joined(
        '{',
        members.map(([key, value]) => ({ sent: `${key.sent}:${value.sent}`, kept: `${key.kept}:${value.kept}` })),
        '}',
      ),
    ),
}))
