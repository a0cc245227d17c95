// Markdown as nested nodes: the parser returns a flat list of tokens.
import MarkdownIt, { type Token } from 'markdown-it'

/** A piece of Markdown, and the pieces that it encloses. */
export interface Node {
  /** Kind of the token: `paragraph_open`, `text`. */
  readonly type: string
  readonly token: Token
  readonly children: readonly Node[]
  /** Line in the Markdown (1-based). */
  readonly line: number
}

// The converter limits the depth, and reports it; this limit is for the stack.
const parser = new MarkdownIt('commonmark', { maxNesting: 100 }).enable('table')
// Addresses stay as they are written: the resolver of the text allows or refuses them.
parser.validateLink = () => true
parser.normalizeLink = (url) => url
parser.normalizeLinkText = (url) => url

/** Parses Markdown with GitHub's tables. */
export const parseMarkdown = (markdown: string): Node[] => nested(parser.parse(markdown, {}), 1)

/** @param first line of the first token */
function nested(tokens: readonly Token[], first: number): Node[] {
  const root: Node[] = []
  const open = [root]
  let line = first
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop()
      continue
    }
    if (token.map) line = token.map[0] + 1
    const children = nested(token.children ?? [], line)
    open.at(-1)?.push({ type: token.type, token, children, line })
    if (token.nesting > 0) open.push(children)
    if (token.type === 'softbreak' || token.type === 'hardbreak') line++
  }
  return root
}
