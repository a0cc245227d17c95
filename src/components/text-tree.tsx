import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Block, Inline } from '#contract/entities/text-tree.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import styles from './text-tree.module.css'

interface Props {
  /** Blocks as received; unknown kinds are skipped. */
  readonly blocks: readonly { readonly is: string }[]
  /** Anchor that the address names; its place is marked. */
  readonly here?: string
  /** Names of the kinds of notes. */
  readonly noteName: (tone: string) => string
}

/** A text of the handbook, the blog or a policy. It has no way to show HTML: every node is an element of this file. */
export function TextTree({ blocks, here = '', noteName }: Props) {
  return <div className={styles.text}>{blocksOf(blocks as readonly Block[], { here, noteName })}</div>
}

type Context = Required<Pick<Props, 'here' | 'noteName'>>

const blocksOf = (blocks: readonly Block[], context: Context): ReactNode =>
  // oxlint-disable-next-line react/no-array-index-key -- a text does not change its order
  blocks.map((block, at) => <BlockPart key={at} block={block} context={context} />)

function BlockPart({ block, context }: { readonly block: Block; readonly context: Context }) {
  const { here, noteName } = context
  switch (block.is) {
    case 'heading': {
      const Heading = `h${block.level}` as 'h2' | 'h3' | 'h4'
      return (
        <Heading id={block.id} data-here={block.id === here || undefined}>
          {inlinesOf(block.children)}
        </Heading>
      )
    }
    case 'paragraph':
      return <p>{inlinesOf(block.children)}</p>
    case 'list': {
      const items = block.items.map(({ id, children }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a text does not change its order
        <li key={at} id={id} data-here={(id !== undefined && id === here) || undefined}>
          {children.length === 1 && children[0]?.is === 'paragraph'
            ? inlinesOf(children[0].children)
            : blocksOf(children, context)}
        </li>
      ))
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>
    }
    case 'code':
      return (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'table':
      return <TablePart block={block} />
    case 'note':
      return (
        <blockquote data-tone={block.tone}>
          {block.tone !== 'quote' && <p className={styles.tone}>{noteName(block.tone)}</p>}
          {blocksOf(block.children, context)}
        </blockquote>
      )
    case 'rule':
      return <hr />
    default:
      return null
  }
}

function TablePart({ block }: { readonly block: Extract<Block, { is: 'table' }> }) {
  const { align, head, rows } = block
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    <div className={styles.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- a text does not change its order
              <th key={at} data-align={align[at] ?? undefined}>
                {inlinesOf(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // oxlint-disable-next-line react/no-array-index-key -- a text does not change its order
            <tr key={line}>
              {row.map((cell, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- a text does not change its order
                <td key={at} data-align={align[at] ?? undefined}>
                  {inlinesOf(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const inlinesOf = (inlines: readonly Inline[]): ReactNode =>
  // oxlint-disable-next-line react/no-array-index-key -- a text does not change its order
  inlines.map((inline, at) => <InlinePart key={at} inline={inline} />)

function InlinePart({ inline }: { readonly inline: Inline }) {
  switch (inline.is) {
    case 'text':
      return inline.text
    case 'code':
      return <code>{inline.text}</code>
    case 'strong':
      return <strong>{inlinesOf(inline.children)}</strong>
    case 'emphasis':
      return <em>{inlinesOf(inline.children)}</em>
    case 'break':
      return <br />
    case 'link':
      return <LinkPart to={inline.to}>{inlinesOf(inline.children)}</LinkPart>
    case 'image': {
      const { src, alt, width, height } = inline
      return <img src={apiRuntime().baseUrl + src} alt={alt} width={width} height={height} loading="lazy" />
    }
    default:
      return null
  }
}

/** Another server may send any address: only the documented kinds become links. */
function LinkPart({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  if (/^(?:\/(?![/\\])|#)/.test(to)) return <Link to={to}>{children}</Link>
  if (!/^(?:https?|mailto):/i.test(to)) return children
  return (
    <a href={to} rel="noreferrer">
      {children}
    </a>
  )
}
