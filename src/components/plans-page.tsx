import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { plansTabs } from '#src/lib/paths.ts'
import { useAbsentPages } from '#src/stores/absent.ts'
import { Page } from '#src/ui/page.tsx'
import { DebtNote } from './debt-note.tsx'
import { TabLinks } from './tab-links.tsx'

interface Props {
  readonly projectId: number | string
  readonly children: ReactNode
}

/** "Plans & billing": one title and one row of tabs for the lines of plans and the money of a project. */
export function PlansPage({ projectId, children }: Props) {
  const { t } = useTranslation()
  const absent = useAbsentPages()
  const tabs = plansTabs
    .filter(({ page }) => !absent.has(page))
    .map(({ key, to }) => ({ to: to(projectId), text: t(`plansTab.${key}`) }))
  return (
    <Page title={t('nav.plans')}>
      {tabs.length > 1 && <TabLinks label={t('nav.plans')} tabs={tabs} />}
      <DebtNote projectId={Number(projectId)} />
      {children}
    </Page>
  )
}
