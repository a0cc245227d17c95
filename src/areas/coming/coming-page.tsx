import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { NotServed } from '#src/components/not-served.tsx'
import { TabLinks } from '#src/components/tab-links.tsx'
import { Page } from '#src/ui/page.tsx'
import { type ComingPage as Row, type ComingTab, tabTo, textsOf } from './pages.ts'

/** Page for operations that are not served yet, built from its table row. */
export function ComingPage({ page, tab }: { page: Row; tab: ComingTab }) {
  const { t } = useTranslation('coming')
  const { projectId = '' } = useParams()
  const texts = textsOf(page.key, tab)
  const tabs = page.tabs.map((one) => ({
    to: tabTo(page, one, projectId),
    text: t(`${textsOf(page.key, one)}.title`),
  }))
  return (
    <Page title={t(`${page.key}.title`)} intro={t(`${page.key}.intro`)}>
      {tabs.length > 1 && <TabLinks label={t(`${page.key}.title`)} tabs={tabs} />}
      <NotServed title={t(tabs.length > 1 ? `${texts}.title` : 'what')} text={t(`${texts}.text`)} groups={tab.groups} />
    </Page>
  )
}
