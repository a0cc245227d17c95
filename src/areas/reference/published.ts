// What the published description says about operations that are not served yet: names only, no meanings.
import published from '#contract/published.json'

export interface PublishedParameter {
  readonly name: string
  readonly isRequired: boolean
  /** The values that may be sent, where the description lists them. */
  readonly choice: readonly string[]
}

export interface PublishedFacts {
  /** Date of the snapshot it was last seen in. */
  readonly seen: string
  readonly status: readonly number[]
  readonly versions: readonly string[]
  readonly parameters: readonly PublishedParameter[]
  /** Names of the answer's fields: `a.b` inside `a`, `a[].b` inside the rows of `a`. */
  readonly answer: readonly string[]
}

interface Row {
  readonly seen: string
  readonly status: readonly number[]
  readonly parameters: readonly string[]
  readonly v?: readonly string[]
  readonly answer?: readonly string[]
}

/** What is published about a route (`METHOD path`), if anything is. */
export function publishedFacts(route: string): PublishedFacts | undefined {
  const row = (published as Readonly<Record<string, Row>>)[route]
  if (!row) return undefined
  return {
    seen: row.seen,
    status: row.status,
    versions: row.v ?? [],
    parameters: row.parameters.map(parameterOf),
    answer: row.answer ?? [],
  }
}

/** Reads `name`, `name?` and `name=a|b`. */
export function parameterOf(text: string): PublishedParameter {
  const [head = '', choice] = text.split('=')
  return { name: head.replace('?', ''), isRequired: !head.endsWith('?'), choice: choice?.split('|') ?? [] }
}
