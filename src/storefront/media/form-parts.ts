const utf8 = new TextDecoder()
const ascii = new TextEncoder()

/** A part of a form. Its bytes are a view of the body. */
interface FormPart {
  name: string
  isFile: boolean
  bytes: Uint8Array<ArrayBuffer>
}

const [carriageReturn, lineFeed, hyphen] = [13, 10, 45]
/** Maximum bytes of the headers of a part. */
const maxHeaderBytes = 16_384

const startsWithAt = (bytes: Uint8Array, text: Uint8Array, offset: number) =>
  text.every((byte, index) => bytes[offset + index] === byte)

/** Offset of a text that begins with a carriage return; -1 if it does not occur. */
function find(bytes: Uint8Array, text: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(carriageReturn, from); at !== -1; at = bytes.indexOf(carriageReturn, at + 1)) {
    if (startsWithAt(bytes, text, at)) return at
  }
  return -1
}

/** A parameter of a header: a token or a quoted string. Browsers write a quote in it as `%22`, other clients as `\"`. */
function getParameter(header: string, name: string): string | undefined {
  const [, quoted, token] = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(header) ?? []
  return quoted?.replace(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? token
}

/** The boundary of a `Content-Type`; undefined if it is missing or invalid. */
export function getBoundary(contentType: string): string | undefined {
  const boundary = getParameter(contentType, 'boundary')
  return boundary !== undefined && /^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(boundary) ? boundary : undefined
}

/** The parts of a `multipart/form-data` body (RFC 7578), as views of it; undefined if the body is not such a form. Linear in the size of the body. */
export function readFormParts(body: Uint8Array<ArrayBuffer>, boundary: string): FormPart[] | undefined {
  const delimiter = ascii.encode(`\r\n--${boundary}`)
  const blankLine = ascii.encode('\r\n\r\n')
  const parts: FormPart[] = []
  // The first delimiter needs no line end before it.
  const first = startsWithAt(body, delimiter.subarray(2), 0) ? -2 : find(body, delimiter, 0)
  if (first === -1) return undefined
  for (let at = first + delimiter.length; ; ) {
    if (body[at] === hyphen && body[at + 1] === hyphen) return parts
    while (body[at] === 32 || body[at] === 9) at++
    if (body[at] !== carriageReturn || body[at + 1] !== lineFeed) return undefined
    // The headers may be empty: then the blank line begins at the end of the delimiter.
    const head = find(body.subarray(0, at + maxHeaderBytes), blankLine, at)
    if (head === -1) return undefined
    const end = find(body, delimiter, head + 2)
    if (end === -1) return undefined
    const disposition = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(utf8.decode(body.subarray(at, head)))?.[1]
    const name = disposition && getParameter(disposition, 'name')
    if (!disposition || name === undefined) return undefined
    parts.push({
      name,
      isFile: /;\s*filename\*?=/i.test(disposition),
      bytes: body.subarray(head + blankLine.length, end),
    })
    at = end + delimiter.length
  }
}
