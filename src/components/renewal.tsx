import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { projects } from '#contract/areas/projects/projects.ts'
import { type Renewal, renewals } from '#contract/areas/billing/renewals.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { roleCan } from '#contract/entities/roles.ts'
import type { LineName } from '#contract/entities/plan.ts'
import { q, useWrite } from '#src/api/query.ts'
import { formatDateTime, formatMoney } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { useFailureText } from './failure.tsx'
import styles from './renewal.module.css'

const lines = { restream, transcoding, storage } as const

/** Switch of the automatic renewal of a line, for owners of a project with a bought plan; what the renewal will do. */
export function RenewalPart({ projectId, line }: { readonly projectId: number; readonly line: LineName }) {
  const { t } = useTranslation('renewal')
  const info = useQuery(q(projects.info, { project_id: projectId }))
  const isOwner = info.data !== undefined && roleCan(info.data.access.access_type, 'owner')
  const list = useQuery({ ...q(renewals.list, { project_id: projectId }), enabled: isOwner })
  const row = list.data?.results.find((one) => one.line === line)
  if (info.isPending || (isOwner && list.isPending))
    return (
      <div className={styles.part}>
        <Skeleton height={24} width={200} />
        <Skeleton height={42} />
      </div>
    )
  if (!row) return null
  return (
    <div className={styles.part}>
      <RenewalSwitch projectId={projectId} row={row} label={t('switchShort')} />
      <RenewalText row={row} />
    </div>
  )
}

interface SwitchProps {
  readonly projectId: number
  readonly row: Renewal
  readonly label: string
  readonly isLabelHidden?: boolean
}

/** Switch of the automatic renewal of a line. */
export function RenewalSwitch({ projectId, row: { line, enabled }, label, isLabelHidden }: SwitchProps) {
  const why = useFailureText()
  const change = useWrite(lines[line].prolongation)
  return (
    <>
      <Switch
        label={label}
        {...(isLabelHidden && { isLabelHidden })}
        isOn={change.isPending ? change.variables.enabled : enabled}
        isBusy={change.isPending}
        onChange={(isOn) => change.mutate({ project_id: projectId, enabled: isOn })}
      />
      {change.error && <Note tone="live">{why(change.error)}</Note>}
    </>
  )
}

/** What the renewal of a plan will do: date, amount, source of the money; why the last try failed; what prevents the next one. */
export function RenewalText({ row }: { readonly row: Renewal }) {
  const { t, i18n } = useTranslation('renewal')
  const { gap } = usePunctuation()
  const language = useLanguage()
  const { enabled, amount, currency, reason, obstacle, from_balance, missing, charge, method, date_next } = row
  const money = (minor: number) => formatMoney(minor, currency, language)
  const date = (iso: string) => formatDateTime(iso, language)
  const end = date(row.date_end)
  if (!enabled) return <p className={styles.text}>{t('off', { end })}</p>
  const isKnown = reason !== null && i18n.exists(`renewal:reason.${reason}`)
  const failure = reason === null ? null : isKnown ? t(`reason.${reason}`) : t('reason.other', { reason })
  if (amount === null || date_next === null) {
    return <Note tone="warn">{[failure, t('stopped', { end })].filter(Boolean).join(gap)}</Note>
  }
  const values = {
    date: date(date_next),
    end,
    amount: money(amount),
    balance: money(from_balance),
    missing: money(missing),
    charge: money(charge),
    method,
  }
  if (obstacle !== null)
    return <Note tone="warn">{[t(`obstacle.${obstacle}`, values), t('ends', values)].join(gap)}</Note>
  const source = missing === 0 ? 'fromBalance' : from_balance === 0 ? 'fromMethod' : 'fromBoth'
  const plan = [t(source, values), ...(charge > missing ? [t('minimum', values)] : [])].join(gap)
  if (failure === null) return <p className={styles.text}>{plan}</p>
  return <Note tone="warn">{[failure, plan].join(gap)}</Note>
}
