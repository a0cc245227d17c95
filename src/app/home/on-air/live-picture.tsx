import { IconMaximize, IconPlayerPause, IconPlayerPlay, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { memo, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { recall, remember } from '#src/lib/storage.ts'
import { useVisible } from '#src/lib/use-visible.ts'
import { IconButton } from '#src/ui/button.tsx'
import styles from './picture.module.css'
import { type Preview, preview } from '#contract/areas/broadcasts/preview.ts'
import { backoffMs } from '#contract/core/backoff.ts'
import { call } from '#src/api/call.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { requestRetries } from '#src/lib/backoff.ts'
import { hasMediaSource, playHls, playsHls } from '#src/ui/player/hls-player.ts'

// Keeps a live preview playing: ticket of the project, still image until the video starts, retry after its end.

/** State of the preview, a key below `on-air-later:picture`. `elsewhere`: the server with the stream has no preview. */
type PictureState = 'off' | 'starting' | 'playing' | 'failed' | 'unsupported' | 'elsewhere'

interface Hooks {
  readonly video: HTMLVideoElement
  readonly setState: (state: PictureState) => void
  readonly setPoster: (still: Blob) => void
}

const stillMs = 20_000

/** Plays with retries until `signal` aborts. */
async function keepPlaying(projectId: number, hooks: Hooks, signal: AbortSignal): Promise<void> {
  await idle(signal)
  for (let failures = 0; !signal.aborted; failures++) {
    hooks.setState('starting')
    const began = Date.now()
    const state = await play(projectId, hooks, signal).catch((): PictureState => 'failed')
    if (signal.aborted) return
    hooks.setState(state)
    if (state === 'unsupported') return keepStill(projectId, hooks, signal)
    if (Date.now() - began > requestRetries.mostMs) failures = 0
    await wait(backoffMs(requestRetries, failures + 1), signal)
  }
}

/**
 * Plays once.
 * @returns the state after its end
 */
async function play(projectId: number, { video, setPoster }: Hooks, signal: AbortSignal): Promise<PictureState> {
  const sources = await call(preview.get, { project_id: projectId }, { signal })
  await showStill(sources, setPoster, signal)
  const { ticket, stream_path, hls_path } = sources
  if (stream_path === null) return 'elsewhere'
  const how = hasMediaSource()
    ? await playPieces(video, { path: stream_path, ticket }, signal)
    : hls_path && playsHls(video)
      ? await playHls(video, addressOf(hls_path), signal)
      : 'unsupported'
  return how === 'unsupported' ? 'unsupported' : 'failed'
}

async function playPieces(
  video: HTMLVideoElement,
  { path, ticket }: { readonly path: string; readonly ticket: string },
  signal: AbortSignal,
) {
  const { playFlv } = await import('#src/ui/player/flv-player.ts')
  return playFlv(video, { url: addressOf(path), headers: headersOf(ticket) }, signal)
}

/** Without video: refreshes the still image every 20 s. */
async function keepStill(projectId: number, { setPoster }: Hooks, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(stillMs, signal)
    if (signal.aborted) return
    await call(preview.get, { project_id: projectId }, { signal })
      .then((sources) => showStill(sources, setPoster, signal))
      .catch(() => undefined)
  }
}

async function showStill(
  { poster_path, ticket }: Pick<Preview, 'poster_path' | 'ticket'>,
  setPoster: Hooks['setPoster'],
  signal: AbortSignal,
): Promise<void> {
  if (poster_path === null) return
  const still = await fetch(addressOf(poster_path), { headers: headersOf(ticket), signal }).catch(() => null)
  if (still?.ok) setPoster(await still.blob())
}

const addressOf = (path: string): string => new URL(path, apiRuntime().baseUrl || location.origin).href
/** Sent in a header: a URL with the ticket could be shared, and would stay in the history. */
const headersOf = (ticket: string) => ({ authorization: `Preview ${ticket}` })

/** Waits until the page is idle. */
const idle = (signal: AbortSignal): Promise<void> =>
  'requestIdleCallback' in globalThis
    ? new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 2_000 }))
    : wait(300, signal)

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}

/** The preview starts by itself unless the user saves data or has stopped it before. */
const isWelcome = (): boolean =>
  recall('picture') !== 'off' && !(navigator as { connection?: { saveData?: boolean } }).connection?.saveData

interface Props {
  readonly projectId: number
  /** The encoder is away: the last picture is repeated. */
  readonly isFrozen: boolean
}

/** Preview of the broadcast, a second or two behind: muted, and not loaded while the page is hidden. */
export const LivePicture = memo(function LivePicture({ projectId, isFrozen }: Props) {
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
      {(isFrozen || state !== 'playing') && (
        <p className={styles.words}>{t(isFrozen && state === 'playing' ? 'frozen' : state)}</p>
      )}
      {state !== 'elsewhere' && (
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
      )}
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
