import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Sources with comments, messages and descriptions in English. The texts of other languages have their own grammar. */
const sources = '{src,tools,console,packages,bench,test,examples}/**/*.{ts,tsx,css,js,cjs}'
const pages = ['*.md', 'docs/**/*.md', 'packages/**/*.md', '.github/**/*.md']
const isOurs = (path: string) =>
  !/(^|\/)(node_modules|dist|public)\/|^console\/texts\/de|^test\/foreign\/|\/pages\/(languages|staff|food)\//.test(
    path,
  )

/** Patterns that readers from other countries have to read twice, and how to write instead. */
const patterns: readonly { found: RegExp; write: string }[] = [
  { found: /\b(?:is|are|was|were) none\b/, write: 'name the thing: "undefined if the text is not a color"' },
  { found: /(?:^|[.:;] )Most (?!of\b)(?:[\w`']+ ){1,6}(?:that|in|of|from)\b/, write: 'Maximum number of …' },
  {
    found: /(?:^|[.:;] )(?:Longest|Shortest|Largest|Smallest|Greatest|Fewest|Least) \w/,
    write: 'Maximum … or Minimum …',
  },
  { found: /(?:^|[.;] )What [^.?]*\.(?: |$)/, write: 'a noun: "Parts of the document that the tools use"' },
  { found: /(?:^|[.;] )The same(?: (?:for|as|of|with|in|about|without)\b|[,.:]|$)/, write: 'the noun again' },
  { found: /\bmeanwhile\b/i, write: 'when: "since it was read", "during the request"' },
  { found: /\banew\b/, write: 'again' },
  { found: /\bfor ever\b/, write: 'permanently, or always' },
  { found: /\bin vain\b/, write: 'without success, or: failed' },
  { found: /\bThere is no such\b/i, write: '… does not exist' },
]

/** A paragraph of a comment, a page or a text. */
type Passage = { text: string; line: number }

const commentsOrTexts =
  /\/\*\*?([\s\S]*?)\*\/|(?<=^|\s)\/\/ ?(.*(?:\n\s*\/\/ .*)*)|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\[\s\S])*)`/gm

/** The comments of a source and its texts of at least three words, on one line each. */
function* listPassages(source: string): Iterable<Passage> {
  for (const match of source.matchAll(commentsOrTexts)) {
    const raw = match.slice(1).find((part) => part !== undefined) ?? ''
    const text = raw.replace(/\s*\n\s*(?:\* ?|\/\/ ?)?/g, ' ').trim()
    if (/\w+ \w+ \w+/.test(text)) yield { text, line: source.slice(0, match.index).split('\n').length }
  }
}

/** The paragraphs, list items and cells of a page, without its examples. Released sections of the changelog stay as they are. */
function* listParagraphs(page: string): Iterable<Passage> {
  const current = page.replace(/^## \d+\.\d+\.\d+[\s\S]*/m, '')
  const prose = current.replace(/^ *```[\s\S]*?^ *```/gm, (block) => block.replace(/[^\n]/g, ''))
  for (const match of prose.matchAll(/(?:^|(?<=\n))[^\n]+(?:\n(?! *(?:[-*|#]|\d+\.) ?)[^\n]+)*/g))
    for (const cell of match[0].split('|')) {
      const text = cell
        .replace(/^[\s\-*#\d.]+/, '')
        .replace(/\s+/g, ' ')
        .trim()
      if (/\w+ \w+ \w+/.test(text)) yield { text, line: prose.slice(0, match.index).split('\n').length }
    }
}

const findPatterns = (path: string, passages: Iterable<Passage>) =>
  [...passages].flatMap(({ text, line }) =>
    patterns.flatMap(({ found, write }) => {
      const hit = found.exec(text)
      return hit ? `${path}:${line}: "${hit[0].trim()}" in "${text.slice(0, 120)}"; write ${write}` : []
    }),
  )

test('comments, messages and descriptions have no pattern that is hard to read', () => {
  const paths = globSync(sources).filter((path) => isOurs(path) && !path.endsWith('language.test.ts'))
  expect(paths.flatMap((path) => findPatterns(path, listPassages(readFileSync(path, 'utf8'))))).toEqual([])
})

test('the pages have no pattern that is hard to read', () => {
  const paths = globSync(pages).filter(isOurs)
  expect(paths.flatMap((path) => findPatterns(path, listParagraphs(readFileSync(path, 'utf8'))))).toEqual([])
})

test('each pattern is found in the passages of a source and of a page', () => {
  const source =
    '/** Most rows that a page has. */\n// Undefined if the text\n// is none.\nconst a = "it waits in vain"\n'
  expect([...listPassages(source)].map(({ line }) => line)).toEqual([1, 2, 4])
  expect(findPatterns('a.ts', listPassages(source))).toHaveLength(3)
  const page =
    '# A page\n\n- It is written\n  anew.\n\n```\nis none\n```\n\n| What it does | it was deleted meanwhile |\n'
  expect(findPatterns('a.md', listParagraphs(page))).toHaveLength(2)
})
