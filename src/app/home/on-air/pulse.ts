// Per-second figures of a running broadcast. Only subscribers render.
import { notifyManager, QueryObserver, useQueryClient } from '@tanstack/react-query'
import { createContext, useEffect, useState } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import { q } from '#src/api/query.ts'
import type { Sample } from '#src/areas/broadcasts/bitrate-graph.tsx'
import { asItComes } from '#src/areas/broadcasts/use-status.ts'
import { addSent, type Sent } from './rates.ts'
import { addSample } from './samples.ts'

export interface Pulse {
  /** Incoming bitrate over the last second, kbps. */
  readonly bitrate: number | null
  /** Recently sent bytes, by channel. */
  readonly sent: readonly Sent[]
  /** Bitrates since the page was opened. */
  readonly samples: readonly Sample[]
}

const still: Pulse = { bitrate: null, sent: [], samples: [] }

/** Figures of the surrounding broadcast. */
export const PulseContext = createContext<StoreApi<Pulse>>(createStore(() => still))

/**
 * Subscribes to the status of a project.
 * @returns the value of `PulseContext`
 */
export function usePulse(projectId: number): StoreApi<Pulse> {
  const queries = useQueryClient()
  const [{ status, pulse }] = useState(() => {
    const options = {
      ...q(broadcasts.status, { project_id: projectId }),
      ...asItComes,
      enabled: false,
      staleTime: Infinity,
    }
    const observer = new QueryObserver(queries, { ...options, notifyOnChangeProps: ['data'] })
    return { status: observer, pulse: createStore(() => beat(still, observer.getCurrentResult().data)) }
  })
  useEffect(() => {
    // Batched with the other effects of a status: the page renders once.
    const told = notifyManager.batchCalls((data?: BroadcastStatus) => pulse.setState((before) => beat(before, data)))
    return status.subscribe(({ data }) => told(data))
  }, [status, pulse])
  return pulse
}

function beat(before: Pulse, now: BroadcastStatus | undefined): Pulse {
  if (now?.kind !== 'live') return before
  return { bitrate: now.bitrate, sent: addSent(before.sent, now), samples: addSample(before.samples, now) }
}
