// RSS 2.0 feed of the posts.
import { escapeHtml, htmlOf } from './html.ts'
import { type DatedText, shortTextOf } from './views.ts'

/** Title, language (BCP 47) and addresses of a feed. */
export interface FeedHead {
  readonly title: string
  readonly code: string
  /** Address of the feed itself. */
  readonly self: string
  /** Origin of the service. */
  readonly origin: string
}

/** Renders the feed of posts. */
export function feedOf(posts: readonly DatedText[], { title, code, self, origin }: FeedHead): string {
  const tag = (name: string, text: string): string => `<${name}>${escapeHtml(text)}</${name}>`
  const entries = posts.map((post) => {
    const link = `${origin}/blog/${post.path}`
    return [
      '<item>',
      tag('title', post.title),
      tag('link', link),
      `<guid isPermaLink="true">${escapeHtml(link)}</guid>`,
      tag('pubDate', post.date.toUTCString()),
      ...post.tags.map((each) => tag('category', each)),
      tag('description', shortTextOf(post)),
      tag('content:encoded', htmlOf(post.blocks(), origin)),
      '</item>',
    ].join('\n')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    tag('title', title),
    tag('link', `${origin}/blog`),
    tag('description', title),
    tag('language', code),
    `<atom:link href="${escapeHtml(self)}" rel="self" type="application/rss+xml"/>`,
    ...entries,
    '</channel>',
    '</rss>',
    '',
  ].join('\n')
}
