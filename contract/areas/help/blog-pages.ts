// BlogPage: posts of the operator. No session is needed.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { Page, pageOf } from '#contract/core/wire.ts'
import { Blocks, PageId, PageText } from '#contract/entities/text-tree.ts'

const Post = z.object({
  _id: PageId,
  ...PageText,
  date_publish: DateTime,
  tags: z.array(z.object({ _id: PageId, title: z.string() })),
  image: z.string(),
  short_text: z.string(),
})

/** A post in the list. `text` is its short text. */
export type Post = z.output<typeof Post>

/** A post with its text. */
const PostPage = z.extend(Post, { blocks: Blocks })
export type PostPage = z.output<typeof PostPage>

export const blogPages = group(
  'help.blog-pages',
  { prefix: 'blog/page', title: 'BlogPage' },
  {
    get: read('get', {
      name: 'Get page',
      input: z.object({ url: z.string().check(z.maxLength(255)) }),
      output: pageOf(PostPage),
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      notes: { text: 'HTML, made from `blocks`', blocks: 'the text as a tree', total: '0 for an unknown page' },
    }),
    list: read('list', {
      name: 'Get list of pages',
      input: z.extend(Page, {
        s: z._default(z.string().check(z.maxLength(255)), ''),
        tag: z._default(z.string().check(z.maxLength(255)), ''),
      }),
      output: pageOf(Post),
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      notes: {
        s: 'words of title, short text or tags; the newest posts first',
        tag: 'title of a tag',
        text: 'the short text as HTML',
        image: 'path of the first image; empty: none',
      },
    }),
  },
)
