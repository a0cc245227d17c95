import { IconDeviceScreen, IconMicrophone, IconMicrophoneOff, IconPlayerStop, IconVideo } from '@tabler/icons-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { browserIngest } from '#contract/areas/broadcasts/browser-ingest.ts'
import { call } from '#src/api/call.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { HelpLink } from '#src/components/help-link.tsx'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { DialogActions } from '#src/ui/dialog-form.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import styles from '#src/app/home/on-air/picture.module.css'
import { canShare, isSecure } from './media.ts'
import { canEncodePicture, sizeFor } from './picture-encoder.ts'
import { BrowserStream, type StreamEnd, type StreamState } from './stream.ts'
import { type MediaChoice, noMicrophone, useMedia } from './use-media.ts'

interface Props {
  readonly projectId: number
  readonly onClose: () => void
}

/** Streams camera, microphone or screen from this page. Closing it ends the stream, and asks first. */
export function BrowserDialog({ projectId, onClose }: Props) {
  const { t } = useTranslation('on-air-later', { keyPrefix: 'browser' })
  const canStream = useCanStream()
  const media = useMedia()
  const video = useRef<HTMLVideoElement>(null)
  const stream = useRef<BrowserStream | null>(null)
  const [state, setState] = useState<StreamState | null>(null)
  const [isMuted, setMuted] = useState(false)
  const isStreaming = state !== null && state.kind !== 'over'
  const leaving = useLeaving(isStreaming, onClose)
  useWakeLock(isStreaming)
  useEffect(() => () => stream.current?.stop(), [])
  useEffect(() => {
    if (video.current) video.current.srcObject = media.picture
  }, [media.picture])

  function start() {
    const track = media.picture?.getVideoTracks()[0]
    const { current: element } = video
    if (!track || !element || element.videoWidth === 0) return
    setMuted(false)
    stream.current = new BrowserStream({
      size: sizeFor({ width: element.videoWidth, height: element.videoHeight }),
      video: element,
      picture: track,
      sounds: [media.microphone, media.picture]
        .filter((one) => one !== null)
        .filter((one) => one.getAudioTracks().length > 0),
      openTicket: () => call(browserIngest.create, { project_id: projectId }),
      onState: setState,
    })
  }
  function stop() {
    stream.current?.stop()
    stream.current = null
    setState(null)
  }
  function mute() {
    for (const track of media.microphone?.getAudioTracks() ?? []) track.enabled = isMuted
    setMuted(!isMuted)
  }

  return (
    <Dialog title={t('title')} onClose={leaving.ask}>
      {canStream === null ? null : canStream !== 'yes' ? (
        <Note tone="warn">{t(`unsupported.${canStream}`)}</Note>
      ) : (
        <>
          <div className={styles.picture}>
            <video ref={video} className={styles.video} aria-label={t('preview')} autoPlay muted playsInline />
            {media.picture === null && <Sources media={media} />}
            {state?.kind === 'live' && <span className={styles.words}>{t('state.sign')}</span>}
          </div>
          <StateNote state={state} media={media} />
          {media.picture !== null && !isStreaming && <Devices media={media} />}
          <HelpLink article="stream/from-the-browser" />
          {media.picture !== null && (
            <DialogActions>
              {isStreaming ? (
                <>
                  {media.microphone && (
                    <Button look="outline" aria-pressed={isMuted} onClick={mute}>
                      {isMuted ? <IconMicrophoneOff size={18} aria-hidden /> : <IconMicrophone size={18} aria-hidden />}
                      {t(isMuted ? 'unmute' : 'mute')}
                    </Button>
                  )}
                  <Button look="danger" onClick={stop}>
                    <IconPlayerStop size={18} aria-hidden />
                    {t('stop')}
                  </Button>
                </>
              ) : (
                <Button isBusy={media.isBusy} onClick={start}>
                  {t('start')}
                </Button>
              )}
            </DialogActions>
          )}
        </>
      )}
      {leaving.isAsking && (
        <ConfirmDialog
          title={t('leave.title')}
          confirm={t('leave.confirm')}
          keep={t('leave.keep')}
          isDanger
          isBusy={false}
          onConfirm={() => {
            stop()
            leaving.leave()
          }}
          onClose={leaving.stay}
        >
          <p>{t('leave.text')}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

/** Whether this browser can stream; null until it is known. */
function useCanStream(): 'yes' | 'insecure' | 'browser' | null {
  const [can, setCan] = useState<'yes' | 'insecure' | 'browser' | null>(isSecure() ? null : 'insecure')
  useEffect(() => {
    let isGone = false
    if (isSecure()) void canEncodePicture().then((is) => isGone || setCan(is ? 'yes' : 'browser'))
    return () => {
      isGone = true
    }
  }, [])
  return can
}

/** Confirms before the dialog, the page or the window closes while the stream runs. */
function useLeaving(isStreaming: boolean, onClose: () => void) {
  const [isClosing, setClosing] = useState(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isStreaming && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isStreaming) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isStreaming])
  return {
    isAsking: isStreaming && (isClosing || blocker.state === 'blocked'),
    ask: () => (isStreaming ? setClosing(true) : onClose()),
    stay() {
      setClosing(false)
      blocker.reset?.()
    },
    leave() {
      blocker.proceed?.()
      onClose()
    },
  }
}

/** Keeps the screen of a phone on. */
function useWakeLock(isOn: boolean): void {
  useEffect(() => {
    if (!isOn || !('wakeLock' in navigator)) return undefined
    let lock: WakeLockSentinel | null = null
    let isGone = false
    const request = () => {
      if (document.visibilityState !== 'visible') return
      void navigator.wakeLock.request('screen').then(
        (got) => (isGone ? void got.release() : void (lock = got)),
        () => undefined,
      )
    }
    request()
    // The browser releases it with the page hidden.
    document.addEventListener('visibilitychange', request)
    return () => {
      isGone = true
      document.removeEventListener('visibilitychange', request)
      void lock?.release()
    }
  }, [isOn])
}

// Styles of parts that load on demand are no part of the style sheet, which every page loads.
const sourcesLayout: CSSProperties = {
  position: 'absolute',
  inset: 0,
  display: 'flex',
  flexWrap: 'wrap',
  gap: 10,
  placeContent: 'center',
  padding: 12,
}
const devicesLayout: CSSProperties = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(14rem, 100%), 1fr))',
  gap: 14,
}

/** Buttons that request the picture. */
function Sources({ media }: { readonly media: MediaChoice }) {
  const { t } = useTranslation('on-air-later', { keyPrefix: 'browser' })
  return (
    <div style={sourcesLayout}>
      <Button isBusy={media.isBusy} onClick={() => media.chooseCamera()}>
        <IconVideo size={18} aria-hidden />
        {t('camera.use')}
      </Button>
      {canShare() && (
        <Button look="outline" isBusy={media.isBusy} onClick={media.chooseScreen}>
          <IconDeviceScreen size={18} aria-hidden />
          {t('screen.use')}
        </Button>
      )}
    </div>
  )
}

const idOf = (stream: MediaStream | null, kind: 'audio' | 'video'): string | undefined =>
  stream
    ?.getTracks()
    .find((track) => track.kind === kind)
    ?.getSettings().deviceId

/** Choice of the camera or the screen, and of the microphone. */
function Devices({ media }: { readonly media: MediaChoice }) {
  const { t } = useTranslation('on-air-later', { keyPrefix: 'browser' })
  const camera = media.source === 'camera' ? (idOf(media.picture, 'video') ?? '') : 'screen'
  const choicesOf = (devices: MediaChoice['cameras']) => devices.map(({ id, label }) => ({ value: id, label }))
  return (
    <div style={devicesLayout}>
      <SelectField
        label={t('picture')}
        value={camera}
        choices={[...choicesOf(media.cameras), ...(canShare() ? [{ value: 'screen', label: t('screen.label') }] : [])]}
        onChange={(id) => (id === 'screen' ? media.chooseScreen() : media.chooseCamera(id))}
      />
      <SelectField
        label={t('microphone.label')}
        value={idOf(media.microphone, 'audio') ?? noMicrophone}
        choices={[{ value: noMicrophone, label: t('microphone.none') }, ...choicesOf(media.microphones)]}
        onChange={media.chooseMicrophone}
      />
    </div>
  )
}

/** State of the stream, or what went wrong. */
function StateNote({ state, media }: { readonly state: StreamState | null; readonly media: MediaChoice }) {
  const { t } = useTranslation('on-air-later', { keyPrefix: 'browser' })
  const language = useLanguage()
  const endText = useEndText()
  if (state?.kind === 'over') return <Note tone="warn">{endText(state.end)}</Note>
  if (state?.kind === 'live')
    return (
      <Note tone="ok">
        {state.kbps === 0 ? t('state.live') : t('state.rate', { kbps: formatNumber(state.kbps, language) })}
      </Note>
    )
  if (state) return <Note tone={state.kind === 'reconnecting' ? 'warn' : 'neutral'}>{t(`state.${state.kind}`)}</Note>
  const { failure } = media
  return (
    <Note tone="warn">{failure && t(`failure.${failure.why}`, { device: t(`failure.device.${failure.of}`) })}</Note>
  )
}

function useEndText(): (end: StreamEnd) => string {
  const { t } = useTranslation('on-air-later', { keyPrefix: 'browser.end' })
  const failure = useFailureText()
  return (end) => {
    if (end.by === 'ticket') return failure(end.error)
    if (end.by !== 'service') return t(end.by)
    return end.reason === 'refused' || end.reason === 'invalid' ? t(end.reason, { words: end.words }) : t(end.reason)
  }
}
