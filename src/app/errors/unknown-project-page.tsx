import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { forgetProject } from '#src/stores/selected-project.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Page } from '#src/ui/page.tsx'

/** Page for a project that the user is not, or no longer, a member of. */
export function UnknownProjectPage({ projectId, wasMember }: { projectId: string; wasMember: boolean }) {
  const { t } = useTranslation()
  const key = wasMember ? 'formerProject' : 'unknownProject'
  // Otherwise `/` would redirect here again.
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
