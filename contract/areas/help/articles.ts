// HelpPage: articles of the handbook. No session is needed.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read } from '#contract/core/operation.ts'
import { Nothing, Page, pageOf } from '#contract/core/wire.ts'
import { Blocks, PageId, PageText, StructureNode } from '#contract/entities/text-tree.ts'

const fields = {
  _id: PageId,
  url_inherit: z.string(),
  notion_parent_id: z.string(),
  date_create: DateTime,
  icon: z.nullable(z.object({})),
  ...PageText,
}

/** An article with its text. */
export const ArticlePage = z.object({ ...fields, platforms: z.array(z.string()), blocks: Blocks })
export type ArticlePage = z.output<typeof ArticlePage>

/** An article in search results. `text` is its first paragraph. */
export const FoundArticle = z.object({ ...fields, snippet: z.string(), anchor: z.string() })
export type FoundArticle = z.output<typeof FoundArticle>

// Four levels are published; the handbook has two: sections and articles.
const Fourth = z.object(StructureNode)
const Third = z.object({ ...StructureNode, connections: z.optional(z.array(Fourth)) })
const Second = z.object({ ...StructureNode, connections: z.optional(z.array(Third)) })

/** A section of the handbook with its articles. */
export const Section = z.object({ ...StructureNode, connections: z.optional(z.array(Second)) })
export type Section = z.output<typeof Section>

export const articles = group(
  'help.articles',
  { prefix: 'help/page', title: 'HelpPage' },
  {
    get: read('get', {
      name: 'Get page',
      input: z.object({ url: z.string().check(z.maxLength(255)) }),
      output: z.object({ success: z.boolean(), result: ArticlePage }),
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      notes: {
        url: '`url_inherit`, or `url` where only one section has it',
        language: 'a page that does not exist in it is sent in English; `language_iso` names the language of the text',
        text: 'HTML, made from `blocks`',
        blocks: 'the text as a tree',
      },
    }),
    search: read('search', {
      name: 'Get list of pages',
      input: z.extend(Page, { s: z._default(z.string().check(z.maxLength(255)), '') }),
      output: pageOf(FoundArticle),
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      notes: {
        s: 'words; their beginnings and small errors match. Empty: all articles',
        text: 'the first paragraph as HTML',
        snippet: 'the place that matches, as plain text',
        anchor: 'id of the heading or list item at that place; empty: the beginning',
      },
    }),
    structure: read('structure', {
      name: 'Get structure of help pages',
      input: Nothing,
      output: z.object({ success: z.boolean(), result: z.array(Section) }),
      auth: 'none',
      scope: 'any',
      provenance: 'published',
      notes: { priority: 'place among its siblings, from 1', connections: 'the pages below' },
    }),
  },
)
