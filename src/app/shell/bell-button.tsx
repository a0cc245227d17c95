import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSettled } from '#src/api/settled.ts'
import { paths } from '#src/lib/paths.ts'
import { useAbsentPages } from '#src/stores/absent.ts'
import { iconButtonClass } from '#src/ui/button.tsx'

const Bell = lazy(() => import('./bell.tsx'))

/** Bell of the header: a link until the first view is complete, then the count and the panel of notifications. */
export function BellButton({ projectId }: { readonly projectId: number | string }) {
  const { t } = useTranslation()
  const isSettled = useSettled()
  const isAbsent = useAbsentPages().has('notifications')
  const label = t('nav.notifications')
  const link = (
    <Link to={paths.notifications(projectId)} className={iconButtonClass} title={label} aria-label={label}>
      <IconBell size={19} stroke={1.7} aria-hidden />
    </Link>
  )
  if (isAbsent) return null
  return isSettled ? (
    <Suspense fallback={link}>
      <Bell projectId={projectId} />
    </Suspense>
  ) : (
    link
  )
}
