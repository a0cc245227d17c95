// Lists of texts in a language. Texts that do not exist in it are in English, else in another language.
import type { Language } from '#contract/core/wire.ts'
import { type Library, type Text, textIn, type TextKind } from './library.ts'
import { firstParagraph, plainInlines } from './plain.ts'

/** A post with the date of its publication. */
export type DatedText = Text & { readonly date: Date }

const textsOf = ({ texts }: Library, kind: TextKind, language: Language): Text[] =>
  [...texts[kind].values()].flatMap((inLanguages) => textIn(inLanguages, language) ?? [])

/** Section and slug of an article: `start/obs` is `obs` in `start`. */
export const sectionOf = (path: string): string => path.split('/', 1)[0] ?? ''
export const slugOf = (path: string): string => path.split('/')[1] ?? path

/** Returns the articles in their order: by section, then by their own order, which the English text decides. */
export function articlesOf(library: Library, language: Language): Text[] {
  const all = textsOf(library, 'help', language)
  const sections = new Map(
    all.filter(({ path }) => slugOf(path) === 'index').map(({ path, order }) => [sectionOf(path), order]),
  )
  const placeOf = ({ path, order }: Text) =>
    [
      sections.get(sectionOf(path)) ?? Number.MAX_SAFE_INTEGER,
      sectionOf(path),
      textIn(library.texts.help.get(path), 'en')?.order ?? order,
      path,
    ] as const
  return all
    .filter(({ path }) => slugOf(path) !== 'index')
    .map((text) => ({ text, place: placeOf(text) }))
    .toSorted((a, b) => {
      const at = a.place.findIndex((value, index) => value !== b.place[index])
      return at < 0 ? 0 : (a.place[at] ?? 0) < (b.place[at] ?? 0) ? -1 : 1
    })
    .map(({ text }) => text)
}

/** Returns the posts that are published, newest first. A post appears at its date. */
export const postsOf = (library: Library, now: Date, language: Language): DatedText[] =>
  textsOf(library, 'blog', language)
    .filter((text): text is DatedText => text.date !== null && text.date <= now)
    .toSorted((a, b) => b.date.getTime() - a.date.getTime() || (a.path < b.path ? -1 : 1))

/** Short text: the summary, or the first paragraph. */
export function shortTextOf(text: Text): string {
  if (text.summary !== '') return text.summary
  const first = firstParagraph(text.blocks())
  return first?.is === 'paragraph' ? plainInlines(first.children) : ''
}

/** Returns whether a text contains each word of a query, in any case. */
export function hasWords(text: string, query: string): boolean {
  const folded = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
