import type { ReactNode } from 'react'
import type { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { useWrite } from '#src/api/query.ts'
import { Button } from '#src/ui/button.tsx'

interface Props {
  readonly write: ReturnType<typeof useWrite<typeof broadcasts.play>>
  readonly projectId: number
  readonly broadcastId: number
  readonly children: ReactNode
}

/** Writes to a broadcast without confirmation. The caller shows `write.error` without a layout shift. */
export function AirButton({ write, projectId, broadcastId, children }: Props) {
  return (
    <Button
      look="outline"
      isBusy={write.isPending}
      onClick={() => write.mutate({ project_id: projectId, broadcast_id: broadcastId })}
    >
      {children}
    </Button>
  )
}
