// Search of articles in memory, one index per language, built at the first search.
import { setImmediate, setTimeout } from 'node:timers/promises'
import MiniSearch from 'minisearch'
import type { Language } from '#contract/core/wire.ts'
import type { Library, Text } from './library.ts'
import { type Passage, passagesOf } from './plain.ts'

/** A found text. */
export interface Found {
  readonly text: Text
  /** Returns the place that matches best, as plain text, and the anchor before it. Converts the text. */
  readonly place: () => Place
}

interface Place {
  readonly snippet: string
  readonly anchor: string
}

interface Indexed {
  readonly id: number
  readonly title: string
  readonly keywords: string
  readonly headings: string
  readonly body: string
}

/** Targets of links, and ids of headings. */
const markup = /\]\([^)\n]*\)|\{#[\w-]+\}/g
const heading = /^#{1,6} .*$/gm
/** Maximum number of words of a query. */
const termsMax = 12
const snippetLength = 180

type Find = (query: string) => Found[]

const indexes = new WeakMap<Library, Map<Language, Promise<Find>>>()

/**
 * Finds articles by words; beginnings of words and small errors match. Words that occur together in an article precede.
 * @param texts the articles in the language, in their order; the same list for the same library and language
 */
export async function searchTexts(
  library: Library,
  language: Language,
  texts: readonly Text[],
  query: string,
): Promise<Found[]> {
  const byLanguage = indexes.get(library) ?? new Map<Language, Promise<Find>>()
  indexes.set(library, byLanguage)
  const find = byLanguage.get(language) ?? createSearch(texts)
  byLanguage.set(language, find)
  return (await find)(query)
}

/** Pause between the conversions of texts, milliseconds: preparation does not delay calls. */
const pauseMs = 20

/** Prepares the search of a language: creates its index and converts its texts, one at a time. */
export async function prepareSearch(library: Library, language: Language, texts: readonly Text[]): Promise<void> {
  await searchTexts(library, language, texts, '')
  for (const text of texts) {
    text.blocks()
    await setTimeout(pauseMs, undefined, { ref: false })
  }
}

/** Time after which a long task lets other calls run, milliseconds. */
const sliceMs = 8

/** Creates a function that ends a turn of the event loop where the current one took long. */
function sliced(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < sliceMs) return
    await setImmediate()
    since = performance.now()
  }
}

/** Converts found texts and returns their places; other calls run meanwhile. */
export async function placesOf(found: readonly Found[]): Promise<Map<Found, Place>> {
  const pause = sliced()
  const places = new Map<Found, Place>()
  for (const one of found) {
    one.text.blocks()
    await pause()
    places.set(one, one.place())
    await pause()
  }
  return places
}

/** Creates the index from the Markdown: converting all texts takes five times as long. */
async function createSearch(texts: readonly Text[]): Promise<Find> {
  const index = new MiniSearch<Indexed>({
    fields: ['title', 'keywords', 'headings', 'body'],
    tokenize: wordsOf,
    processTerm: folded,
    searchOptions: { boost: { title: 6, keywords: 4, headings: 2 } },
  })
  const pause = sliced()
  for (const [id, { title, keywords, source }] of texts.entries()) {
    const text = source.replaceAll(markup, ' ')
    const headings = (text.match(heading) ?? []).join(' ')
    index.add({ id, title, keywords: keywords.join(' '), headings, body: text.replaceAll(heading, '') })
    await pause()
  }
  return function find(query) {
    const terms = [...new Set(wordsOf(query).map(folded))].filter((term) => term !== '').slice(0, termsMax)
    if (terms.length === 0) return []
    const options = {
      // The query is a list of words already; a word with a space would be cut again.
      tokenize: (text: string) => text.split('\n'),
      prefix: (term: string) => term.length > 1 || isIdeographic(term),
      fuzzy: (term: string) => (term.length > 7 ? 2 : term.length > 4 ? 1 : false),
    }
    const together = index.search(terms.join('\n'), { ...options, combineWith: 'AND' })
    const results = together.length > 0 ? together : index.search(terms.join('\n'), options)
    const wholeWords = terms.map((term) => new RegExp(`(?<![\\p{L}\\p{N}])${term}(?![\\p{L}\\p{N}])`, 'u'))
    return results.flatMap(({ id, terms: matched }) => {
      const text = texts[id as number]
      return text ? [{ text, place: () => bestPlace(passagesOf(text.blocks()), matched, wholeWords) }] : []
    })
  }
}

/**
 * Returns the passage with the most of the matched words; headings only if nothing else has one.
 * @param matched words of the text, also those that only begin like a word of the query
 * @param wholeWords words of the query; a passage with one of them as a whole word precedes
 */
function bestPlace(passages: readonly Passage[], matched: readonly string[], wholeWords: readonly RegExp[]): Place {
  let best: Passage | undefined
  let most = 0
  for (const passage of passages) {
    const text = folded(passage.text)
    const words = matched.filter((term) => text.includes(term)).length
    const whole = wholeWords.filter((word) => word.test(text)).length
    const score = words === 0 ? 0 : whole * 2 * matched.length + words * 2 + (passage.isHeading ? 0 : 1)
    if (score > most && passage.text !== '') [best, most] = [passage, score]
  }
  if (!best) return { snippet: '', anchor: '' }
  const at = Math.min(
    ...matched.map((term) => folded(best.text).indexOf(term)).filter((place) => place >= 0),
    best.text.length,
  )
  return { snippet: cut(best.text, at), anchor: best.anchor }
}

/** Returns a part of a text around a position, cut at spaces. */
function cut(text: string, at: number): string {
  if (text.length <= snippetLength) return text
  const from = at < snippetLength * 0.6 ? 0 : Math.max(text.lastIndexOf(' ', at - snippetLength / 3), 0)
  const isCut = from + snippetLength < text.length
  // Half of a pair of surrogates would be no character, and the beginning of a word no word.
  const part = text
    .slice(from, from + snippetLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(isCut ? /\s\S{0,20}$/ : /$^/, '')
    .trim()
  return `${from > 0 ? '… ' : ''}${part}${from + part.length < text.length - 1 ? ' …' : ''}`
}

/** Case and «ё» do not matter. */
const folded = (text: string): string => text.toLowerCase().replaceAll('ё', 'е')

const isIdeographic = (text: string): boolean => /\p{Script=Han}/u.test(text)

let segmenter: Intl.Segmenter | undefined

/** Splits text into words: by spaces and punctuation, and Chinese by the segmenter of the runtime. */
function wordsOf(text: string): string[] {
  return (text.normalize('NFC').match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).flatMap((word) => {
    if (!isIdeographic(word)) return [word, ...word.split('_')].filter((part, at, all) => all.indexOf(part) === at)
    segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
    return [...segmenter.segment(word)].map(({ segment }) => segment)
  })
}
