// Relay nodes that are connected to other replicas: what is known of them, and how they are asked for something.
import type { FromService } from '#contract/relay/from-service.ts'
import { randomUUID } from 'node:crypto'
import type { Poster, Sight } from '#server/core/context.ts'
import type { Replicas } from './replicas.ts'

/** Which node a message is for: the one with the project on air, or the one of that name. */
export type Addressee = { readonly projectId: number } | { readonly node: string }

/** A node that is connected to somebody. */
interface Presence {
  readonly node: string
  readonly ffmpeg: boolean
  readonly projects: readonly number[]
}

/** `from`: the replica that says it. */
type Word = { readonly from: string } & (
  | { readonly type: 'here'; readonly presence: Presence }
  | { readonly type: 'left'; readonly node: string }
  | { readonly type: 'poster'; readonly projectId: number; readonly at: number; readonly jpeg: string }
  | { readonly type: 'send'; readonly to: Addressee; readonly message: FromService }
)

/** A replica says which nodes it has each ten seconds. */
const freshMs = 25_000

export interface FarNodes {
  /** Says what another replica shall tell its node. */
  send(to: Addressee, message: FromService): void
  /** Says which nodes are here. */
  tell(presence: Presence): void
  /** Says that a node is not here any more. */
  leave(node: string): void
  /** Says that there is a new still. @param jpeg in base64 */
  show(projectId: number, at: number, jpeg: string): void
  has(to: Addressee): boolean
  /** Whether a node has a project on air, as far as its replica said. */
  owns(node: string, projectId: number): boolean
  sight(projectId: number): Sight | null
}

/** @param deliver tells a node that is connected here, if it is */
export function createFarNodes(replicas: Replicas, deliver: (to: Addressee, message: FromService) => void): FarNodes {
  const topic = replicas.topic<Word>('relay')
  const self = randomUUID()
  const nodes = new Map<string, Presence & { readonly from: string; readonly heardAt: number }>()
  const posters = new Map<number, Poster>()

  function find(to: Addressee): Presence | undefined {
    const now = Date.now()
    for (const [name, { heardAt }] of nodes) if (now - heardAt > freshMs) nodes.delete(name)
    return 'node' in to
      ? nodes.get(to.node)
      : [...nodes.values()].findLast(({ projects }) => projects.includes(to.projectId))
  }

  topic.hear((word) => {
    if (word.from === self) return
    if (word.type === 'send') return deliver(word.to, word.message)
    if (word.type === 'poster')
      return void posters.set(word.projectId, { at: word.at, jpeg: Buffer.from(word.jpeg, 'base64') })
    if (word.type === 'left') {
      // It may have come to somebody else meanwhile.
      if (nodes.get(word.node)?.from === word.from) nodes.delete(word.node)
      return
    }
    const { presence, from } = word
    const before = nodes.get(presence.node)?.projects ?? []
    for (const id of before) if (!presence.projects.includes(id)) posters.delete(id)
    nodes.delete(presence.node)
    nodes.set(presence.node, { ...presence, from, heardAt: Date.now() })
  })

  return {
    send: (to, message) => topic.say({ from: self, type: 'send', to, message }),
    tell: (presence) => topic.say({ from: self, type: 'here', presence }),
    leave: (node) => topic.say({ from: self, type: 'left', node }),
    show: (projectId, at, jpeg) => topic.say({ from: self, type: 'poster', projectId, at, jpeg }),
    has: (to) => find(to) !== undefined,
    owns: (node, projectId) => find({ node })?.projects.includes(projectId) ?? false,
    sight(projectId) {
      const node = find({ projectId })
      return node ? { poster: posters.get(projectId) ?? null, ffmpeg: node.ffmpeg } : null
    },
  }
}
