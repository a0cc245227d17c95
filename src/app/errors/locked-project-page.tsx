import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { LeaveProject } from '#src/areas/projects/leave-project.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { paths } from '#src/lib/paths.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Page } from '#src/ui/page.tsx'

interface Props {
  readonly projectId: number
  /** Name of the project. */
  readonly name: string
  /** Owners of a personal project stay in it. */
  readonly mayLeave: boolean
}

/** Page in place of those of a project that demands a second factor which the user lacks. */
export default function LockedProjectPage({ projectId, name, mayLeave }: Props) {
  const { t } = useTranslation('projects')
  return (
    <Page title={t('locked.title')} intro={t('locked.intro', { name })}>
      <Card title={t('locked.missing')} note={t('locked.text')}>
        <div>
          <Link to={paths.account('security')} className={buttonClass()}>
            {t('locked.setUp')}
          </Link>
        </div>
        <HelpLinkLater article="team/second-factor" />
      </Card>
      {mayLeave && (
        <Card
          look="quiet"
          title={t('locked.leave')}
          note={t('leave.text')}
          actions={<LeaveProject projectId={projectId} name={name} />}
        />
      )}
    </Page>
  )
}
