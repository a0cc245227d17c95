import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { air } from '#contract/areas/broadcasts/air.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'

interface Props {
  readonly projectId: number
  readonly broadcastId: number
  readonly isPaused: boolean
}

/** Passes nothing on for a while: the encoder stays, and so does the broadcast. */
export function PauseButton({ projectId, broadcastId, isPaused }: Props) {
  const { t } = useTranslation('home', { keyPrefix: 'pause' })
  const failure = useFailureText()
  const write = useWrite(isPaused ? air.play : air.pause)
  return (
    <>
      <Button
        look="outline"
        isBusy={write.isPending}
        onClick={() => write.mutate({ project_id: projectId, broadcast_id: broadcastId })}
      >
        {isPaused ? <IconPlayerPlay size={18} aria-hidden /> : <IconPlayerPause size={18} aria-hidden />}
        {t(isPaused ? 'goOn' : 'button')}
      </Button>
      {write.error && <span role="alert">{failure(write.error)}</span>}
    </>
  )
}
