// Articles of the handbook over HTTP.
import { articles } from '#contract/areas/help/articles.ts'
import { languages } from '#contract/core/codes.ts'
import type { Language } from '#contract/core/wire.ts'
import type { Text } from '#server/content/library.ts'
import { NotFoundError } from '#server/core/errors.ts'
import { implement } from '#server/core/implement.ts'
import { prepareSearchLater } from './prepare-search.ts'
import { alternativesOf, languageOf, loadContent, type Loaded, paged } from './present.ts'

export const articleRoutes = implement(articles, {
  async get({ url }, ctx) {
    const content = await loadContent(ctx)
    const text = textAt(content, url, ctx.language)
    if (!text) throw new NotFoundError('PageNotFound')
    prepareSearchLater(content, ctx.language)
    const html = content.htmlOf(text.blocks(), ctx.origin)
    const row = { ...rowOf(content, text, html), platforms: [...text.platforms], blocks: [...text.blocks()] }
    return { success: true, result: row }
  },

  async search({ s, ...page }, ctx) {
    const content = await loadContent(ctx)
    const all = content.articlesOf(content.library, ctx.language)
    const row = (text: Text, snippet: string, anchor: string) => {
      const first = content.firstParagraph(text.blocks())
      return { ...rowOf(content, text, first ? content.htmlOf([first], ctx.origin) : ''), snippet, anchor }
    }
    if (s.trim() === '') return paged(all, page, (text) => row(text, '', ''))
    const { placesOf, searchTexts } = await import('#server/content/search.ts')
    const found = await searchTexts(content.library, ctx.language, all, s)
    const places = await placesOf(found.slice(page.offset, page.offset + page.limit))
    return paged(found, page, (one) => row(one.text, places.get(one)?.snippet ?? '', places.get(one)?.anchor ?? ''))
  },

  async structure(_, ctx) {
    const content = await loadContent(ctx)
    const all = content.articlesOf(content.library, ctx.language)
    prepareSearchLater(content, ctx.language)
    const { sectionOf } = content
    const sections = [...new Set(all.map(({ path }) => sectionOf(path)))]
    const result = sections.map((section, at) => ({
      ...nodeOf(content, `${section}/index`, section, at + 1),
      connections: all
        .filter(({ path }) => sectionOf(path) === section)
        .map(({ path }, place) => nodeOf(content, path, path, place + 1)),
    }))
    return { success: true, result }
  },
})

/** Finds an article by its path, or by its slug where only one section has it. */
function textAt({ library, textIn, slugOf }: Loaded, url: string, language: Language): Text | undefined {
  const path = url.replaceAll(/^\/+|\/+$/g, '')
  if (slugOf(path) === 'index') return undefined
  const exact = library.texts.help.get(path)
  if (exact) return textIn(exact, language)
  const same = [...library.texts.help].filter(([each]) => slugOf(each) === path)
  return same.length === 1 ? textIn(same[0]?.[1], language) : undefined
}

const rowOf = (content: Loaded, text: Text, html: string) => ({
  _id: content.pageId(`help/${text.path}`),
  url: content.slugOf(text.path),
  url_inherit: text.path,
  notion_parent_id: content.pageId(`help/${content.sectionOf(text.path)}`),
  status: 'Published' as const,
  ...languageOf(text.language),
  title: text.title,
  text: html,
  date_update: text.changed.toISOString(),
  date_create: (text.date ?? text.changed).toISOString(),
  icon: null,
  alt_languages: alternativesOf(content.library, text),
})

/**
 * Presents a page or a section of the structure.
 * @param source path of the text with its titles
 */
function nodeOf({ library, pageId, sectionOf, slugOf }: Loaded, source: string, path: string, priority: number) {
  const inLanguages = library.texts.help.get(source)
  const id = pageId(`help/${path}`)
  const titles = languages.flatMap((each) => {
    const title = inLanguages?.get(each)?.title
    return title === undefined ? [] : [{ ...languageOf(each), value: title }]
  })
  return {
    _id: id,
    notion_id: id,
    notion_parent_id: path === sectionOf(path) ? '' : pageId(`help/${sectionOf(path)}`),
    url: path === sectionOf(path) ? path : slugOf(path),
    url_inherit: path,
    status: 'Published' as const,
    title: titles.length > 0 ? titles : [{ ...languageOf('en'), value: path }],
    icon: null,
    priority,
  }
}
