// Front matter of a text: `name: value` lines between two lines of `---`. A value is text, a number, or a list in brackets.

/** Fields of a text, its body, and the line at which the body begins (1-based). */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, string | readonly string[]>
  readonly body: string
  readonly firstLine: number
  /** Lines that could not be read. */
  readonly unread: readonly number[]
}

const field = /^(?<name>[a-z_]+):\s*(?<value>.*?)\s*$/

/**
 * Splits a text into its fields and its body.
 * @example readFrontMatter('---\ntitle: OBS\nkeywords: [a, "b, c"]\n---\nText').fields.get('keywords') // ['a', 'b, c']
 */
export function readFrontMatter(source: string): FrontMatter {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/)
  const end = lines[0]?.trim() === '---' ? lines.findIndex((line, at) => at > 0 && line.trim() === '---') : -1
  if (end < 0) return { fields: new Map(), body: lines.join('\n'), firstLine: 1, unread: [] }
  const fields = new Map<string, string | readonly string[]>()
  const unread: number[] = []
  for (const [at, line] of lines.slice(1, end).entries()) {
    if (line.trim() === '') continue
    const { name = '', value = '' } = field.exec(line)?.groups ?? {}
    if (name === '') unread.push(at + 2)
    else fields.set(name, value.startsWith('[') && value.endsWith(']') ? listOf(value.slice(1, -1)) : unquoted(value))
  }
  return { fields, body: lines.slice(end + 1).join('\n'), firstLine: end + 2, unread }
}

const listOf = (text: string): string[] =>
  [...text.matchAll(/\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^,]+)/g)]
    .map(([, item = '']) => unquoted(item.trim()))
    .filter(Boolean)

const unquoted = (text: string): string =>
  /^".*"$/.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : /^'.*'$/.test(text) ? text.slice(1, -1) : text
