import type { ReactNode } from 'react'
import type { air } from '#contract/areas/broadcasts/air.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'

interface Props {
  readonly op: typeof air.play
  readonly projectId: number
  readonly broadcastId: number
  readonly children: ReactNode
}

/** Does something with a broadcast without asking, and says why where it cannot be done. */
export function AirButton({ op, projectId, broadcastId, children }: Props) {
  const failure = useFailureText()
  const write = useWrite(op)
  return (
    <>
      <Button
        look="outline"
        isBusy={write.isPending}
        onClick={() => write.mutate({ project_id: projectId, broadcast_id: broadcastId })}
      >
        {children}
      </Button>
      {write.error && <span role="alert">{failure(write.error)}</span>}
    </>
  )
}
