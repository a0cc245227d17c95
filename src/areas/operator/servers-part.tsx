import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OperatorServer, servers } from '#contract/areas/operator/servers.ts'
import { q } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { ChangeDialog } from './change-dialog.tsx'

/** Servers report each 30 s, and at once when their drain changes; no event announces it. */
const refetchMs = 5_000
/** Deadlines of a drain that can be chosen, hours. */
const hours = [1, 4, 12, 24, 72]

const tones: Readonly<Record<OperatorServer['state'], Tone>> = {
  accepting: 'ok',
  full: 'warn',
  draining: 'accent',
  silent: 'warn',
}

type Act = 'drain' | 'move' | 'cancel'

/** Relay servers with what they carry; each can be drained before it is upgraded or switched off. */
export function ServersPart() {
  const { t } = useTranslation(['operator-desk', 'operator'])
  const query = useQuery({ ...q(servers.list, {}), refetchInterval: refetchMs })
  const [open, setOpen] = useState<{ readonly server: OperatorServer; readonly act: Act } | null>(null)
  return (
    <Card title={t('operator:servers.title')}>
      <p>{t('servers.intro')}</p>
      <QueryPart query={query} failed={t('servers.failed')} skeleton={<Skeleton height={240} />}>
        {({ results }) =>
          results.length === 0 ? (
            <EmptyState title={t('servers.none')}>
              <p>{t('servers.noneText')}</p>
            </EmptyState>
          ) : (
            <RowList label={t('operator:servers.title')}>
              {results.map((server) => (
                <ServerRow key={server.node} server={server} onOpen={(act) => setOpen({ server, act })} />
              ))}
            </RowList>
          )
        }
      </QueryPart>
      <HelpLinkLater article="server/graphics-cards" />
      {open && <ServerDialog {...open} onClose={() => setOpen(null)} />}
    </Card>
  )
}

function ServerRow({ server, onOpen }: { readonly server: OperatorServer; readonly onOpen: (act: Act) => void }) {
  const { t } = useTranslation('operator-desk')
  const { node, machine, city, release, state, can_drain, date_drain, broadcasts, date_oldest, date_report } = server
  const acts: readonly Act[] = !can_drain ? [] : date_drain === null ? ['drain'] : ['cancel', 'move']
  return (
    <Row
      name={node}
      title={`${node} · ${city}`}
      about={
        <>
          {machine !== node && `${t('servers.machine', { machine })} · `}
          {release !== null && `${t('servers.release', { release })} · `}
          {t('servers.broadcasts', { count: broadcasts })}
          {date_oldest !== null && (
            <>
              {`, ${t('servers.oldest')} `}
              <DateStamp iso={date_oldest} />
            </>
          )}
          {` · ${t('servers.load', server)} · ${t('servers.report')} `}
          <DateStamp iso={date_report} />
        </>
      }
      actions={
        <>
          <Badge tone={tones[state]}>{t(`servers.state.${state}`)}</Badge>
          {acts.map((act) => (
            <Button
              key={act}
              look="outline"
              aria-label={t(`servers.${act}Named`, { node })}
              onClick={() => onOpen(act)}
            >
              {t(`servers.${act}`)}
            </Button>
          ))}
        </>
      }
    >
      {date_drain !== null && (
        <p>
          {t('servers.until')} <DateStamp iso={date_drain} />
        </p>
      )}
      {!can_drain && state !== 'silent' && <p>{t('servers.tooOld')}</p>}
    </Row>
  )
}

/** Drains a server with a deadline, moves its broadcasts now, or cancels the drain. */
function ServerDialog({
  server: { node },
  act,
  onClose,
}: {
  readonly server: OperatorServer
  readonly act: Act
  readonly onClose: () => void
}) {
  const { t } = useTranslation('operator-desk')
  const common = { title: t(`servers.${act}Named`, { node }), confirm: t(`servers.${act}`), onClose }
  const text = <p>{t(`servers.${act}Text`)}</p>
  if (act === 'cancel')
    return (
      <ChangeDialog {...common} op={servers.cancel} values={{}} inputOf={() => ({ node })}>
        {() => text}
      </ChangeDialog>
    )
  if (act === 'move')
    return (
      <ChangeDialog {...common} op={servers.drain} values={{}} inputOf={() => ({ node, minutes: 0 })}>
        {() => text}
      </ChangeDialog>
    )
  return (
    <ChangeDialog
      {...common}
      op={servers.drain}
      values={{ minutes: '720' }}
      inputOf={({ minutes }) => ({ node, minutes: Number(minutes) })}
    >
      {({ field }) => (
        <>
          {text}
          <SelectField
            label={t('servers.after')}
            choices={hours.map((count) => ({ value: String(count * 60), label: t('servers.hours', { count }) }))}
            {...field('minutes')}
          />
        </>
      )}
    </ChangeDialog>
  )
}
