import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { channels } from '#contract/areas/channels/channels.ts'
import { type IngestServer, rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { q } from '#src/api/query.ts'
import { bestServer, encoderAddress } from '#src/areas/ingest/addresses.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Card } from '#src/ui/card.tsx'
import styles from './check-list.module.css'
import { channelsStep, encoderStep, serverStep, serverValues } from './check-steps.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { CopyButton } from '#src/ui/copy-button.tsx'

interface Props {
  readonly projectId: number
  /** An encoder of this project has connected before; undefined while unknown. */
  readonly hasStreamed: boolean | undefined
  /** The broadcast was stopped and its encoder still sends: starting the encoder would not help. */
  readonly isHeld: boolean
}

/** Checklist before going live, each step with its action. A step is done only on evidence. */
export function CheckList({ projectId, hasStreamed, isHeld }: Props) {
  const { t } = useTranslation('off-air')
  const project_id = projectId
  const { hasPlans } = useInstallation()
  const [copied, setCopied] = useState<readonly ('address' | 'key')[]>([])
  const list = useQuery({ ...q(rtmpServers.list, { project_id, interval: 1 }), refetchInterval: 30_000 }).data
  const on = useQuery(q(channels.search, { project_id, type: 'active', limit: 100 })).data
  const max = useQuery(q(restream.slots, { project_id })).data?.current?.channel_max
  const count = on?.total ?? 0
  const server = list && bestServer(list.results, new Map())
  return (
    <Card title={t('off.title')} note={isHeld ? undefined : t('off.text')}>
      <ol className={styles.steps} aria-label={t('off.steps')}>
        <Step
          name="server"
          state={list && serverStep(server, list.reason)}
          to={paths.ingest(projectId, 'servers')}
          values={serverValues(server, list?.ports)}
        />
        <Step name="encoder" state={encoderStep(hasStreamed, copied)} to={paths.ingest(projectId)}>
          <CopyKey projectId={projectId} server={server} onCopied={(what) => setCopied((all) => [...all, what])} />
        </Step>
        <Step name="channels" to={paths.channels(projectId)} {...channelsStep(on?.results, count)} />
        {hasPlans && (
          <Step
            name="tariff"
            state={on && typeof max === 'number' ? (count <= max ? 'done' : 'open') : undefined}
            to={paths.tariffs(projectId)}
            values={{ count, max: max ?? 0 }}
          />
        )}
      </ol>
      <HelpLinkLater article="start/first-broadcast" />
      <HelpLinkLater article="trouble/connection-drops" />
    </Card>
  )
}

interface StepProps {
  /** Key of its texts below `off-air:step`. */
  readonly name: string
  /** Undefined while unknown. `busy`: done, with a note. */
  readonly state: string | undefined
  readonly to: string
  readonly values?: Readonly<Record<string, number | string>>
  readonly children?: ReactNode
}

function Step({ name, state = 'unknown', to, values = {}, children }: StepProps) {
  const { t } = useTranslation('off-air', { keyPrefix: 'step' })
  const { colon } = usePunctuation()
  const isDone = state === 'done' || state === 'busy'
  return (
    <li data-done={isDone || undefined}>
      {isDone ? <IconCircleCheck size={24} aria-hidden /> : <IconCircleDashed size={24} aria-hidden />}
      <div className={styles.step}>
        <span className={styles.words}>
          {state !== 'unknown' && (
            <span className="visually-hidden">
              {t(isDone ? 'done' : 'open')}
              {colon}
            </span>
          )}
          {t(`${name}.${state}`, values)}
        </span>
        {children}
        <Link to={to}>{t(`${name}.link`)}</Link>
      </div>
    </li>
  )
}

interface CopyKeyProps {
  readonly projectId: number
  readonly server: IngestServer | undefined
  readonly onCopied: (what: 'address' | 'key') => void
}

/** Server address and stream key for the encoder. Renders nothing for users without access to the key. */
function CopyKey({ projectId, server, onCopied }: CopyKeyProps) {
  const { t } = useTranslation('home', { keyPrefix: 'copy' })
  const { data } = useQuery({ ...q(streamKeys.get, { project_id: projectId }), staleTime: 0 })
  if (!data || data.masked) return null
  const address = encoderAddress(server, 'rtmp', { projectId, key: data.key })?.server
  const words = (idle: string) => ({ idle, copied: t('copied'), refused: t('refused') })
  return (
    <span className={styles.copy}>
      {address && <CopyButton text={address} words={words(t('address'))} onCopied={() => onCopied('address')} />}
      <CopyButton text={data.key} words={words(t('key'))} onCopied={() => onCopied('key')} />
    </span>
  )
}
