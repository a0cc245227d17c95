import { useQuery } from '@tanstack/react-query'
import { type ReactNode, use, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { BitrateGraph } from '#src/areas/broadcasts/bitrate-graph.tsx'
import { LiveFiguresContext } from './live-figures.ts'
import { afterHole, holeS, lastMinutes } from './samples.ts'

interface Props {
  readonly projectId: number
  readonly broadcastId: number
  readonly room: ReactNode
}

/** Incoming bitrate over the last minutes. */
export function SignalGraph({ projectId, broadcastId, room }: Props) {
  const { data, refetch } = useQuery({
    ...q(broadcasts.bitrate, { project_id: projectId, broadcast_id: broadcastId }),
    staleTime: Infinity,
  })
  const seen = useStore(use(LiveFiguresContext), ({ samples }) => samples)
  // The service knows the bitrate of the gaps.
  const missedAt = afterHole(seen)
  useEffect(() => {
    if (missedAt > 0) void refetch()
  }, [missedAt, refetch])
  const samples = useMemo(() => {
    const known = (data?.labels ?? []).map((at, index) => ({ at, kbps: data?.data[index] ?? 0 }))
    return lastMinutes(known, seen)
  }, [data, seen])
  return samples.length === 0 ? room : <BitrateGraph samples={samples} gap={holeS} isSmall />
}
