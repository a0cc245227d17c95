// HTML of a tree, for clients that cannot show the tree. Every text is escaped; the tree has no other way to bring markup in.
import type { Block, Inline } from '#contract/entities/text-tree.ts'

/**
 * Renders blocks as HTML.
 * @param origin origin before paths of the service and of the dashboard
 */
export const htmlOf = (blocks: readonly Block[], origin: string): string =>
  blocks.map((block) => blockHtml(block, origin)).join('\n')

/** Escapes text for content and for attributes in double quotes; XML has no other control characters. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    // oxlint-disable-next-line no-control-regex -- these characters are not allowed in XML
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')

function blockHtml(block: Block, origin: string): string {
  const inline = (children: readonly Inline[]): string => inlineHtml(children, origin)
  switch (block.is) {
    case 'heading':
      return `<h${block.level} id="${escapeHtml(block.id)}">${inline(block.children)}</h${block.level}>`
    case 'paragraph':
      return `<p>${inline(block.children)}</p>`
    case 'list': {
      const tag = block.ordered ? 'ol' : 'ul'
      const start = block.ordered && block.start !== 1 ? ` start="${block.start}"` : ''
      const items = block.items.map(({ id, children }) => {
        const anchor = id === undefined ? '' : ` id="${escapeHtml(id)}"`
        return `<li${anchor}>${htmlOf(children, origin)}</li>`
      })
      return `<${tag}${start}>\n${items.join('\n')}\n</${tag}>`
    }
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`
    case 'table': {
      const row = (cells: readonly (readonly Inline[])[], tag: string): string =>
        `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`
      const rows = block.rows.map((cells) => row(cells, 'td')).join('\n')
      return `<table>\n<thead>${row(block.head, 'th')}</thead>\n<tbody>\n${rows}\n</tbody>\n</table>`
    }
    case 'note':
      return `<blockquote>\n${htmlOf(block.children, origin)}\n</blockquote>`
    case 'rule':
      return '<hr>'
  }
}

const inlineHtml = (inlines: readonly Inline[], origin: string): string =>
  inlines
    .map((inline) => {
      switch (inline.is) {
        case 'text':
          return escapeHtml(inline.text)
        case 'code':
          return `<code>${escapeHtml(inline.text)}</code>`
        case 'strong':
          return `<strong>${inlineHtml(inline.children, origin)}</strong>`
        case 'emphasis':
          return `<em>${inlineHtml(inline.children, origin)}</em>`
        case 'break':
          return '<br>'
        case 'link':
          return `<a href="${escapeHtml(absolute(inline.to, origin))}">${inlineHtml(inline.children, origin)}</a>`
        case 'image': {
          const { src, alt, width, height } = inline
          return `<img src="${escapeHtml(absolute(src, origin))}" alt="${escapeHtml(alt)}" width="${width}" height="${height}">`
        }
      }
    })
    .join('')

const absolute = (to: string, origin: string): string => (to.startsWith('/') ? origin + to : to)
