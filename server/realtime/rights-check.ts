// Checks the rights of connections, and closes those that lost them.
import type { Holder } from '#server/domain/realtime/tokens.ts'
import type { Connection } from './connection.ts'
import { closes, unsubscribes } from './protocol.ts'

/** Rights of a session or a chat key in a project. */
type Right = HolderKey & {
  /** Returns whether the holder may subscribe to a realtime channel. */
  may(channel: string): boolean
}
type HolderKey = ({ readonly session_id: number } | { readonly key_id: number }) & { readonly project_id: number }

type HolderInProject = Holder & { readonly project_id: number }

/** Returns the rights of these holders; a holder that is left out has lost them. */
export type ReadRights = (holders: readonly HolderInProject[]) => Promise<readonly Right[]>

/** Creates a function that checks all connections. A call during a check starts another one after it. */
export function createRightsCheck({
  connections,
  rights: readRights,
  onFault,
}: {
  readonly connections: ReadonlySet<Connection>
  readonly rights: ReadRights
  readonly onFault: (error: unknown) => void
}): () => void {
  let checking: Promise<void> | null = null
  let again = false

  async function check(): Promise<void> {
    const known = [...connections].flatMap((connection) => {
      const { claims } = connection
      return claims?.holder ? [{ connection, holder: { ...claims.holder, project_id: projectOf(claims.sub) } }] : []
    })
    const rights = new Map((await readRights(known.map(({ holder }) => holder))).map((right) => [keyOf(right), right]))
    for (const { connection, holder } of known) {
      const right = rights.get(keyOf(holder))
      if (!right) connection.close(closes.forced)
      else
        for (const name of connection.channels.keys()) if (!right.may(name)) connection.end(name, unsubscribes.server)
    }
  }

  return function recheck() {
    if (checking) {
      again = true
      return
    }
    checking = check()
      .catch(onFault)
      .finally(() => {
        checking = null
        if (again) recheck()
        again = false
      })
  }
}

/** Returns the project of a connection, by the subject of its token: `7`, `overlay-7` or `grant-7`. */
export const projectOf = (sub: string): number => Number(sub.replace(/^(?:overlay|grant)-/, ''))

const keyOf = (holder: HolderKey) =>
  `${'key_id' in holder ? `key ${holder.key_id}` : holder.session_id} ${holder.project_id}`
