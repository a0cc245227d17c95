// Markdown to a tree of allowed nodes. HTML becomes visible text; what the tree has no node for is left out and reported.
import type { Block, Inline, ListItem, NoteTone } from '#contract/entities/text-tree.ts'
import { createInlines, type Report, type Resolver } from './inlines.ts'
import { type Node, parseMarkdown } from './nodes.ts'
import { plainInlines } from './plain.ts'

// Anchors of a text: ids of headings, and codes that begin list items.

/** Creates the anchors of one text; each id is unique in it. */
function createAnchors() {
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
function withoutAnchor(children: Inline[]): { readonly children: Inline[]; readonly id?: string } {
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

/** Converts Markdown with GitHub's tables. Never throws. */
export function markdownTree(markdown: string, resolver: Resolver, report: Report): Block[] {
  const anchors = createAnchors()
  const { of: inlinesOf, htmlText, isTooDeep } = createInlines(resolver, report)

  const blocksOf = (children: readonly Node[], depth: number): Block[] =>
    children.flatMap((node) => (isTooDeep(node, depth) ? [] : blockOf(node, depth + 1)))

  function blockOf(node: Node, depth: number): Block[] {
    const { token, line } = node
    switch (node.type) {
      case 'heading_open': {
        const { children, id } = withoutAnchor(inlinesOf(node, depth))
        const level = Math.min(Math.max(Number(token.tag.slice(1)), 2), 4)
        return [{ is: 'heading', level, id: anchors.ofHeading(children, id), children }]
      }
      case 'paragraph_open': {
        const children = inlinesOf(node, depth)
        return children.length > 0 ? [{ is: 'paragraph', children }] : []
      }
      case 'bullet_list_open':
      case 'ordered_list_open':
        return [listOf(node, depth)]
      case 'fence':
      case 'code_block':
        return [
          { is: 'code', language: token.info.trim().split(/\s/, 1)[0] ?? '', text: withoutLastBreak(token.content) },
        ]
      case 'table_open':
        return [tableOf(node, depth)]
      case 'blockquote_open':
        return [noteOf(node, depth)]
      case 'hr':
        return [{ is: 'rule' }]
      case 'html_block': {
        const text = htmlText(withoutLastBreak(token.content), line)
        return text === '' ? [] : [{ is: 'paragraph', children: [{ is: 'text', text }] }]
      }
      default:
        report(line, `Not supported: ${node.type}`)
        return []
    }
  }

  function listOf({ type, token, children }: Node, depth: number): Block {
    const items = children.map((item): ListItem => {
      const blocks = blocksOf(item.children, depth)
      const id = anchors.ofItem(blocks)
      return id === undefined ? { children: blocks } : { id, children: blocks }
    })
    return { is: 'list', ordered: type === 'ordered_list_open', start: Number(token.attrGet('start') ?? 1), items }
  }

  function tableOf({ children }: Node, depth: number): Block {
    const rows = children.flatMap((part) => part.children)
    const align = (rows[0]?.children ?? []).map(({ token }) => alignments[token.attrGet('style') ?? ''] ?? null)
    const [head = [], ...rest] = rows.map((row) => row.children.map((cell) => inlinesOf(cell, depth)))
    return { is: 'table', align, head, rows: rest }
  }

  function noteOf(node: Node, depth: number): Block {
    const children = blocksOf(node.children, depth)
    const [first, ...rest] = children
    const [opening, ...others] = first?.is === 'paragraph' ? first.children : []
    const mark = opening?.is === 'text' ? /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/.exec(opening.text) : null
    if (!mark || opening?.is !== 'text') return { is: 'note', tone: 'quote', children }
    const text = opening.text.slice(mark[0].length)
    const line: Inline[] = text === '' ? others : [{ is: 'text', text }, ...others]
    const tone = (mark[1] ?? '').toLowerCase() as NoteTone
    return { is: 'note', tone, children: line.length > 0 ? [{ is: 'paragraph', children: line }, ...rest] : rest }
  }

  return blocksOf(parseMarkdown(markdown), 0)
}

const alignments: Readonly<Record<string, 'left' | 'right' | 'center'>> = {
  'text-align:left': 'left',
  'text-align:right': 'right',
  'text-align:center': 'center',
}

const withoutLastBreak = (text: string): string => text.replace(/\n$/, '')
