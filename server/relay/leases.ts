// The node's side of leases: reports the projects that it owns, and ends those that another node may own.
import type { FromNode, Lease } from '#contract/relay/from-node.ts'

/** A project on air. */
interface Owned {
  readonly projectId: number
  readonly epoch?: number | undefined
  busy(): boolean
  end(words?: string): void
}

export interface LeaseKeeper {
  /** Starts a connection. Leases are reported only after the welcome. @returns the leases of projects on air, and of `ended` ones */
  greet(): Lease[]
  /** Reports the leases when one has changed, or when a renewal is due. */
  check(): void
  /** The service accepted the hello. @param knows true when it supports leases */
  welcome(knows: boolean): void
  /** The service renewed the leases. @param others whether there are other nodes, which could own a project instead */
  renewed(others: boolean): void
  close(): void
}

export interface LeaseOptions {
  readonly lives: () => readonly Owned[]
  /** Projects whose end the service has not received: without a lease in the greeting it would record a failure of the node. */
  readonly ended: () => readonly Pick<Owned, 'projectId' | 'epoch'>[]
  readonly send: (message: FromNode) => void
  /** Omitted: `usualLeaseTiming`. Milliseconds. */
  readonly timing?: LeaseTiming | undefined
}

export interface LeaseTiming {
  /** Interval of the check whether encoders still send. */
  readonly checkMs: number
  readonly renewMs: number
  /** Without a service and an encoder for this time, the node gives a project up: below the 20 s of a lease. */
  readonly giveUpMs: number
}

const usualLeaseTiming: LeaseTiming = { checkMs: 500, renewMs: 5_000, giveUpMs: 10_000 }

/** Keeps the leases of a node until it is closed. */
export function keepLeases({ lives, ended, send, timing = usualLeaseTiming }: LeaseOptions): LeaseKeeper {
  /** Start of the encoder's silence by project, by `performance.now()`: wall clocks can be changed. */
  const silentSince = new Map<number, number>()
  let said: Lease[] = []
  let saidAt = 0
  let renewedAt = performance.now()
  let [isWelcome, hasOthers] = [false, false]

  const all = () =>
    lives().map((live): Lease => {
      const { projectId, epoch } = live
      return { projectId, epoch, isSending: live.busy() }
    })

  function check() {
    const leases = all()
    const now = performance.now()
    if (isWelcome && (now - saidAt >= timing.renewMs || !isSame(said, leases))) {
      // The lease of an ended project is free for other nodes immediately.
      const gone = said.filter(({ projectId }) => !leases.some((lease) => lease.projectId === projectId))
      send({ type: 'leases', leases: [...leases, ...gone.map((lease) => ({ ...lease, isSending: false }))] })
      said = leases
      saidAt = now
    }
    giveUp(leases, now)
  }

  /** Another node may own the project after the lease has expired. While the encoder sends, the stream continues. */
  function giveUp(leases: readonly Lease[], now: number) {
    const silent = new Set(leases.filter(({ isSending }) => !isSending).map(({ projectId }) => projectId))
    for (const projectId of silentSince.keys()) if (!silent.has(projectId)) silentSince.delete(projectId)
    for (const projectId of silent) if (!silentSince.has(projectId)) silentSince.set(projectId, now)
    if (!hasOthers || now - renewedAt < timing.giveUpMs) return
    for (const live of lives())
      if (now - (silentSince.get(live.projectId) ?? now) >= timing.giveUpMs) live.end('The service is unreachable')
  }

  const timer = setInterval(check, timing.checkMs)
  return {
    greet() {
      isWelcome = false
      said = all()
      const over = new Map(ended().map(({ projectId, epoch }) => [projectId, { projectId, epoch, isSending: false }]))
      for (const { projectId } of said) over.delete(projectId)
      return [...said, ...over.values()]
    },
    check,
    welcome(knows) {
      isWelcome = knows
      saidAt = 0
      check()
    },
    renewed(others) {
      renewedAt = performance.now()
      hasOthers = others
    },
    close: () => clearInterval(timer),
  }
}

const isSame = (some: readonly Lease[], others: readonly Lease[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others)
