// Published facts about operations that are not served yet: names only, no semantics.
import published from '#contract/published.json'

export interface PublishedParameter {
  readonly name: string
  readonly isRequired: boolean
  /** Allowed values, where the description lists them. */
  readonly choice: readonly string[]
}

export interface PublishedFacts {
  /** Date of the latest snapshot that contains it. */
  readonly seen: string
  readonly status: readonly number[]
  readonly versions: readonly string[]
  readonly parameters: readonly PublishedParameter[]
  /** Field names of the response: `a.b` inside `a`, `a[].b` inside the rows of `a`. */
  readonly answer: readonly string[]
}

interface Row {
  readonly seen: string
  readonly status: readonly number[]
  readonly parameters: readonly string[]
  readonly v?: readonly string[]
  readonly answer?: readonly string[]
}

/** Returns the published facts about a route (`METHOD path`); undefined when none exist. */
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

/** Parses `name`, `name?` and `name=a|b`. */
export function parameterOf(text: string): PublishedParameter {
  const [head = '', choice] = text.split('=')
  return { name: head.replace('?', ''), isRequired: !head.endsWith('?'), choice: choice?.split('|') ?? [] }
}
