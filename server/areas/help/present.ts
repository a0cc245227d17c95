// Texts of the content folder as the pages of the contract. The content is imported at the first call: an idle service does
// not hold it.
import type { Language } from '#contract/core/wire.ts'
import type { Call } from '#server/core/context.ts'
import type { Library, Text } from '#server/content/library.ts'
import { billingMode } from '#server/domain/installation/installation.ts'

/** Names of languages (published); Chinese has none. */
const published = { en: 'english', ru: 'russian', cn: 'none' } as const

/** Language of a text on the wire. */
export const languageOf = (language: Language) => ({ language: published[language], language_iso: language })

/** Loads the current library, without plans where they do not apply, and the modules that read it. */
export async function loadContent(call: Call) {
  const [
    { contentOf },
    { pageId, textIn, libraryWithoutPlans },
    { htmlOf },
    { firstImage, firstParagraph },
    { articlesOf, hasWords, postsOf, sectionOf, shortTextOf, slugOf },
  ] = await Promise.all([
    import('#server/content/content.ts'),
    import('#server/content/library.ts'),
    import('#server/content/html.ts'),
    import('#server/content/plain.ts'),
    import('#server/content/views.ts'),
  ])
  const library = await contentOf(call).library()
  return {
    library: (await billingMode(call.db)) === 'off' ? libraryWithoutPlans(library) : library,
    pageId,
    textIn,
    htmlOf,
    firstImage,
    firstParagraph,
    articlesOf,
    hasWords,
    postsOf,
    sectionOf,
    shortTextOf,
    slugOf,
  }
}

export type Loaded = Awaited<ReturnType<typeof loadContent>>

/** Languages in which a page exists. */
export const alternativesOf = (library: Library, { kind, path }: Text): Language[] => [
  ...(library.texts[kind].get(path)?.keys() ?? []),
]

/** One page of a list. */
export const paged = <T, U>(
  all: readonly T[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
  present: (item: T) => U,
) => ({ total: all.length, limit, offset, results: all.slice(offset, offset + limit).map((item) => present(item)) })
