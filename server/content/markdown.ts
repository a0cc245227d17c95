// Markdown to a tree of allowed nodes. HTML becomes visible text; what the tree has no node for is left out and reported.
import type { Blockquote, List, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { Block, Inline, ListItem, NoteTone } from '#contract/entities/text-tree.ts'
import { createAnchors, withoutAnchor } from './anchors.ts'
import { createInlines, lineOf, type Report, type Resolver } from './inlines.ts'

/** Converts Markdown with GitHub's tables. Never throws. */
export function markdownTree(markdown: string, resolver: Resolver, report: Report): Block[] {
  const root = fromMarkdown(markdown, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
  const definitions = new Map<string, string>()
  for (const node of root.children)
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node.url)
  const anchors = createAnchors()

  const { of: inlinesOf, htmlText, isTooDeep } = createInlines(resolver, definitions, report)

  const blocksOf = (children: readonly RootContent[], depth: number): Block[] =>
    children.flatMap((node) => (isTooDeep(node, depth) ? [] : blockOf(node, depth + 1)))

  function blockOf(node: RootContent, depth: number): Block[] {
    switch (node.type) {
      case 'heading': {
        const { children, id } = withoutAnchor(inlinesOf(node, depth))
        return [
          { is: 'heading', level: Math.min(Math.max(node.depth, 2), 4), id: anchors.ofHeading(children, id), children },
        ]
      }
      case 'paragraph': {
        const children = inlinesOf(node, depth)
        return children.length > 0 ? [{ is: 'paragraph', children }] : []
      }
      case 'list':
        return [listOf(node, depth)]
      case 'code':
        return [{ is: 'code', language: node.lang ?? '', text: node.value }]
      case 'table':
        return [tableOf(node, depth)]
      case 'blockquote':
        return [noteOf(node, depth)]
      case 'thematicBreak':
        return [{ is: 'rule' }]
      case 'html': {
        const text = htmlText(node.value, lineOf(node))
        return text === '' ? [] : [{ is: 'paragraph', children: [{ is: 'text', text }] }]
      }
      case 'definition':
        return []
      default:
        report(lineOf(node), `Not supported: ${node.type}`)
        return []
    }
  }

  function listOf(node: List, depth: number): Block {
    const items = node.children.map((item): ListItem => {
      const children = blocksOf(item.children, depth)
      const id = anchors.ofItem(children)
      return id === undefined ? { children } : { id, children }
    })
    return { is: 'list', ordered: node.ordered ?? false, start: node.start ?? 1, items }
  }

  function tableOf(node: Table, depth: number): Block {
    const [head = [], ...rows] = node.children.map((row) => row.children.map((cell) => inlinesOf(cell, depth)))
    return { is: 'table', align: head.map((_, at) => node.align?.[at] ?? null), head, rows }
  }

  function noteOf(node: Blockquote, depth: number): Block {
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

  return blocksOf(root.children, 0)
}
