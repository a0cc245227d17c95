// Posts of the blog over HTTP.
import { blogPages } from '#contract/areas/help/blog-pages.ts'
import type { Call } from '#server/core/context.ts'
import { implement } from '#server/core/implement.ts'
import type { DatedText } from '#server/content/views.ts'
import { alternativesOf, languageOf, loadContent, type Loaded, paged } from './present.ts'

export const blogPageRoutes = implement(blogPages, {
  async get({ url }, ctx) {
    const content = await loadContent(ctx)
    const found = content.postsOf(content.library, ctx.clock.now(), ctx.language).filter(({ path }) => path === url)
    return paged(found, { limit: 1, offset: 0 }, (text) => ({
      ...rowOf(content, ctx, text),
      text: content.htmlOf(text.blocks(), ctx.origin),
      blocks: [...text.blocks()],
    }))
  },

  async list({ s, tag, ...page }, ctx) {
    const content = await loadContent(ctx)
    const posts = content
      .postsOf(content.library, ctx.clock.now(), ctx.language)
      .filter(({ tags }) => tag === '' || tags.includes(tag))
      .filter((text) => content.hasWords([text.title, content.shortTextOf(text), ...text.tags].join(' '), s))
    return paged(posts, page, (text) => rowOf(content, ctx, text))
  },
})

function rowOf(content: Loaded, { origin }: Call, text: DatedText) {
  const short = content.shortTextOf(text)
  return {
    _id: content.pageId(`blog/${text.path}`),
    url: text.path,
    status: 'Published' as const,
    ...languageOf(text.language),
    title: text.title,
    text: content.htmlOf([{ is: 'paragraph', children: [{ is: 'text', text: short }] }], origin),
    date_update: text.changed.toISOString(),
    date_publish: text.date.toISOString(),
    tags: text.tags.map((title) => ({ _id: content.pageId(`tag/${title}`), title })),
    image: content.firstImage(text.blocks()),
    short_text: short,
    alt_languages: alternativesOf(content.library, text),
  }
}
