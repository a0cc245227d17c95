// Pieces of a line: from Markdown to allowed nodes.
import type { Nodes, Parents, PhrasingContent } from 'mdast'
import type { Inline, TextImage } from '#contract/entities/text-tree.ts'

/** Resolution of links and images of a text. A string is the reason why there is none. */
export interface Resolver {
  link(href: string): { readonly to: string } | string
  image(src: string): Omit<TextImage, 'is' | 'alt'> | string
}

/** Receives a problem with its line in the Markdown (1-based). */
export type Report = (line: number, text: string) => void

/** Conversion of the pieces of lines of one text. */
export interface Inlines {
  /** Converts the children of a node. */
  of(parent: Parents, depth: number): Inline[]
  /** Returns the visible text of a piece of HTML. Comments are for authors: they are left out. */
  htmlText(html: string, line: number): string
  /** Returns whether a node is nested too deeply, and reports it. */
  isTooDeep(node: Nodes, depth: number): boolean
}

/** Maximum depth of nested nodes. */
const depthMax = 16

/** End of a line in Chinese: its texts have no spaces between words. */
const ideographicBreak =
  /(?<=[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF])\n|\n(?=[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF])/gu

/** Returns the line of a node in the Markdown (1-based). */
export const lineOf = (node: Nodes): number => node.position?.start.line ?? 1

/**
 * Creates the conversion of pieces of lines.
 * @param definitions addresses of links and images by reference
 */
export function createInlines(resolver: Resolver, definitions: ReadonlyMap<string, string>, report: Report): Inlines {
  function isTooDeep(node: Nodes, depth: number): boolean {
    if (depth === depthMax) report(lineOf(node), 'Nested too deeply')
    return depth >= depthMax
  }

  const inlinesOf = (parent: Parents, depth: number): Inline[] =>
    joined(
      parent.children.flatMap((node) => (isTooDeep(node, depth) ? [] : inlineOf(node as PhrasingContent, depth + 1))),
    )

  function inlineOf(node: PhrasingContent, depth: number): Inline[] {
    switch (node.type) {
      case 'text':
        return [{ is: 'text', text: node.value.replaceAll(ideographicBreak, '').replaceAll('\n', ' ') }]
      case 'inlineCode':
        return [{ is: 'code', text: node.value }]
      case 'strong':
      case 'emphasis':
        return [{ is: node.type, children: inlinesOf(node, depth) }]
      case 'break':
        return [{ is: 'break' }]
      case 'html': {
        const text = htmlText(node.value, lineOf(node))
        return text === '' ? [] : [{ is: 'text', text }]
      }
      case 'link':
        return linkOf(node.url, inlinesOf(node, depth), lineOf(node))
      case 'linkReference':
        return linkOf(definitions.get(node.identifier) ?? '', inlinesOf(node, depth), lineOf(node))
      case 'image':
        return imageOf(node.url, node.alt ?? '', lineOf(node))
      case 'imageReference':
        return imageOf(definitions.get(node.identifier) ?? '', node.alt ?? '', lineOf(node))
      default:
        report(lineOf(node), `Not supported: ${node.type}`)
        return []
    }
  }

  /** A link that is not allowed leaves its text. */
  function linkOf(href: string, children: Inline[], line: number): Inline[] {
    const found = resolver.link(href)
    if (typeof found !== 'string') return [{ is: 'link', to: found.to, children }]
    report(line, `${found}: ${quoted(href)}`)
    return children
  }

  /** An image that is not allowed leaves its description. */
  function imageOf(src: string, alt: string, line: number): Inline[] {
    const found = resolver.image(src)
    if (typeof found !== 'string') return [{ is: 'image', alt, ...found }]
    report(line, `${found}: ${quoted(src)}`)
    return alt === '' ? [] : [{ is: 'text', text: alt }]
  }

  /** Text of a piece of HTML. Comments are for authors: they are left out. */
  function htmlText(html: string, line: number): string {
    if (/^<!--(?:(?!-->)[\s\S])*-->$/.test(html.trim())) return ''
    report(line, `HTML is shown as text: ${quoted(html)}`)
    return html
  }

  return { of: inlinesOf, htmlText, isTooDeep }
}

/** Joins neighbouring texts, which HTML shown as text leaves behind. */
function joined(inlines: readonly Inline[]): Inline[] {
  const result: Inline[] = []
  for (const inline of inlines) {
    const last = result.at(-1)
    if (inline.is === 'text' && last?.is === 'text')
      result[result.length - 1] = { is: 'text', text: last.text + inline.text }
    else result.push(inline)
  }
  return result
}

const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
