import { minify } from 'terser'

/** A file of the console: its name, and the script that esbuild has written, with the names of the sources. */
interface Script {
  path: string
  text: string
}

const exportsAtEnd = /export\s*\{([^}]*)\};?\s*$/
const importsAtStart = /^(?:\s*import\s*(?:\{[^}]*\}\s*from\s*)?"[^"]*";?)+/
const lists = /\{([^}]*)\}/g
/** The two names of an entry of a list: `local as other` or the same name twice. */
const readEntry = (entry: string): [string, string] => {
  const [first = '', second = first] = entry.trim().split(/\s+as\s+/)
  return [first, second]
}
const readEntries = (list = '') => (list.trim() === '' ? [] : list.split(',').map(readEntry))

const readExports = (text: string) =>
  readEntries(exportsAtEnd.exec(text)?.[1]).flatMap(([, name]) => (name === 'default' ? [] : [name]))
const readImports = (text: string) => {
  const [start = ''] = importsAtStart.exec(text) ?? []
  return [...start.matchAll(lists)].flatMap(([, list]) => readEntries(list)).map(([name]) => name)
}

/** Letters in the order in which terser uses them. Names that files share begin with the last ones. */
const letters = 'etanrsiolcdumpfhgvybwkxqzjTMSLEPDIRNOCAFBHGVUWKzXYQZJ_$'
const order = [...new Set(letters)]
const reserved = new Set(['as', 'do', 'if', 'in', 'of'])
const shortNames = [
  ...order.slice(-30),
  ...order.flatMap((first) => [...order, ...'0123456789'].map((second) => first + second)),
].filter((name) => !reserved.has(name))

/**
 * Gives everything that files share one short name in all files: `import{aB,cD}` compresses better than `import{aB as e,cD as t}`, and so do the
 * same names in all files. A name depends only on the file that exports it and on files that this one imports, because the names of files contain
 * hashes of these: a file in the cache of a browser has the names of the files that it imports.
 */
export function nameShared(scripts: readonly Script[]): ReadonlyMap<string, string> {
  const exporting = scripts.flatMap(({ path, text }) => {
    const names = readExports(text)
    return names.length === 0 ? [] : [{ path, text, names, imported: readImports(text) }]
  })
  const sorted = exporting.toSorted((one, other) => one.imported.length - other.imported.length)
  const shared = new Map<string, string>()
  for (const [index, { path, text, names }] of sorted.entries()) {
    const before = sorted.slice(0, index)
    if (before.some((each) => !text.includes(each.path))) {
      throw new Error(`${path} must import ${before.map((each) => each.path)}, because its names depend on them`)
    }
    const counts = new Map(names.map((name) => [name, 0]))
    for (const [word] of text.matchAll(/[\w$]+/g)) {
      const count = counts.get(word)
      if (count !== undefined) counts.set(word, count + 1)
    }
    for (const [name] of [...counts].sort(([, one], [, other]) => other - one)) {
      const short = shortNames[shared.size]
      if (short === undefined) throw new Error('files share more names than there are short ones')
      if (!shared.has(name)) shared.set(name, short)
    }
  }
  return shared
}

/** Writes a list of names that files share: `local` is the first or the second of an entry. */
const writeList = (list: string, shared: ReadonlyMap<string, string>, isExport: boolean) => {
  const entries = readEntries(list).map(([first, second]) => {
    const [one, other] = isExport ? [first, shared.get(second) ?? second] : [shared.get(first) ?? first, second]
    return one === other ? one : `${one} as ${other}`
  })
  // Sorted, neighbors begin with the same letter.
  return `{${entries.sort().join(',')}}`
}

/** Shortens a script. All functions use the same few names for their variables, which compress well. */
export async function shorten(script: string, shared: ReadonlyMap<string, string>): Promise<string> {
  const own = new Set([...readExports(script), ...readImports(script)])
  const props = [...shared].flatMap(([name, short]) => (own.has(name) ? [[`$${name}`, short] as const] : []))
  const { code } = await minify(script, {
    module: true,
    // Other forms are shorter, but compress worse. Functions without `this` are never called with `new`.
    compress: {
      passes: 5,
      lhs_constants: false,
      sequences: false,
      inline: 1,
      if_return: false,
      unsafe_arrows: true,
      ecma: 2020,
    },
    format: { wrap_func_args: false },
    nameCache: { vars: { props: Object.fromEntries(props) } },
  })
  if (code === undefined) throw new Error('a script of the console is empty')
  return code
    .replace(importsAtStart, (start) => start.replace(lists, (_, list) => writeList(list, shared, false)))
    .replace(exportsAtEnd, (_, list) => `export${writeList(list, shared, true)}`)
}
