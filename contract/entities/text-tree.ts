// Texts as a tree: the only form in which the dashboard gets the text of articles, posts and policies. No node holds HTML.
import * as z from 'zod/mini'
import { DateTime } from '#contract/core/lenient.ts'
import { Language } from '#contract/core/wire.ts'

/** Piece of a line. Links lead to `https:`, `http:`, `mailto:`, a path of the dashboard (`/…`) or an anchor (`#…`). */
export type Inline =
  | { readonly is: 'text' | 'code'; readonly text: string }
  | { readonly is: 'strong' | 'emphasis'; readonly children: readonly Inline[] }
  | { readonly is: 'link'; readonly to: string; readonly children: readonly Inline[] }
  | { readonly is: 'break' }
  | TextImage

/** Image of a text: a path of the service, and its size in pixels. */
export interface TextImage {
  readonly is: 'image'
  readonly src: string
  readonly alt: string
  readonly width: number
  readonly height: number
}

/** Kinds of notes; `quote` is a plain quotation. */
export type NoteTone = 'note' | 'tip' | 'important' | 'warning' | 'caution' | 'quote'

/** Block of a text. `id` is an anchor. */
export type Block =
  | { readonly is: 'heading'; readonly level: number; readonly id: string; readonly children: readonly Inline[] }
  | { readonly is: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly is: 'list'; readonly ordered: boolean; readonly start: number; readonly items: readonly ListItem[] }
  | { readonly is: 'code'; readonly language: string; readonly text: string }
  | {
      readonly is: 'table'
      readonly align: readonly ('left' | 'right' | 'center' | null)[]
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }
  | { readonly is: 'note'; readonly tone: NoteTone; readonly children: readonly Block[] }
  | { readonly is: 'rule' }

export interface ListItem {
  readonly id?: string
  readonly children: readonly Block[]
}

/** A text on the wire: blocks of `Block`; clients skip kinds that they do not know. */
export const Blocks = z.array(z.looseObject({ is: z.string() }))

/** Publishing state (published). This service sends `Published` only. */
const Status = z.enum(['None', 'Backlog', 'Drafting', 'Reviewing', 'Done', 'Published'])

/** Language of a page: the published name and the code. The published name of Chinese is `none`. */
export const TextLanguage = {
  language: z.enum(['russian', 'english', 'none']),
  language_iso: Language,
}

/** Fields of every page with a text. `text` is HTML; `alt_languages` lists the languages in which the page exists. */
export const PageText = {
  url: z.string(),
  status: Status,
  ...TextLanguage,
  title: z.string(),
  text: z.string(),
  date_update: DateTime,
  alt_languages: z.array(Language),
}

/** Id of a page: 24 hexadecimal digits, from its path. */
export const PageId = z.string()

/** Fields of a node of the structure of pages. */
export const StructureNode = {
  _id: PageId,
  notion_id: z.string(),
  notion_parent_id: z.string(),
  url: z.string(),
  url_inherit: z.string(),
  status: Status,
  title: z.array(z.object({ ...TextLanguage, value: z.string() })),
  icon: z.nullable(z.object({})),
  priority: z.int(),
}
