// Simulated relay nodes and connections for lease tests: messages are delivered, delayed, lost and reordered on request.
import type { RelayEvent } from '#contract/relay/events.ts'
import type { Services } from '#server/core/context.ts'
import { findOwner } from '#server/db/owners.ts'
import { renewLeases } from '#server/domain/broadcasts/air-leases.ts'
import { admitEncoder, greetNode, handleEvent } from '#server/domain/broadcasts/broadcasts.ts'
import { ageLease, someIngest } from './nodes.ts'

/** Fields of a fact without those that all facts share. */
type EventBody = RelayEvent extends infer F
  ? F extends unknown
    ? Omit<F, 'projectId' | 'at' | 'epoch'>
    : never
  : never

type ToService =
  | { readonly type: 'hello' }
  | { readonly type: 'leases'; readonly lease: { readonly epoch: number; readonly isSending: boolean } }
  | { readonly type: 'event'; readonly seq: number; readonly fact: RelayEvent }
  | { readonly type: 'admit' }
type ToNode =
  | { readonly type: 'admitted'; readonly epoch: number }
  | { readonly type: 'refused' }
  | { readonly type: 'stop'; readonly epoch: number }
  | { readonly type: 'ack'; readonly seq: number }

/** Timings of a node and of leases, milliseconds. */
const renewMs = 5_000
const giveUpMs = 10_000

/** A project on air at a simulated node. */
interface SimulatedLive {
  epoch: number
  isSending: boolean
  silentMs: number
}

/** Relay node with one project; behaves as `server/relay/node.ts`. */
export class SimulatedNode {
  readonly name: string
  live: SimulatedLive | null = null
  isUp = false
  /** Messages on the connection, and messages of earlier connections that the service has received and not handled. */
  sent: ToService[] = []
  late: ToService[] = []
  got: ToNode[] = []
  sinceReplyMs = 0
  sinceRenewedMs = 0
  #journal: { readonly seq: number; readonly fact: RelayEvent }[] = []
  #seq = 0
  readonly #projectId: number
  readonly #now: () => number

  constructor(name: string, projectId: number, now: () => number) {
    this.name = name
    this.#projectId = projectId
    this.#now = now
    this.connect()
  }

  report(event: EventBody): void {
    if (!this.live) return
    const about = { projectId: this.#projectId, at: this.#now(), epoch: this.live.epoch }
    const entry = { seq: ++this.#seq, fact: { ...event, ...about } as RelayEvent }
    this.#journal.push(entry)
    this.#send({ type: 'event', ...entry })
  }

  /** Connects an encoder, or reconnects it. */
  arrive(): void {
    if (this.isUp) this.#send({ type: 'admit' })
    else if (this.live && !this.live.isSending) this.#begin(this.live.epoch)
  }

  /** Stops or resumes sending by the connected encoder. */
  turn(isSending: boolean): void {
    if (!this.live || this.live.isSending === isSending) return
    Object.assign(this.live, { isSending, silentMs: 0 })
    this.renew()
  }

  /** Breaks the connection of the encoder. */
  lose(): void {
    if (!this.live?.isSending) return
    this.live.isSending = false
    this.report({ type: 'source-lost', how: 'socket' })
    this.renew()
  }

  end(): void {
    if (!this.live) return
    this.live.isSending = false
    this.report({ type: 'ended' })
    this.renew()
    this.live = null
  }

  renew(): void {
    if (this.live) this.#send({ type: 'leases', lease: { epoch: this.live.epoch, isSending: this.live.isSending } })
    this.sinceRenewedMs = 0
  }

  connect(): void {
    if (this.isUp) return
    this.isUp = true
    this.#send({ type: 'hello' })
    for (const entry of this.#journal) this.#send({ type: 'event', ...entry })
  }

  /** @param isLost the service receives nothing more of the connection; else it handles the rest later */
  cut(isLost: boolean): void {
    if (!isLost) this.late.push(...this.sent)
    Object.assign(this, { isUp: false, sent: [], got: [] })
  }

  /** Simulates `kill -9` and a new process with the same name. */
  kill(isLost: boolean): void {
    this.cut(isLost)
    this.live = null
    this.#journal = []
    this.#seq += 1_000_000
  }

  pass(ms: number): void {
    if (this.live && !this.live.isSending) this.live.silentMs += ms
    this.sinceReplyMs = this.isUp ? 0 : this.sinceReplyMs + ms
    this.sinceRenewedMs += ms
    if (this.sinceRenewedMs >= renewMs) this.renew()
    if (this.live && this.live.silentMs >= giveUpMs && this.sinceReplyMs >= giveUpMs) this.end()
  }

  take(message: ToNode): void {
    if (message.type === 'admitted' && !this.live?.isSending) this.#begin(message.epoch)
    else if (message.type === 'stop' && this.live?.epoch === message.epoch) this.end()
    else if (message.type === 'ack') this.#journal = this.#journal.filter(({ seq }) => seq > message.seq)
  }

  takeAll(): void {
    for (const message of this.got.splice(0)) this.take(message)
  }

  #begin(epoch: number): void {
    this.live = { epoch, isSending: true, silentMs: 0 }
    this.report({ type: 'source-began', encoder: 'OBS', address: '192.0.2.1' })
    this.renew()
  }

  #send(message: ToService): void {
    if (this.isUp) this.sent.push(message)
  }
}

/** One project, its nodes, and the service that they connect to. */
export class AirModel {
  readonly nodes: readonly SimulatedNode[]
  readonly #services: Services
  readonly #project: { readonly id: number; readonly key: string }
  #ms = 0

  constructor(services: Services, project: { readonly id: number; readonly key: string }) {
    this.#services = services
    this.#project = project
    const now = () => services.clock.now().getTime() + this.#ms
    this.nodes = ['one', 'two'].map((name) => new SimulatedNode(`${name}-${project.id}`, project.id, now))
  }

  /** The owner of the project. */
  async lease() {
    const owner = await findOwner(this.#services.db, 'air', this.#project.id)
    return owner && { ...owner, node: owner.holder }
  }

  /** All records about the project except its lease. */
  async recorded(): Promise<string> {
    const { db } = this.#services
    const broadcasts = await db
      .selectFrom('broadcasts')
      .selectAll()
      .where('project_id', '=', this.#project.id)
      .orderBy('id')
      .execute()
    const of = broadcasts.map(({ id }) => id)
    if (of.length === 0) return '[]'
    const events = await db.selectFrom('broadcast_events').select('id').where('broadcast_id', 'in', of).execute()
    const samples = await db.selectFrom('broadcast_samples').select('at').where('broadcast_id', 'in', of).execute()
    return JSON.stringify([broadcasts, events.length, samples.length])
  }

  onAir = () =>
    this.#services.db
      .selectFrom('broadcasts')
      .selectAll()
      .where('project_id', '=', this.#project.id)
      .where('date_end', 'is', null)
      .execute()

  /** Advances the clocks of the database and of the nodes. */
  async pass(ms: number): Promise<void> {
    this.#ms += ms
    await ageLease({ services: this.#services }, this.#project.id, ms)
    for (const node of this.nodes) node.pass(ms)
  }

  /** Handles the next message of a node in the service. @returns an admission that the service granted */
  async handle(node: SimulatedNode, isLate = false): Promise<{ readonly epoch: number } | null> {
    const message = (isLate ? node.late : node.sent).shift()
    if (!message) return null
    const answer = (to: ToNode) => void (!isLate && node.got.push(to))
    const services = this.#services
    const { id: projectId, key } = this.#project
    if (message.type === 'hello') {
      const leases = node.live ? [{ projectId, epoch: node.live.epoch, isSending: node.live.isSending }] : []
      for (const { epoch } of (await greetNode(services, node.name, leases)).lost) answer({ type: 'stop', epoch })
    } else if (message.type === 'leases') {
      const lost = await renewLeases(services.db, node.name, [{ projectId, ...message.lease }])
      for (const { epoch } of lost) answer({ type: 'stop', epoch })
    } else if (message.type === 'event') {
      await handleEvent(services, node.name, message.seq, message.fact)
      answer({ type: 'ack', seq: message.seq })
    } else {
      const verdict = await admitEncoder(services, { key, address: '192.0.2.1', node: node.name })
      if ('refuse' in verdict || verdict.isStopped) return (answer({ type: 'refused' }), null)
      this.#replace(verdict.from)
      answer({ type: 'admitted', epoch: verdict.epoch })
      return verdict
    }
    return null
  }

  /** Ends the broadcast at the connected node, for which the new encoder waits. */
  #replace(before: { readonly node: string; readonly epoch: number } | null): void {
    const old = this.nodes.find(({ name, isUp }) => isUp && name === before?.node)
    old?.got.push({ type: 'stop', epoch: before?.epoch ?? 0 })
    old?.takeAll()
  }

  /** Ends all faults: connections are up, all messages arrive, leases are renewed. */
  async settle(): Promise<void> {
    for (const node of this.nodes) node.connect()
    for (let round = 0; round < 3; round++) {
      await this.pass(1_000)
      for (const node of this.nodes) node.renew()
      for (const node of this.nodes) {
        while (node.late.length > 0) await this.handle(node, true)
        while (node.sent.length > 0 || node.got.length > 0) {
          await this.handle(node)
          node.takeAll()
        }
      }
    }
  }

  /** One-second sample of a node. */
  measure(node: SimulatedNode): void {
    node.report({ type: 'sample', ingest: someIngest, destinations: [] })
  }
}
