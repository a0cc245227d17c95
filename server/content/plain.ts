// Plain text of a tree, for the search, snippets and descriptions.
import type { Block, Inline } from '#contract/entities/text-tree.ts'

/** A piece of plain text, and the anchor before it; empty at the beginning. */
export interface Passage {
  readonly anchor: string
  readonly text: string
  readonly isHeading: boolean
}

/** Text of a line. An image is its description. */
export const plainInlines = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline) => {
      switch (inline.is) {
        case 'text':
        case 'code':
          return inline.text
        case 'break':
          return ' '
        case 'image':
          return inline.alt
        default:
          return plainInlines(inline.children)
      }
    })
    .join('')

/** Passages of a text in their order: one for each heading, paragraph, row of a table and block of code. */
export function passagesOf(blocks: readonly Block[], anchor = ''): Passage[] {
  let at = anchor
  const plain = (text: string, isHeading = false): Passage => ({ anchor: at, text: text.trim(), isHeading })
  return blocks.flatMap((block): Passage[] => {
    switch (block.is) {
      case 'heading':
        at = block.id
        return [plain(plainInlines(block.children), true)]
      case 'paragraph':
        return [plain(plainInlines(block.children))]
      case 'code':
        return [plain(block.text)]
      case 'table':
        return [block.head, ...block.rows].map((row) => plain(row.map(plainInlines).join(' · ')))
      case 'list':
        return block.items.flatMap((item) => passagesOf(item.children, item.id ?? at))
      case 'note':
        return passagesOf(block.children, at)
      default:
        return []
    }
  })
}

/** First paragraph of a text. */
export const firstParagraph = (blocks: readonly Block[]): Block | undefined =>
  blocks.find((block) => block.is === 'paragraph' && plainInlines(block.children).trim() !== '')

/** First image of a text. */
export function firstImage(blocks: readonly Block[]): string {
  for (const block of blocks) {
    const image = block.is === 'paragraph' ? block.children.find((inline) => inline.is === 'image') : undefined
    if (image?.is === 'image') return image.src
  }
  return ''
}
