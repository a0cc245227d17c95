import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { Page } from '#src/ui/page.tsx'

/** There is no such page. */
export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('errors.notFound.title')} intro={t('errors.notFound.text')}>
      <div>
        <Button component={Link} to={paths.root()} variant="default">
          {t('errors.home')}
        </Button>
      </div>
    </Page>
  )
}
