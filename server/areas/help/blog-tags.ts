// Tags of posts over HTTP.
import { blogTags } from '#contract/areas/help/blog-tags.ts'
import { implement } from '#server/core/implement.ts'
import { languageOf, loadContent, paged } from './present.ts'

export const blogTagRoutes = implement(blogTags, {
  async list({ s, ...page }, ctx) {
    const content = await loadContent(ctx)
    const counts = new Map<string, number>()
    for (const tag of content
      .postsOf(content.library, ctx.clock.now(), ctx.language)
      .flatMap((post) => [...new Set(post.tags)]))
      counts.set(tag, (counts.get(tag) ?? 0) + 1)
    const found = [...counts]
      .filter(([title]) => content.hasWords(title, s))
      .toSorted(([a, often], [b, seldom]) => seldom - often || (a < b ? -1 : 1))
    return paged(found, page, ([title, count]) => ({
      _id: content.pageId(`tag/${title}`),
      ...languageOf(ctx.language),
      title,
      count_use: count,
    }))
  },
})
