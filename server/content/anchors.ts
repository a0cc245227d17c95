// Anchors of a text: ids of headings, and codes that begin list items.
import type { Block, Inline } from '#contract/entities/text-tree.ts'
import { plainInlines } from './plain.ts'

/** Creates the anchors of one text; each id is unique in it. */
export function createAnchors() {
  const taken = new Set<string>()
  /** Next number of each repeated id, so that equal headings take linear time. */
  const next = new Map<string, number>()
  const take = (id: string): string => {
    let free = id
    let number = next.get(id) ?? 2
    while (taken.has(free)) free = `${id}-${number++}`
    next.set(id, number)
    taken.add(free)
    return free
  }
  return {
    /** Id of a heading: its own, or that of its text. */
    ofHeading: (children: readonly Inline[], own?: string): string =>
      take(own ?? (slugOf(plainInlines(children)) || 'section')),
    /** Id of a list item that begins with code; undefined for others, and for a code that has an anchor already. */
    ofItem(children: readonly Block[]): string | undefined {
      const [first] = children
      const opening = first?.is === 'paragraph' ? first.children[0] : undefined
      if (opening?.is !== 'code' || !/^[\w.-]{1,64}$/.test(opening.text) || taken.has(opening.text)) return undefined
      return take(opening.text)
    },
  }
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/[\s_]+/g, '-')
    .slice(0, 80)

/** Takes `{#id}` off the end of a heading. */
export function withoutAnchor(children: Inline[]): { readonly children: Inline[]; readonly id?: string } {
  const last = children.at(-1)
  // Spaces are trimmed apart from the expression: `\s*` in front of it takes quadratic time.
  const found = last?.is === 'text' ? /\{#([\w-]{1,64})\}$/.exec(last.text.trimEnd()) : null
  if (last?.is !== 'text' || !found) return { children }
  const text = last.text.slice(0, found.index).trimEnd()
  return {
    children: [...children.slice(0, -1), ...(text === '' ? [] : [{ is: 'text', text } as const])],
    id: found[1] ?? '',
  }
}
