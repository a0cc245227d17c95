// Per-second figures of a running broadcast. Only subscribers render.
import { notifyManager, QueryObserver, useQueryClient } from '@tanstack/react-query'
import { createContext, useEffect, useState } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { BroadcastStatus } from '#contract/entities/on-air.ts'
import { q } from '#src/api/query.ts'
import type { Sample } from '#src/areas/broadcasts/bitrate-graph.tsx'
import { asItComes } from '#src/components/use-status.ts'
import { addSent, type Sent } from './rates.ts'
import { addSample } from './samples.ts'

export interface LiveFigures {
  /** Incoming bitrate over the last second, kbps. */
  readonly bitrate: number | null
  /** Recently sent bytes, by channel. */
  readonly sent: readonly Sent[]
  /** Bitrates since the page was opened. */
  readonly samples: readonly Sample[]
}

const noFigures: LiveFigures = { bitrate: null, sent: [], samples: [] }

/** Figures of the surrounding broadcast. */
export const LiveFiguresContext = createContext<StoreApi<LiveFigures>>(createStore(() => noFigures))

/**
 * Subscribes to the status of a project.
 * @returns the value of `LiveFiguresContext`
 */
export function useLiveFigures(projectId: number): StoreApi<LiveFigures> {
  const queries = useQueryClient()
  const [{ status, figures }] = useState(() => {
    const options = {
      ...q(broadcasts.status, { project_id: projectId }),
      ...asItComes,
      enabled: false,
      staleTime: Infinity,
    }
    const observer = new QueryObserver(queries, { ...options, notifyOnChangeProps: ['data'] })
    return { status: observer, figures: createStore(() => addStatus(noFigures, observer.getCurrentResult().data)) }
  })
  useEffect(() => {
    // Batched with the other effects of a status: the page renders once.
    const update = notifyManager.batchCalls((data?: BroadcastStatus) =>
      figures.setState((before) => addStatus(before, data)),
    )
    return status.subscribe(({ data }) => update(data))
  }, [status, figures])
  return figures
}

function addStatus(before: LiveFigures, now: BroadcastStatus | undefined): LiveFigures {
  if (!now || now.kind === 'inactive') return before
  return { bitrate: now.bitrate, sent: addSent(before.sent, now), samples: addSample(before.samples, now) }
}
