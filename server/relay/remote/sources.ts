// The remote sources of a node. The service sends the list; the node reports their states.
import type { DesiredRemote, RemoteState } from '#contract/entities/remote-source.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import { RemoteSource, type RemoteSourceOptions } from './source.ts'

/** The service learns from a repetition that a source is not its own any more, milliseconds. */
const repeatMs = 30_000

export interface RemoteSources {
  /** Applies the list: starts, stops and changes sources. */
  update(remotes: readonly DesiredRemote[]): void
  close(): void
}

export function createRemoteSources(
  options: Omit<RemoteSourceOptions, 'onState'> & { readonly send: (message: FromNode) => void },
): RemoteSources {
  const running = new Map<number, { source: RemoteSource; state: RemoteState; words: string }>()

  const report = (projectId: number) => {
    const one = running.get(projectId)
    if (one) options.send({ type: 'remote', projectId, state: one.state, words: one.words })
  }

  function start(desired: DesiredRemote): void {
    const { projectId } = desired
    const note = (state: RemoteState, words: string) => {
      const one = running.get(projectId)
      if (!one || one.source.desired !== desired) return
      Object.assign(one, { state, words })
      report(projectId)
    }
    const source = new RemoteSource(desired, { ...options, onState: (...state) => note(...state) })
    running.set(projectId, { source, state: 'connecting', words: '' })
    report(projectId)
  }

  function stop(projectId: number): void {
    running.get(projectId)?.source.stop()
    running.delete(projectId)
  }

  const timer = setInterval(() => {
    for (const projectId of running.keys()) report(projectId)
  }, repeatMs)

  return {
    update(remotes) {
      for (const projectId of running.keys()) if (!remotes.some((one) => one.projectId === projectId)) stop(projectId)
      for (const desired of remotes) {
        const { url, key } = running.get(desired.projectId)?.source.desired ?? {}
        if (url === desired.url && key === desired.key) continue
        stop(desired.projectId)
        start(desired)
      }
    },
    close() {
      clearInterval(timer)
      for (const projectId of running.keys()) stop(projectId)
    },
  }
}
