// Pieces of a line: from Markdown to allowed nodes.
import type { Inline, TextImage } from '#contract/entities/text-tree.ts'
import type { Node } from './nodes.ts'

/** Resolution of links and images of a text. A string is the reason why there is none. */
export interface Resolver {
  link(href: string): { readonly to: string } | string
  image(src: string): Omit<TextImage, 'is' | 'alt'> | string
}

/** Receives a problem with its line in the Markdown (1-based). */
export type Report = (line: number, text: string) => void

/** Conversion of the pieces of lines of one text. */
export interface Inlines {
  /** Converts the lines of a block. */
  of(block: Node, depth: number): Inline[]
  /** Returns the visible text of a piece of HTML. Comments are for authors: they are left out. */
  htmlText(html: string, line: number): string
  /** Returns whether a node is nested too deeply, and reports it. */
  isTooDeep(node: Node, depth: number): boolean
}

/** Maximum depth of nested nodes. */
const depthMax = 16

/** End of a line in Chinese: its texts have no spaces between words. */
const ideographicBreak =
  /(?<=[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF])\n|\n(?=[\p{Script=Han}\u3000-\u303F\uFF00-\uFFEF])/gu

/** Creates the conversion of pieces of lines. */
export function createInlines(resolver: Resolver, report: Report): Inlines {
  function isTooDeep({ line }: Node, depth: number): boolean {
    if (depth === depthMax) report(line, 'Nested too deeply')
    return depth >= depthMax
  }

  const inlinesOf = (nodes: readonly Node[], depth: number): Inline[] =>
    joined(nodes.flatMap((node) => (isTooDeep(node, depth) ? [] : inlineOf(node, depth + 1))))

  function inlineOf({ type, token, children, line }: Node, depth: number): Inline[] {
    switch (type) {
      case 'text':
        // The parser leaves an empty text beside emphasis.
        return token.content === '' ? [] : [{ is: 'text', text: token.content }]
      case 'softbreak':
        return [{ is: 'text', text: '\n' }]
      case 'code_inline':
        return [{ is: 'code', text: token.content }]
      case 'strong_open':
        return [{ is: 'strong', children: inlinesOf(children, depth) }]
      case 'em_open':
        return [{ is: 'emphasis', children: inlinesOf(children, depth) }]
      case 'hardbreak':
        return [{ is: 'break' }]
      case 'html_inline': {
        const text = htmlText(token.content, line)
        return text === '' ? [] : [{ is: 'text', text }]
      }
      case 'link_open':
        return linkOf(String(token.attrGet('href') ?? ''), inlinesOf(children, depth), line)
      case 'image':
        return imageOf(String(token.attrGet('src') ?? ''), plainNodes(children), line)
      default:
        report(line, `Not supported: ${type}`)
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

  const of: Inlines['of'] = ({ children }, depth) =>
    inlinesOf(
      children.flatMap((lines) => lines.children),
      depth,
    )
  return { of, htmlText, isTooDeep }
}

/** Joins neighbouring texts, which ends of lines and HTML shown as text leave behind. */
function joined(inlines: readonly Inline[]): Inline[] {
  const result: Inline[] = []
  for (const inline of inlines) {
    const last = result.at(-1)
    if (inline.is === 'text' && last?.is === 'text')
      result[result.length - 1] = { is: 'text', text: last.text + inline.text }
    else result.push(inline)
  }
  return result.map((inline) => (inline.is === 'text' ? { is: 'text', text: inOneLine(inline.text) } : inline))
}

const inOneLine = (text: string): string => text.replaceAll(ideographicBreak, '').replaceAll('\n', ' ')

/** Plain text of the description of an image. */
const plainNodes = (nodes: readonly Node[]): string =>
  nodes
    .map(({ type, token, children }) =>
      type === 'softbreak' ? ' ' : children.length > 0 ? plainNodes(children) : token.content,
    )
    .join('')

const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
