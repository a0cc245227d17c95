import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Page } from '#src/ui/page.tsx'

/** Page for an unknown path. */
export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('errors.notFound.title')} intro={t('errors.notFound.text')}>
      <div>
        <Link to={paths.root()} className={buttonClass('outline')}>
          {t('errors.home')}
        </Link>
      </div>
    </Page>
  )
}
