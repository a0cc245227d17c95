import { IconAntennaBars5, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import type { Channel } from '#contract/entities/channel.ts'
import { q } from '#src/api/query.ts'
import { encoderAddress } from '#src/areas/ingest/addresses.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { paths } from '#src/lib/paths.ts'
import { formatList } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { CopyButton } from '#src/ui/copy-button.tsx'
import styles from './guide.module.css'
import { type GuideStep, guideStep } from './check-steps.ts'

interface Props {
  readonly projectId: number
  readonly mayEdit: boolean
  /** Channels of the project, and the number of all. */
  readonly channels: { readonly results: readonly Channel[]; readonly total: number }
  /** The best server; undefined where no server takes streams. */
  readonly server: IngestServer | undefined
}

/** First run: channel, encoder, stream, with one primary button at a time. A step is done only on evidence. */
export function Guide({ projectId, mayEdit, channels, server }: Props) {
  const { t } = useTranslation('off-air', { keyPrefix: 'guide' })
  const language = useLanguage()
  const [copied, setCopied] = useState<readonly ('address' | 'key')[]>([])
  const { data } = useQuery({ ...q(streamKeys.get, { project_id: projectId }), staleTime: 0 })
  const key = data && !data.masked ? data.key : undefined
  const address = key === undefined ? undefined : encoderAddress(server, 'rtmp', { projectId, key })?.server
  const isCopied = copied.includes('key') && (address === undefined || copied.includes('address'))
  const step = guideStep({ hasChannel: channels.total > 0, isCopied })
  const names = formatList(
    channels.results.map(({ name }) => name),
    language,
  )
  return (
    <Card title={t('title')} note={t('text')}>
      <ol className={styles.steps} aria-label={t('title')}>
        <GuideItem name="channel" step={step} about={channels.total > 0 ? names : undefined}>
          {mayEdit ? (
            <Link
              className={buttonClass('filled')}
              to={paths.channels(projectId, 'add')}
              state={{ isFirstRun: true } satisfies FirstRunState}
            >
              {t('channel.button')}
            </Link>
          ) : (
            <p className={styles.about}>{t('channel.ask')}</p>
          )}
        </GuideItem>
        <GuideItem name="encoder" step={step}>
          {key === undefined ? (
            <p className={styles.about}>{t('encoder.ask')}</p>
          ) : (
            <Values
              address={address}
              streamKey={key}
              copied={copied}
              onCopied={(what) => setCopied([...copied, what])}
            />
          )}
          <Link to={paths.ingest(projectId)}>{t('encoder.other')}</Link>
        </GuideItem>
        <GuideItem name="stream" step={step}>
          <p className={styles.waiting} role="status">
            <IconAntennaBars5 size={20} aria-hidden />
            {t('stream.waiting')}
          </p>
          <Link to={paths.ingest(projectId)}>{t('stream.again')}</Link>
        </GuideItem>
      </ol>
      <HelpLinkLater article="start/first-broadcast" />
    </Card>
  )
}

/** State of a navigation that begins at the guide: the page that adds a channel returns to it. */
export interface FirstRunState {
  readonly isFirstRun: true
}

interface GuideItemProps {
  readonly name: GuideStep
  /** The current step. */
  readonly step: GuideStep
  /** What makes the step done. */
  readonly about?: string | undefined
  readonly children: ReactNode
}

const order: readonly GuideStep[] = ['channel', 'encoder', 'stream']

/** One step: done, current with its action, or ahead with its title alone. */
function GuideItem({ name, step, about, children }: GuideItemProps) {
  const { t } = useTranslation('off-air', { keyPrefix: 'guide' })
  const { t: words } = useTranslation('off-air', { keyPrefix: 'step' })
  const isDone = order.indexOf(name) < order.indexOf(step)
  const isNow = name === step
  return (
    <li className={styles.item} data-now={isNow || undefined} aria-current={isNow ? 'step' : undefined}>
      {isDone ? (
        <IconCircleCheck size={28} aria-hidden className={styles.done} />
      ) : (
        <span className={styles.number} aria-hidden>
          {order.indexOf(name) + 1}
        </span>
      )}
      <div className={styles.words}>
        <h3 className={styles.title}>
          {isDone && <span className="visually-hidden">{words('done')}: </span>}
          {t(`${name}.title`)}
        </h3>
        {isDone && about && <p className={styles.about}>{about}</p>}
        {isNow && (
          <>
            <p className={styles.about}>{t(`${name}.text`)}</p>
            <div className={styles.acts}>{children}</div>
          </>
        )}
      </div>
    </li>
  )
}

interface ValuesProps {
  /** Undefined where no server takes streams. */
  readonly address: string | undefined
  readonly streamKey: string
  readonly copied: readonly ('address' | 'key')[]
  readonly onCopied: (what: 'address' | 'key') => void
}

/** Server address and stream key: the one that is not copied yet has the primary button. */
function Values({ address, streamKey, copied, onCopied }: ValuesProps) {
  const { t } = useTranslation('home', { keyPrefix: 'copy' })
  const next = address !== undefined && !copied.includes('address') ? 'address' : 'key'
  const words = (idle: string) => ({ idle, copied: t('copied'), refused: t('refused') })
  return (
    <>
      {address !== undefined && (
        <CopyButton
          text={address}
          words={words(t('address'))}
          look={next === 'address' ? 'filled' : 'outline'}
          onCopied={() => onCopied('address')}
        />
      )}
      <CopyButton
        text={streamKey}
        words={words(t('key'))}
        look={next === 'key' ? 'filled' : 'outline'}
        onCopied={() => onCopied('key')}
      />
    </>
  )
}
