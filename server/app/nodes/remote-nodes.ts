// Relay nodes that are connected to other replicas: their projects, and messages to them.
import { randomUUID } from 'node:crypto'
import type { FromService } from '#contract/relay/from-service.ts'
import type { Poster, PreviewSources } from '#server/core/context.ts'
import type { Bus } from '#server/core/bus.ts'

/** Recipient of a message: the node that has the project on air, the node with the name, or any node of the machine. */
export type Addressee = { readonly projectId: number } | { readonly node: string } | { readonly machine: string }

/** A connected node. */
interface Presence {
  readonly node: string
  /** Missing from replicas of releases without machines. */
  readonly machine?: string
  readonly ffmpeg: boolean
  /** Missing from replicas of earlier releases, and `isFull` too. */
  readonly takesBrowsers?: boolean
  readonly isFull?: boolean
  /** Missing from replicas of earlier releases. */
  readonly takesFilms?: boolean
  readonly projects: readonly number[]
}

/** A node that takes streams of browsers. */
export interface BrowserNode {
  readonly node: string
  /** It accepts no new projects. */
  readonly isFull: boolean
  /** Projects that it has on air. */
  readonly projects: readonly number[]
}

/** Message between replicas. `from`: the sending replica. */
type ReplicaMessage = { readonly from: string } & (
  | { readonly type: 'here'; readonly presence: Presence }
  | { readonly type: 'left'; readonly node: string }
  | { readonly type: 'poster'; readonly projectId: number; readonly at: number; readonly jpeg: string }
  | { readonly type: 'send'; readonly to: Addressee; readonly message: FromService }
)

/** A replica announces its nodes every ten seconds. */
const freshMs = 25_000

export interface RemoteNodes {
  /** Sends a message to a node of another replica. */
  send(to: Addressee, message: FromService): void
  /** Announces a node of this replica. */
  announce(presence: Presence): void
  /** Announces that a node has disconnected. */
  leave(node: string): void
  /** Publishes a thumbnail. @param jpeg in base64 */
  publishPoster(projectId: number, at: number, jpeg: string): void
  has(to: Addressee): boolean
  /** Returns the machines of the nodes. */
  machines(): readonly string[]
  /** Returns true when a node has a project on air, by the last announcement of its replica. */
  owns(node: string, projectId: number): boolean
  previewSources(projectId: number): PreviewSources | null
  /** Returns the nodes that take streams of browsers. */
  browserNodes(): readonly BrowserNode[]
  /** Returns the nodes that would prepare a film. */
  preparers(): readonly Pick<Presence, 'node' | 'projects'>[]
  /** Calls a listener with the projects of each node that another replica announces. */
  onHere(listener: (projects: readonly number[]) => void): void
}

/** @param deliver sends a message to a node of this replica, if it is connected */
export function createRemoteNodes(bus: Bus, deliver: (to: Addressee, message: FromService) => void): RemoteNodes {
  const publish = (message: ReplicaMessage) => bus.publish('relay', message)
  const self = randomUUID()
  const nodes = new Map<string, Presence & { readonly from: string; readonly announcedAt: number }>()
  const posters = new Map<number, Poster>()
  let onHere: (projects: readonly number[]) => void = () => undefined

  function fresh(): ReadonlyMap<string, Presence> {
    const now = Date.now()
    for (const [name, { announcedAt }] of nodes) if (now - announcedAt > freshMs) nodes.delete(name)
    return nodes
  }

  function find(to: Addressee): Presence | undefined {
    if ('node' in to) return fresh().get(to.node)
    return [...fresh().values()].findLast(({ node, machine = node, projects }) =>
      'machine' in to ? machine === to.machine : projects.includes(to.projectId),
    )
  }

  bus.subscribe<ReplicaMessage>('relay', (message) => {
    if (message.from === self) return
    if (message.type === 'send') return deliver(message.to, message.message)
    if (message.type === 'poster')
      return void posters.set(message.projectId, { at: message.at, jpeg: Buffer.from(message.jpeg, 'base64') })
    if (message.type === 'left') {
      // The node may have connected to another replica meanwhile.
      if (nodes.get(message.node)?.from === message.from) nodes.delete(message.node)
      return
    }
    const { presence, from } = message
    const before = nodes.get(presence.node)?.projects ?? []
    for (const id of before) if (!presence.projects.includes(id)) posters.delete(id)
    nodes.delete(presence.node)
    nodes.set(presence.node, { ...presence, from, announcedAt: Date.now() })
    onHere(presence.projects)
  })

  return {
    send: (to, message) => publish({ from: self, type: 'send', to, message }),
    announce: (presence) => publish({ from: self, type: 'here', presence }),
    leave: (node) => publish({ from: self, type: 'left', node }),
    publishPoster: (projectId, at, jpeg) => publish({ from: self, type: 'poster', projectId, at, jpeg }),
    has: (to) => find(to) !== undefined,
    machines: () => [...fresh().values()].map(({ node, machine = node }) => machine),
    onHere: (listener) => void (onHere = listener),
    browserNodes: () =>
      [...fresh().values()].flatMap(({ takesBrowsers, isFull = false, node, projects }) =>
        takesBrowsers ? { node, isFull, projects } : [],
      ),
    preparers: () => [...fresh().values()].filter(({ takesFilms }) => takesFilms),
    owns: (node, projectId) => find({ node })?.projects.includes(projectId) ?? false,
    previewSources(projectId) {
      const node = find({ projectId })
      return node ? { poster: posters.get(projectId) ?? null, ffmpeg: node.ffmpeg } : null
    },
  }
}
