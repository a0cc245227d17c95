// The plays of a node. The service sends the list; the node reports their states.
import type { DesiredPlay, PlayState } from '#contract/entities/play.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import { Play, type PlayOptions } from './play.ts'

/** The service learns from a repetition that a play is not its own any more, milliseconds. */
const repeatMs = 30_000

export interface Plays {
  /** Applies the list: starts, changes and ends plays. */
  update(plays: readonly DesiredPlay[]): void
  close(): void
}

interface Running {
  readonly play: Play
  readonly about: Pick<DesiredPlay, 'projectId' | 'run'>
  report: { readonly state: PlayState; readonly words: string; readonly item?: number | undefined }
}

export function createPlays(
  options: Omit<PlayOptions, 'onState'> & { readonly send: (message: FromNode) => void },
): Plays {
  const running = new Map<string, Running>()
  const nameOf = ({ projectId, run }: Running['about']) => `${projectId} ${run}`

  const send = ({ about, report }: Pick<Running, 'about' | 'report'>) =>
    options.send({ type: 'play', ...about, ...report })

  function start(desired: DesiredPlay): void {
    const { projectId, run } = desired
    const about = { projectId, run }
    let last: Running['report'] = { state: 'waiting', words: '' }
    const play = new Play(desired, {
      ...options,
      onState(state, words, item) {
        const next = { state, words, ...(item !== undefined && { item }) }
        send({ about, report: next })
        // The reason of a skipped item is sent once.
        last = state === 'live' ? { ...next, words: '' } : next
        const one = running.get(nameOf(about))
        if (one) one.report = last
      },
    })
    running.set(nameOf(desired), { play, about, report: last })
  }

  const timer = setInterval(() => {
    for (const one of running.values()) send(one)
  }, repeatMs)

  return {
    update(plays) {
      const wanted = new Set(plays.map(nameOf))
      for (const [name, { play }] of running) {
        if (wanted.has(name)) continue
        running.delete(name)
        play.stop()
      }
      for (const desired of plays) {
        const one = running.get(nameOf(desired))
        if (!one) start(desired)
        else {
          one.play.update(desired)
          send(one)
        }
      }
    },
    close() {
      clearInterval(timer)
      for (const { play } of running.values()) play.stop()
      running.clear()
    },
  }
}
