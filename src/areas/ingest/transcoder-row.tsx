import { IconPencil, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Transcoder, transcoders } from '#contract/areas/ingest/transcoders.ts'
import { useWrite } from '#src/api/query.ts'
import { formatNumber } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row } from '#src/ui/row-list.tsx'
import styles from './ingest.module.css'
import { useIngestWords } from './use-ingest-words.ts'

type State = 'stopped' | 'idle' | 'unused' | 'starting' | 'running' | 'trouble'

const stateTones: Readonly<Record<State, Tone>> = {
  stopped: 'neutral',
  idle: 'neutral',
  unused: 'neutral',
  starting: 'accent',
  running: 'ok',
  trouble: 'warn',
}

/** State of a transcoder. */
function transcoderState({ status, state, channels }: Transcoder): State {
  if (status === 'inactive') return 'stopped'
  if (!state) return 'idle'
  if (!channels.some(({ active }) => active)) return 'unused'
  if (state.transcoder_running) return 'running'
  return state.reason ? 'trouble' : 'starting'
}

/** Returns a formatter for the output of a transcoder in one line; omits properties of the source. */
function usePicture() {
  const { t } = useTranslation('ingest')
  return (one: Transcoder): string => {
    const { width, height, fps, vBitrate, aBitrate, rotation, delay } = one
    const parts = [
      t(`transcoders.codec.${one.videoCodec}`),
      width && height && `${width}×${height}`,
      width && !height && t('transcoders.wide', { width }),
      height && !width && t('transcoders.high', { height }),
      fps && t('transcoders.fps', { fps }),
      vBitrate && t('transcoders.kbps', { kbps: vBitrate }),
      aBitrate && t('transcoders.sound', { kbps: aBitrate }),
      rotation && t('transcoders.turned'),
      delay > 0 && t('transcoders.delayed', { seconds: delay }),
      one.mode === 'twitch' && 'Twitch',
    ]
    return parts.filter(Boolean).join(' · ')
  }
}

interface Props {
  readonly projectId: number
  readonly transcoder: Transcoder
  readonly mayEdit: boolean
  readonly onEdit: () => void
}

/** One transcoder: output, channels and state. */
export function TranscoderRow({ projectId, transcoder, mayEdit, onEdit }: Props) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const picture = usePicture()
  const [isRemoving, setRemoving] = useState(false)
  const { name, status, channels, delay } = transcoder
  const input = { project_id: projectId, transcoder_id: transcoder.id }
  const title = name || t('transcoders.unnamed', { id: transcoder.id })
  const isActive = status === 'active'
  const turn = useWrite(isActive ? transcoders.stop : transcoders.start)
  const reset = useWrite(transcoders.resetDelay)
  const remove = useWrite(transcoders.remove, { onSuccess: () => setRemoving(false) })
  const now = transcoderState(transcoder)
  const error = turn.error ?? reset.error
  return (
    <Row
      title={title}
      about={picture(transcoder)}
      actions={
        <>
          <Badge tone={stateTones[now]}>{t(`transcoders.state.${now}`)}</Badge>
          {mayEdit && (
            <span className={styles.icons}>
              <IconButton label={t('transcoders.edit', { title })} onClick={onEdit}>
                <IconPencil size={18} aria-hidden />
              </IconButton>
              <IconButton label={t('transcoders.remove', { title })} onClick={() => setRemoving(true)}>
                <IconTrash size={18} aria-hidden />
              </IconButton>
            </span>
          )}
        </>
      }
    >
      <div className={styles.inRow}>
        <HowItDoes transcoder={transcoder} />
        {channels.length > 0 && (
          <p>
            {t('transcoders.for')}{' '}
            {channels.map((channel, index) => (
              <span key={channel.group_id}>
                {index > 0 && ', '}
                <Link to={paths.channel(projectId, channel.group_id)}>{channel.name}</Link>
                {!channel.active && ` (${t('transcoders.off')})`}
              </span>
            ))}
          </p>
        )}
        {mayEdit && (
          <div className={styles.buttons}>
            <Button look="outline" isBusy={turn.isPending} onClick={() => turn.mutate(input)}>
              {isActive ? <IconPlayerStop size={18} aria-hidden /> : <IconPlayerPlay size={18} aria-hidden />}
              {t(isActive ? 'transcoders.stop' : 'transcoders.start')}
            </Button>
            {delay > 0 && (
              <Button look="outline" isBusy={reset.isPending} onClick={() => reset.mutate(input)}>
                {t('transcoders.resetDelay')}
              </Button>
            )}
            <Note tone="warn">{error && t('transcoders.notDone', { why: why(error) })}</Note>
          </div>
        )}
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={t('transcoders.removeTitle', { title })}
          confirm={t('transcoders.removeConfirm')}
          keep={t('pull.removeKeep')}
          isDanger
          isBusy={remove.isPending}
          problem={remove.error && t('transcoders.notDone', { why: why(remove.error) })}
          onConfirm={() => remove.mutate(input)}
          onClose={() => setRemoving(false)}
        >
          <p>{t('transcoders.removeText')}</p>
        </ConfirmDialog>
      )}
    </Row>
  )
}

/** Metrics of a running transcoder, or the reason why it is not running. */
function HowItDoes({ transcoder }: Pick<Props, 'transcoder'>) {
  const { t } = useTranslation('ingest')
  const language = useLanguage()
  const { gap } = usePunctuation()
  const { state } = transcoder
  const now = transcoderState(transcoder)
  if (!state || now !== 'running')
    return <p className={styles.hint}>{t(`transcoders.why.${(now === 'trouble' && state?.reason) || now}`)}</p>
  const kbps = formatNumber(state.bitrate, language)
  const { restarts = 0 } = state
  return (
    <p>
      {t('transcoders.now', { kbps, seconds: formatNumber(state.delay, language) }) + gap}
      {state.on_card && t('transcoders.onCard') + gap}
      {restarts > 0 && t('transcoders.restarts', { count: restarts })}
    </p>
  )
}
