import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { broadcasts, type OnAir } from '#contract/areas/broadcasts/broadcasts.ts'
import { useAfterPage } from '#src/api/after-page.ts'
import { q } from '#src/api/query.ts'
import type { Sample } from '#src/areas/broadcasts/bitrate-graph.tsx'

/** Seconds between two points: a pixel or two, and drawing more often would be the most that the page does. */
const stepS = 2
/** Seconds that the graph looks back. */
const windowS = 300

/** The last minutes: what the graph knew when the page opened, then what each look at the status brings. */
export function useSamples(
  projectId: number,
  { broadcast_id, date_sample, bitrate, status }: OnAir,
): readonly Sample[] {
  const { data } = useQuery({
    ...q(broadcasts.bitrate, { project_id: projectId, broadcast_id }),
    staleTime: Infinity,
    enabled: useAfterPage(),
  })
  const [seen, setSeen] = useState<readonly Sample[]>([])
  const at = date_sample === null ? 0 : Math.floor(Date.parse(date_sample) / 1000)
  if (status === 'active' && bitrate !== null && at >= (seen.at(-1)?.at ?? 0) + stepS)
    setSeen([...seen, { at, kbps: bitrate }].slice(-windowS))
  return useMemo(() => {
    const from = (seen.at(-1)?.at ?? 0) - windowS
    const first = seen[0]?.at ?? Infinity
    const before = (data?.labels ?? []).flatMap((label, index) =>
      label > from && label < first ? [{ at: label, kbps: data?.data[index] ?? 0 }] : [],
    )
    return [...before, ...seen.filter((sample) => sample.at > from)]
  }, [data, seen])
}
