import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { channels } from '#contract/areas/channels/channels.ts'
import { rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import { tariff } from '#contract/areas/tariffs/slots.ts'
import { q } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import styles from './check-list.module.css'
import { CopyKey } from './copy-key.tsx'

interface Props {
  readonly projectId: number
  /** An encoder of this project has been here before; undefined while that is not known. */
  readonly hasStreamed: boolean | undefined
}

/** What has to be right before going on air, each with the way to make it so. */
export function CheckList({ projectId, hasStreamed }: Props) {
  const { t } = useTranslation('home')
  const project_id = projectId
  const [hasCopied, setCopied] = useState(false)
  const servers = useQuery({ ...q(rtmpServers.list, { project_id, interval: 1 }), refetchInterval: 30_000 }).data
    ?.results
  const on = useQuery(q(channels.search, { project_id, type: 'active', limit: 1 })).data
  const max = useQuery(q(tariff.slots, { project_id })).data?.current?.channel_max
  const count = on?.total ?? 0
  const fits = on && max !== undefined && max !== null ? count <= max : undefined
  const server = servers?.find(({ serverStatus }) => serverStatus !== 'bad') ?? servers?.[0]
  return (
    <Card title={t('off.title')} note={t('off.text')}>
      <ol className={styles.steps} aria-label={t('off.steps')}>
        <Step
          name="server"
          isDone={servers && servers.length > 0}
          to={paths.ingest(projectId, 'servers')}
          values={{ name: server?.city ?? '' }}
        />
        <Step name="encoder" isDone={hasCopied || hasStreamed} to={paths.ingest(projectId)}>
          <CopyKey projectId={projectId} server={server} onCopied={() => setCopied(true)} />
        </Step>
        <Step name="channels" isDone={on && count > 0} to={paths.channels(projectId)} values={{ count }} />
        <Step name="tariff" isDone={fits} to={paths.tariffs(projectId)} values={{ count, max: max ?? 0 }} />
      </ol>
    </Card>
  )
}

interface StepProps {
  /** Its texts are below `home:step`. */
  readonly name: string
  /** Undefined while it is not known. */
  readonly isDone: boolean | undefined
  readonly to: string
  readonly values?: Readonly<Record<string, number | string>>
  readonly children?: ReactNode
}

function Step({ name, isDone, to, values = {}, children }: StepProps) {
  const { t } = useTranslation('home', { keyPrefix: 'step' })
  return (
    <li data-done={isDone || undefined}>
      {isDone ? <IconCircleCheck size={24} aria-hidden /> : <IconCircleDashed size={24} aria-hidden />}
      <div className={styles.step}>
        <span className={styles.words}>
          {isDone !== undefined && <span className="visually-hidden">{t(isDone ? 'done' : 'open')}: </span>}
          {t(`${name}.${isDone === undefined ? 'unknown' : isDone ? 'done' : 'open'}`, values)}
        </span>
        {children}
        <Link to={to}>{t(`${name}.link`)}</Link>
      </div>
    </li>
  )
}
