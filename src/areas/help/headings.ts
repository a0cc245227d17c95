// Headings of a text, for its contents.
import type { Block, Inline } from '#contract/entities/text-tree.ts'

/** Returns the headings of the first level with their ids, as plain text. Unknown blocks are skipped. */
export const headingsOf = (
  blocks: readonly { readonly is: string }[],
): { readonly id: string; readonly text: string }[] =>
  (blocks as readonly Block[]).flatMap((block) =>
    block.is === 'heading' && block.level === 2 ? [{ id: block.id, text: plain(block.children) }] : [],
  )

const plain = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline) => ('text' in inline ? inline.text : 'children' in inline ? plain(inline.children) : ' '))
    .join('')
    .trim()
