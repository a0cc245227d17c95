// Preparation of the handbook's search: a reader of the contents or of an article often searches next.
import type { Language } from '#contract/core/wire.ts'
import type { Library } from '#server/content/library.ts'
import type { Loaded } from './present.ts'

/** Time after the first call of a language, milliseconds: its page has loaded by then. */
const delayMs = 1500

const prepared = new WeakMap<Library, Set<Language>>()

/** Prepares the search of a language once for each library, after the current calls. Never throws. */
export function prepareSearchLater({ library, articlesOf }: Loaded, language: Language): void {
  const languages = prepared.get(library) ?? new Set()
  prepared.set(library, languages)
  if (languages.has(language)) return
  languages.add(language)
  const prepare = async () => {
    const { prepareSearch } = await import('#server/content/search.ts')
    await prepareSearch(library, language, articlesOf(library, language))
  }
  // A search that follows repeats what failed.
  setTimeout(() => void prepare().catch(() => undefined), delayMs).unref()
}
