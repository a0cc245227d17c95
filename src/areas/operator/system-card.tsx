import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SystemHealth } from '#contract/areas/operator/health.ts'
import type { CheckState } from '#contract/entities/operator.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { formatBytes } from '#src/lib/format-bytes.ts'
import { formatNumber, formatRelative } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { useNow } from '#src/lib/use-now.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'

const tones: Readonly<Record<CheckState, Tone>> = { good: 'ok', warn: 'warn', bad: 'warn', unknown: 'neutral' }

interface CheckProps {
  readonly title: string
  readonly state: CheckState
  /** Figures of the check. */
  readonly children: ReactNode
  /** What to do where the state is not good. */
  readonly remedy?: string | undefined
}

function Check({ title, state, children, remedy }: CheckProps) {
  const { t } = useTranslation('operator')
  return (
    <Row title={title} about={children} actions={<Badge tone={tones[state]}>{t(`system.state.${state}`)}</Badge>}>
      {state !== 'good' && remedy !== undefined && (
        <Note tone={state === 'unknown' ? 'neutral' : 'warn'}>{remedy}</Note>
      )}
    </Row>
  )
}

/**
 * Disks, memory, relays, ffmpeg, mail, database, backup and jobs with their states and remedies; version and uptime.
 * @param failing number of failing jobs
 */
export function SystemCard({ system, failing }: { readonly system: SystemHealth; readonly failing: number }) {
  const { t } = useTranslation(['operator', 'servers'])
  const language = useLanguage()
  const now = useNow()
  const { disks, memory, mail, database, backup, version, date_start } = system
  const bytes = (count: number) => formatBytes(count, language)
  const stamp = (date: string | null) => (date === null ? t('health.never') : <DateStamp iso={date} />)
  const { colon } = usePunctuation()
  return (
    <Card
      title={t('system.title')}
      note={t('system.note', { version, since: formatRelative(date_start, now, language) })}
    >
      <RowList label={t('system.title')}>
        {disks.map(({ of, state, free, total }) => (
          <Check key={of} title={t(`system.disk.${of}`)} state={state} remedy={t('system.disk.remedy')}>
            {t('system.free', { free: bytes(free), total: bytes(total) })}
          </Check>
        ))}
        <Check title={t('system.memory.title')} state={memory.state} remedy={t('system.memory.remedy')}>
          {t('system.free', { free: bytes(memory.free), total: bytes(memory.total) })} ·{' '}
          {t('system.memory.used', { used: bytes(memory.used) })}
        </Check>
        <RelayChecks relays={system.relays} />
        <Check
          title={t('system.mail.title')}
          state={mail.state}
          remedy={t(`system.mail.${!mail.configured ? 'off' : mail.state === 'bad' ? 'bad' : 'unknown'}`, {
            failure: mail.failure ?? '',
          })}
        >
          {mail.configured ? (
            <>
              {t('system.mail.sent') + colon}
              {stamp(mail.date_sent)} · {t('system.mail.failed') + colon}
              {stamp(mail.date_failure)}
            </>
          ) : (
            t('system.mail.none')
          )}
        </Check>
        <Check title={t('system.database.title')} state={database.state} remedy={t('system.database.remedy')}>
          {[
            t(`system.database.${database.kind}`),
            bytes(database.size),
            t('system.database.schema', { name: database.schema }),
            t('system.database.ms', { ms: database.ms }),
          ].join(' · ')}
        </Check>
        <Check
          title={t('system.backup.title')}
          state={backup.state}
          remedy={t(`system.backup.${backup.state === 'bad' ? 'old' : 'none'}`)}
        >
          {t('system.backup.last') + colon}
          {stamp(backup.date)}
        </Check>
        <Check
          title={t('system.drill.title')}
          state={backup.drill}
          remedy={t(`system.drill.${backup.drill === 'warn' ? 'warn' : 'unknown'}`)}
        >
          {t('system.backup.last') + colon}
          {stamp(backup.date_drill)}
        </Check>
        <Check title={t('jobs.title')} state={failing === 0 ? 'good' : 'bad'}>
          {formatNumber(failing, language)}
        </Check>
      </RowList>
    </Card>
  )
}

/** Relays with their last report, and their ffmpeg. */
function RelayChecks({ relays: { state, ffmpeg, reason, ports, list } }: Pick<SystemHealth, 'relays'>) {
  const { t } = useTranslation(['operator', 'servers'])
  const { colon, list: comma, stop } = usePunctuation()
  const trouble = list.find(({ connected, full }) => !connected || full)
  const cause = trouble ? (trouble.connected ? 'full' : 'silent') : (reason ?? 'none_reported')
  const without = list.filter((each) => each.ffmpeg === null).map(({ name }) => name)
  return (
    <>
      <Check
        title={t('system.relays.title')}
        state={state}
        remedy={[
          t(`servers:${cause}.title`, { name: trouble?.name ?? '', ports: ports.join(comma) }),
          t(`servers:${cause}.remedy`),
        ].join(stop)}
      >
        {list.length === 0
          ? t('system.relays.none')
          : list.map(({ name, connected, full, date_report }) => (
              <div key={name}>
                {[
                  name,
                  t(`system.relays.${connected ? 'connected' : 'silent'}`),
                  t(`system.relays.${full ? 'full' : 'room'}`),
                ].join(' · ')}{' '}
                · {t('system.relays.report') + colon}
                <DateStamp iso={date_report} />
              </div>
            ))}
      </Check>
      <Check
        title={t('system.ffmpeg.title')}
        state={ffmpeg}
        remedy={
          ffmpeg === 'unknown'
            ? t('system.ffmpeg.unknown')
            : [t('servers:no_ffmpeg.title', { name: without.join(comma) }), t('servers:no_ffmpeg.remedy')].join(stop)
        }
      >
        {list.map(({ name, ffmpeg: found }) => `${name}${colon}${found ?? t('system.ffmpeg.none')}`).join(' · ')}
      </Check>
    </>
  )
}
