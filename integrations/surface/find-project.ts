// Project of a token that was entered without one.
import type { CallError, Client } from '#integrations/client/main.ts'

/** Listener of the search. */
export interface FindProjectOptions {
  /** Ends the search. */
  readonly isOver: () => boolean
  readonly failed: (error: CallError) => void
  /** The token has none or several. @param known sentence that lists them */
  readonly unclear: (known: string) => void
}

const longestWaitMs = 30_000

/** Returns the only project of a token, and null without one. Retries while the service is unreachable. */
export async function findProject(
  client: Client,
  { isOver, failed, unclear }: FindProjectOptions,
): Promise<number | null> {
  for (let failures = 0; !isOver(); failures++) {
    const list = await client.call('projects.projects.list', {})
    if (isOver()) return null
    if (list.ok) {
      const [first] = list.data.results
      if (first && list.data.results.length === 1) return first.project_id
      const known = list.data.results.map(({ project_id, project }) => `${project_id} (${project.name})`).join(', ')
      unclear(`Enter the number of the project: ${known}`)
      return null
    }
    failed(list.error)
    if (list.error.kind === 'refused' && list.error.status < 429) return null
    await new Promise((done) => setTimeout(done, Math.min(longestWaitMs, 1_000 * 2 ** failures)))
  }
  return null
}
