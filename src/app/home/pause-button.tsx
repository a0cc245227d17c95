import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { air } from '#contract/areas/broadcasts/air.ts'
import { AirButton } from './air-button.tsx'

interface Props {
  readonly projectId: number
  readonly broadcastId: number
  readonly isPaused: boolean
}

/** Passes nothing on for a while: the encoder stays, and so does the broadcast. */
export function PauseButton({ projectId, broadcastId, isPaused }: Props) {
  const { t } = useTranslation('home', { keyPrefix: 'pause' })
  return (
    <AirButton op={isPaused ? air.play : air.pause} projectId={projectId} broadcastId={broadcastId}>
      {isPaused ? <IconPlayerPlay size={18} aria-hidden /> : <IconPlayerPause size={18} aria-hidden />}
      {t(isPaused ? 'goOn' : 'button')}
    </AirButton>
  )
}
