/** A string or a number in a JSON text. */
interface JsonValue {
  /** Index in `objects` of the innermost object that contains the value. */
  owner: number
  /** The member of that object that contains it. */
  key: string
  start: number
  end: number
  text: string
}

/** The strings and numbers of a JSON text, and its objects in the order of their starts. The first object represents the whole text. */
export interface JsonValues {
  /** Index of the object that contains each object, and the member that contains it. */
  objects: readonly { parent: number; key: string }[]
  values: readonly JsonValue[]
  /** Names of members. */
  names: readonly { owner: number; text: string }[]
}

interface Container {
  owner: number
  key: string
  isObject: boolean
  /** The next string is the name of a member. */
  expectsName: boolean
}

/** The position after the string that begins at `start`. */
function findStringEnd(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); ; quote = json.indexOf('"', quote + 1)) {
    let slashes = 0
    while (json[quote - 1 - slashes] === '\\') slashes++
    if (quote === -1 || slashes % 2 === 0) return quote + 1
  }
}

function readString(json: string, start: number, end: number): string {
  const inner = json.slice(start + 1, end - 1)
  return inner.includes('\\') ? String(JSON.parse(json.slice(start, end))) : inner
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const number = /-?[\d.eE+-]+/y

/** Reads a JSON text with the position of each value, so that a value can be replaced without changing other bytes. Undefined if it is not JSON. */
export function readJsonValues(json: string): JsonValues | undefined {
  if (!isJson(json)) return undefined
  const objects: JsonValues['objects'][number][] = [{ parent: -1, key: '' }]
  const values: JsonValue[] = []
  const names: JsonValues['names'][number][] = []
  let inner: Container = { owner: 0, key: '', isObject: false, expectsName: false }
  const outer: Container[] = []
  const enter = (container: Container) => {
    outer.push(inner)
    inner = container
  }
  for (let at = 0; at < json.length; ) {
    const char = json.charAt(at)
    let end = at + 1
    if (char === '{') {
      objects.push({ parent: inner.owner, key: inner.key })
      enter({ owner: objects.length - 1, key: '', isObject: true, expectsName: true })
    } else if (char === '[') enter({ ...inner, isObject: false, expectsName: false })
    else if (char === '}' || char === ']') inner = outer.pop() ?? inner
    else if (char === ',') inner.expectsName = inner.isObject
    else if (char === '"') {
      end = findStringEnd(json, at)
      const text = readString(json, at, end)
      if (inner.expectsName) {
        names.push({ owner: inner.owner, text })
        inner.key = text
        inner.expectsName = false
      } else values.push({ owner: inner.owner, key: inner.key, start: at, end, text })
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      number.lastIndex = at
      const [text = char] = number.exec(json) ?? []
      end = at + text.length
      values.push({ owner: inner.owner, key: inner.key, start: at, end, text })
    }
    at = end
  }
  return { objects, values, names }
}
