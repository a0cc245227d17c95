import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { toApiError } from '#src/api/api-error.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { Radio } from '#src/ui/checkbox.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { bestServer, encoderAddress, ffmpegCommand, type Protocol, protocolsOf, streamIdOf } from './addresses.ts'
import { BackupCard } from './backup-card.tsx'
import { EncoderCard } from './encoder-card.tsx'
import styles from './ingest.module.css'
import { ObsTracksCard } from './obs-tracks-card.tsx'
import { RemoteCard } from './remote-card.tsx'
import { StatsCard } from './stats-card.tsx'
import { NoServers, ServerNote } from '#src/components/no-servers.tsx'
import { type Latency, useLatencies, useServers, useStreamKey } from './queries.ts'
import { useSearchChoice } from './use-search-choice.ts'
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import { formatMinutes, formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { HealthBadge, LatencyText } from './health.tsx'
import { serverStateOf } from './server-state.ts'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { Button } from '#src/ui/button.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { useIngestWords } from './use-ingest-words.ts'
import { type StreamKey, streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { useWrite } from '#src/api/query.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { Note } from '#src/ui/note.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { CopyButton } from '#src/ui/copy-button.tsx'
import { Choice } from './choice.tsx'

/** Encoders with instructions, the most common first. */
const programs = ['obs', 'streamlabs', 'vmix', 'larix', 'ffmpeg'] as const
/** Mask for the key. */
const dots = '••••••••'
/** Height of the note without servers on a phone, pixels: its texts load after the list. */
const noServersHeight = 286

interface GuideCardProps {
  readonly projectId: number
  readonly streamKey: StreamKey
  readonly server: IngestServer | undefined
  readonly protocol: Protocol
}

/** Setup steps for an encoder, with the user's own address. */
function GuideCard({ projectId, streamKey, server, protocol }: GuideCardProps) {
  const { t } = useTranslation('ingest')
  const words = useIngestWords()
  const [program, choose] = useSearchChoice('program', programs, 'obs')
  const address = encoderAddress(server, protocol, { projectId, key: streamKey.key })
  const values = { server: address?.server ?? t('guide.noServer'), stream: streamIdOf(projectId) }
  const masked = encoderAddress(server, protocol, { projectId, key: dots })?.whole.replaceAll(
    encodeURIComponent(dots),
    dots,
  )
  return (
    <Card title={t('guide.title')} note={t('guide.note')}>
      <Choice
        label={t('guide.program')}
        value={program}
        choices={programs.map((value) => ({ value, label: t(`guide.${value}.name`) }))}
        onChange={choose}
      />
      <ol className={styles.steps}>
        {['open', protocol === 'srt' ? 'srt' : 'rtmp', 'quality', 'start'].map((step) => (
          <li key={step}>{t(`guide.${program}.${step}`, values)}</li>
        ))}
      </ol>
      {program === 'ffmpeg' && address && masked && (
        <div className={styles.command}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable region */}
          <pre tabIndex={0} aria-label={t('guide.ffmpeg.command')} role="group">
            {ffmpegCommand(masked, protocol)}
          </pre>
          {!streamKey.masked && (
            <CopyButton text={ffmpegCommand(address.whole, protocol)} words={words.copy(t('guide.ffmpeg.command'))} />
          )}
        </div>
      )}
      <HelpLinkLater article="start/obs" />
      <HelpLinkLater article="start/encoders" />
      <HelpLinkLater article="start/srt-rtmp" />
    </Card>
  )
}

const waits = [0, 1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1440]

/** Switch for recording, and the time that channels wait for a lost encoder. */
function KeySettings({ projectId, streamKey }: { readonly projectId: number; readonly streamKey: StreamKey }) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const { hasPlans } = useInstallation()
  const language = useLanguage()
  const record = useWrite(streamKeys.setRecord)
  const wait = useWrite(streamKeys.setWait)
  const off = streamKey.masked ? t('settings.noRight') : undefined
  // Shows the requested value while the request is pending.
  const isRecorded = record.isPending ? record.variables.record : streamKey.record
  const { wait_minutes: minutes, hold = false } = wait.isPending
    ? wait.variables
    : { wait_minutes: streamKey.wait ?? 0, hold: streamKey.hold }
  const max = streamKey.wait_max_minutes ?? Math.max(...waits)
  const offered = [...new Set([...waits.filter((value) => value <= max), minutes])].toSorted((a, b) => a - b)
  const error = record.error ?? wait.error
  return (
    <Card title={t('settings.title')}>
      <div className={styles.setting}>
        <Switch
          label={t('settings.record')}
          isOn={isRecorded}
          isBusy={record.isPending}
          off={off}
          onChange={(isOn) => record.mutate({ project_id: projectId, record: isOn })}
        />
        <p className={styles.hint}>{t('settings.recordHint')}</p>
      </div>
      <div className={styles.setting}>
        <SelectField
          label={t('settings.wait')}
          hint={t('settings.waitHint')}
          value={String(minutes)}
          choices={offered.map((value) => ({
            value: String(value),
            label: value === 0 ? t('settings.noWait') : formatMinutes(value, language),
          }))}
          disabled={off !== undefined}
          onChange={(value) => wait.mutate({ project_id: projectId, wait_minutes: Number(value), hold })}
        />
        {hasPlans && streamKey.wait_max_minutes !== undefined && (
          <p className={styles.hint}>
            {t('settings.waitMax', { time: formatMinutes(max, language) })}{' '}
            <Link to={paths.tariffs(projectId)}>{t('settings.plans')}</Link>
          </p>
        )}
      </div>
      <div className={styles.setting}>
        <Switch
          label={t('settings.hold')}
          isOn={hold && minutes > 0}
          isBusy={wait.isPending}
          off={off ?? (minutes === 0 ? t('settings.holdOff') : undefined)}
          onChange={(isOn) => wait.mutate({ project_id: projectId, wait_minutes: minutes, hold: isOn })}
        />
        <p className={styles.hint}>{t('settings.holdHint')}</p>
      </div>
      <Note tone="live">{error && t('settings.failed', { why: why(error) })}</Note>
    </Card>
  )
}

/** Leads to what channels receive in the place of the encoder. */
function SlatesCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('ingest')
  return (
    <Card title={t('pictures.title')} note={t('pictures.note')}>
      <Link to={paths.media(projectId)}>{t('pictures.link')}</Link>
    </Card>
  )
}

/** Publishing a stream: server, key, settings and encoder guide. */
export function PushPart() {
  const { t } = useTranslation('ingest')
  const projectId = Number(useParams()['projectId'])
  const servers = useServers(projectId)
  const streamKey = useStreamKey(projectId)
  const mayEdit = useMayEdit(projectId)
  const list = servers.data?.results ?? []
  const latencies = useLatencies(list)
  const best = bestServer(list, latencies)
  const [id, choose] = useSearchChoice(
    'server',
    list.map((server) => String(server.id)),
    String(best?.id),
  )
  const server = list.find((one) => String(one.id) === id)
  const offered = protocolsOf(server)
  const isReady = !servers.isPending && !streamKey.isPending
  const [protocol, setProtocol] = useSearchChoice('by', offered, offered[0] ?? 'rtmp')

  return (
    <div className={styles.parts}>
      <Card title={t('server.title')} note={list.length > 0 && t('server.note')}>
        <QueryPart query={servers} failed={t('server.failed')} skeleton={<Skeleton height={150} />}>
          {({ results, ...why }) =>
            results.length === 0 ? (
              <Suspense fallback={<Skeleton height={noServersHeight} />}>
                <NoServers {...why} />
              </Suspense>
            ) : (
              <ServerChoice
                servers={results}
                chosen={server?.id}
                best={best?.id}
                latencies={latencies}
                onChoose={(one) => choose(String(one.id))}
              />
            )
          }
        </QueryPart>
        {server && <ServerNote server={server} />}
      </Card>
      {/* What follows appears below the servers: their number is unknown before. */}
      {servers.isPending ? (
        <Skeleton height={640} />
      ) : streamKey.error && toApiError(streamKey.error).name === 'KeyUnreadable' ? (
        <UnreadableKey projectId={projectId} error={streamKey.error} />
      ) : (
        <QueryPart query={streamKey} failed={t('key.failed')} skeleton={<Skeleton height={640} />}>
          {(data) => (
            <>
              <EncoderCard
                projectId={projectId}
                streamKey={data}
                server={server}
                latency={server && latencies.get(server.pingHost)}
                protocol={protocol}
                onProtocol={setProtocol}
              />
              {!data.masked && (
                <BackupCard projectId={projectId} streamKey={data} server={server} protocol={protocol} />
              )}
              <KeySettings projectId={projectId} streamKey={data} />
              <SlatesCard projectId={projectId} />
              <GuideCard projectId={projectId} streamKey={data} server={server} protocol={protocol} />
            </>
          )}
        </QueryPart>
      )}
      {isReady && protocol === 'rtmp' && <ObsTracksCard projectId={projectId} />}
      {isReady && mayEdit && <RemoteCard projectId={projectId} />}
      {isReady && mayEdit && <StatsCard projectId={projectId} />}
    </div>
  )
}

interface ServerChoiceProps {
  readonly servers: readonly IngestServer[]
  readonly chosen: number | undefined
  /** Id of the recommended server, used without a choice of the user. */
  readonly best: number | undefined
  readonly latencies: ReadonlyMap<string, Latency>
  readonly onChoose: (server: IngestServer) => void
}

/** Server list with health and latency. */
function ServerChoice({ servers, chosen, best, latencies, onChoose }: ServerChoiceProps) {
  const { t } = useTranslation('ingest')
  const language = useLanguage()
  const name = useId()
  return (
    <fieldset className={styles.servers}>
      <legend className="visually-hidden">{t('server.title')}</legend>
      {servers.map((server) => (
        <label key={server.id} className={styles.server} data-on={server.id === chosen || undefined}>
          <Radio name={name} checked={server.id === chosen} onChange={() => onChoose(server)} />
          <span className={styles.place}>
            <strong>{server.city}</strong> <span className={styles.quiet}>{server.country.name}</span>
          </span>
          <span className={styles.figures}>
            {server.id === best && servers.length > 1 && <Badge tone="accent">{t('server.best')}</Badge>}
            <HealthBadge health={serverStateOf(server)} />
            <LatencyText latency={latencies.get(server.pingHost)} />
            <span className={styles.quiet}>
              {t('server.load', {
                load: formatPercent(Math.round(Math.max(server.cpu.avg, server.network.avg)), language),
              })}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface UnreadableKeyProps {
  readonly projectId: number
  readonly error: Error
}

/** Takes the place of the stream key that the secret of the server no longer opens: editors replace it. */
function UnreadableKey({ projectId, error }: UnreadableKeyProps) {
  const { t } = useTranslation('ingest')
  const { why } = useIngestWords()
  const mayEdit = useMayEdit(projectId)
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title={t('key.failed')}>
      <p role="alert">{why(error)}</p>
      {mayEdit && (
        <div className={styles.buttons}>
          <Button onClick={() => setOpen(true)}>{t('rotate.button')}</Button>
        </div>
      )}
      {isOpen && <RotateDialog projectId={projectId} onClose={() => setOpen(false)} />}
    </Card>
  )
}
