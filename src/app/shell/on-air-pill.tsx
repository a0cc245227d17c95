import { memo, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Elapsed } from '#src/areas/broadcasts/elapsed.tsx'
import { isLastKnown, useStatus } from '#src/areas/broadcasts/use-status.ts'
import { paths } from '#src/lib/paths.ts'
import { type Air, setAir } from '#src/stores/air.ts'
import { airOf } from './air-of.ts'
import styles from './on-air-pill.module.css'

const everyMs = 10_000

/** On-air state of the project with duration and health; nothing while unknown. */
export function OnAirPill({ projectId }: { readonly projectId: number | string }) {
  const status = useStatus(Number(projectId), everyMs)
  const { data } = status
  const air = data && !isLastKnown(status) ? airOf(data) : null
  useEffect(() => {
    setAir(air)
    return () => setAir(null)
  }, [air])
  if (!data || air === null) return null
  return (
    <Pill
      to={paths.home(projectId)}
      air={air}
      since={data.kind === 'live' && air !== 'lost' ? data.date_start : null}
    />
  )
}

interface PillProps {
  readonly to: string
  readonly air: Air
  /** Start of the broadcast; null while off air and while the encoder is disconnected. */
  readonly since: string | null
}

/** The status arrives each second; the values selected here seldom change. */
const Pill = memo(function Pill({ to, air, since }: PillProps) {
  const { t } = useTranslation()
  return (
    <Link to={to} className={styles.pill} data-state={air}>
      <span className={styles.dot} aria-hidden />
      {t(`onAir.${air}`)}
      {since !== null && (
        <span className={styles.time}>
          <Elapsed since={since} />
        </span>
      )}
    </Link>
  )
})
