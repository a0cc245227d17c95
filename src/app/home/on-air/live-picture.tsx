import { IconMaximize, IconPlayerPause, IconPlayerPlay, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { memo, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recall, remember } from '#src/lib/storage.ts'
import { useVisible } from '#src/lib/use-visible.ts'
import { IconButton } from '#src/ui/button.tsx'
import { keepPlaying, type PictureState } from './keep-playing.ts'
import styles from './picture.module.css'

/** The preview starts by itself unless the user saves data or has stopped it before. */
const isWelcome = (): boolean =>
  recall('picture') !== 'off' && !(navigator as { connection?: { saveData?: boolean } }).connection?.saveData

/** Preview of the broadcast, a second or two behind: muted, and not loaded while the page is hidden. */
export const LivePicture = memo(function LivePicture({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('on-air-later', { keyPrefix: 'preview' })
  const [isWanted, setWanted] = useState(isWelcome)
  const [isMuted, setMuted] = useState(true)
  const isOn = useVisible() && isWanted
  const { video, state, poster, setPlaying } = usePicture(projectId, isOn)
  const want = (next: boolean) => {
    setWanted(next)
    remember('picture', next ? null : 'off')
  }
  return (
    <section className={styles.picture} aria-label={t('title')} data-state={state}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- live video has no captions */}
      <video
        ref={video}
        className={styles.video}
        aria-label={t('title')}
        muted={isMuted}
        playsInline
        disableRemotePlayback
        {...(poster && { poster })}
        onPlaying={setPlaying}
      />
      {state !== 'playing' && <p className={styles.words}>{t(state)}</p>}
      <div className={styles.controls}>
        <IconButton label={t(isWanted ? 'pause' : 'play')} onClick={() => want(!isWanted)}>
          {isWanted ? <IconPlayerPause size={20} aria-hidden /> : <IconPlayerPlay size={20} aria-hidden />}
        </IconButton>
        <IconButton label={t(isMuted ? 'unmute' : 'mute')} onClick={() => setMuted(!isMuted)}>
          {isMuted ? <IconVolumeOff size={20} aria-hidden /> : <IconVolume size={20} aria-hidden />}
        </IconButton>
        <IconButton label={t('full')} onClick={() => void video.current?.requestFullscreen?.()}>
          <IconMaximize size={20} aria-hidden />
        </IconButton>
      </div>
    </section>
  )
})

function usePicture(projectId: number, isOn: boolean) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<PictureState>('starting')
  const [poster, setPoster] = useState<string>()
  useEffect(() => {
    if (!isOn || !video.current) return undefined
    const closing = new AbortController()
    const show = (still: Blob) => setPoster(URL.createObjectURL(still))
    void keepPlaying(projectId, { video: video.current, setState, setPoster: show }, closing.signal)
    return () => closing.abort()
  }, [projectId, isOn])
  useEffect(() => (poster ? () => URL.revokeObjectURL(poster) : undefined), [poster])
  return { video, state: isOn ? state : ('off' as const), poster, setPlaying: () => setState('playing') }
}
