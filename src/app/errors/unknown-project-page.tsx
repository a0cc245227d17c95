import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { forgetProject } from '#src/stores/selected-project.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Page } from '#src/ui/page.tsx'

/** The project in the address is none of the person's, or no longer. */
export function UnknownProjectPage({ projectId, wasMember }: { projectId: string; wasMember: boolean }) {
  const { t } = useTranslation()
  const key = wasMember ? 'formerProject' : 'unknownProject'
  // Otherwise `/` would lead here again.
  useEffect(() => forgetProject(Number(projectId)), [projectId])
  return (
    <Page title={t(`errors.${key}.title`)} intro={t(`errors.${key}.text`, { id: projectId })}>
      <div>
        <Link to={paths.root()} className={buttonClass('outline')}>
          {t('errors.home')}
        </Link>
      </div>
    </Page>
  )
}
