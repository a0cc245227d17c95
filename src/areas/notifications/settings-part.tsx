import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type Preferences, settings } from '#contract/areas/notifications/settings.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { DevicesCard } from './devices-card.tsx'
import { MatrixCard } from './matrix-card.tsx'
import styles from './notifications.module.css'
import { QuietForm } from './quiet-form.tsx'
import { TelegramCard } from './telegram-card.tsx'

/** Settings of the user: categories by channel in this project, and the user's Telegram, browsers and quiet hours. */
export function SettingsPart() {
  const { t } = useTranslation('notifications')
  const projectId = Number(useParams()['projectId'])
  const preferences = useQuery(q(settings.preferences, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={preferences} failed={t('settings.failed')} skeleton={<Skeleton height={420} />}>
        {(found) => <Parts projectId={projectId} preferences={found} />}
      </QueryPart>
    </div>
  )
}

function Parts({ projectId, preferences }: { readonly projectId: number; readonly preferences: Preferences }) {
  const { t } = useTranslation('notifications')
  const { ready, telegram, devices, quiet, push_key: pushKey } = preferences
  return (
    <>
      <MatrixCard projectId={projectId} ready={ready} />
      {ready.telegram && <TelegramCard link={telegram} />}
      {pushKey !== null && <DevicesCard devices={devices} pushKey={pushKey} />}
      <Card title={t('quiet.title')} note={t('quiet.note')}>
        <QuietForm quiet={quiet} />
      </Card>
    </>
  )
}
