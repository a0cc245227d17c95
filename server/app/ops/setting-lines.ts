// Files with settings, `NAME=value` a line: changes that keep comments and order, and mistakes with their line.
import { parseEnv } from 'node:util'

/** A variable of a file. */
export interface SettingLine {
  readonly name: string
  /** From 1. */
  readonly line: number
}

/** Returns the text with other values. Variables that it lacks are added at its end. */
export function changed(text: string, values: Readonly<Record<string, string>>): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  for (const [name, value] of Object.entries(values)) {
    const at = lines.findLastIndex((line) => nameOf(line) === name)
    if (at >= 0) lines[at] = `${name}=${value}`
    else lines.push(`${name}=${value}`)
  }
  return `${lines.join('\n')}\n`
}

/** Returns the variables of a text with their lines. */
export const linesOf = (text: string): readonly SettingLine[] =>
  text.split('\n').flatMap((line, at) => {
    const name = nameOf(line)
    return name === undefined ? [] : [{ name, line: at + 1 }]
  })

/** Returns the lines that are neither a variable, a comment nor empty. */
export const oddLines = (text: string): readonly number[] =>
  text.split('\n').flatMap((line, at) => (nameOf(line) === undefined && !/^\s*(#.*)?$/.test(line) ? [at + 1] : []))

/** Returns the values, as the service reads them. */
export const valuesOf = (text: string): Readonly<Record<string, string | undefined>> => parseEnv(text)

const nameOf = (line: string): string | undefined => /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1]

/** Returns the known name nearest to a mistyped one, within two changed letters; undefined: none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const near = known.map((each) => ({ each, by: distance(name.toUpperCase(), each) }))
  return near.filter(({ by }) => by <= 2).toSorted((a, b) => a.by - b.by)[0]?.each
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1]
    for (const [j, other] of b.split('').entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}
