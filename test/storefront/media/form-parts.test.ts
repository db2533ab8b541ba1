import { expect, test } from 'vitest'
import { getBoundary, readFormParts } from '../../../src/storefront/media/form-parts.ts'

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() }

/** The parts of a body, as texts. Lines end with CR LF. */
function read(body: string, boundary = 'b') {
  const parts = readFormParts(new Uint8Array(utf8.encoder.encode(body.replaceAll('\n', '\r\n'))), boundary)
  return parts?.map(({ name, isFile, bytes }) => [name, isFile, utf8.decoder.decode(bytes)])
}
const head = (rest: string) => `Content-Disposition: form-data; ${rest}\n`

test.each([
  [
    'a file',
    `--b\n${head('name="image"; filename="a.png"')}Content-Type: image/png\n\nPNG\n--b--\n`,
    [['image', true, 'PNG']],
  ],
  ['a text', `--b\n${head('name="note"')}\nhi\n--b--`, [['note', false, 'hi']]],
  [
    'a preamble and an epilogue',
    `hello\n--b\n${head('name=image; filename=x')}\n1\n--b--\nbye`,
    [['image', true, '1']],
  ],
  ['an empty file', `--b\n${head('name="image"; filename=""')}\n\n--b--`, [['image', true, '']]],
  ['spaces behind the delimiter', `--b \t\n${head('name="a"')}\n1\n--b--`, [['a', false, '1']]],
  ['a content that looks like a delimiter', `--b\n${head('name="a"')}\n--b\n-b--\n\n--a\n--b--`, undefined],
  [
    'lower case, and a name of RFC 5987',
    `--b\ncontent-disposition: Form-Data; name="a"; filename*=UTF-8''x\n\n1\n--b--`,
    [['a', true, '1']],
  ],
  ['quotes in a name', `--b\n${head('name="a\\"b%22"; filename="x"')}\n1\n--b--`, [['a"b"', true, '1']]],
  ['no parts', '--b--', []],
  ['no end', `--b\n${head('name="a"')}\n1`, undefined],
  ['no headers', '--b\n\n1\n--b--', undefined],
  ['no delimiter', 'nothing', undefined],
  ['nothing', '', undefined],
])('%s', (_, body, parts) => {
  expect(read(body)).toEqual(parts)
})

test('the same as the platform reads', async () => {
  const random = crypto.getRandomValues(new Uint8Array(5_000))
  random.set(utf8.encoder.encode('\r\n--\r\n\r\n--x\r\n'), 100)
  const form = new FormData()
  form.append('image', new File([random], 'ä "1".png', { type: 'image/png' }))
  form.append('variant', new File([random.slice(0, 9)], '2'))
  form.append('note', 'line\r\nline')
  const response = new Response(form)
  const boundary = getBoundary(response.headers.get('content-type') ?? '') ?? ''
  const parts = readFormParts(new Uint8Array(await response.arrayBuffer()), boundary)
  expect(parts?.map(({ name, isFile }) => [name, isFile])).toEqual([
    ['image', true],
    ['variant', true],
    ['note', false],
  ])
  expect(parts?.[0]?.bytes).toEqual(random)
  expect(parts?.[1]?.bytes).toEqual(random.slice(0, 9))
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; charset=utf-8; Boundary="a b\'c"', "a b'c"],
  ['multipart/form-data', undefined],
  ['multipart/form-data; boundary=""', undefined],
  [`multipart/form-data; boundary=${'x'.repeat(71)}`, undefined],
])('the boundary of %s', (type, boundary) => {
  expect(getBoundary(type)).toBe(boundary)
})
