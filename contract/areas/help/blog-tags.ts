// BlogPageTag: tags of posts, with the number of posts. No session is needed.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read } from '#contract/core/operation.ts'
import { Page, pageOf } from '#contract/core/wire.ts'
import { PageId, TextLanguage } from '#contract/entities/text-tree.ts'

const Tag = z.object({ _id: PageId, ...TextLanguage, title: z.string(), count_use: z.int() })

export const blogTags = group(
  'help.blog-tags',
  { prefix: 'blog/tag', title: 'BlogPageTag' },
  {
    list: read('list', {
      name: 'Get list of pages',
      input: z.extend(Page, { s: z._default(z.string().check(z.maxLength(255)), '') }),
      output: pageOf(Tag),
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      notes: { s: 'part of the title', count_use: 'posts with this tag in this language' },
    }),
  },
)
