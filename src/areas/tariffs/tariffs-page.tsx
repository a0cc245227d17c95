import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { TabLinks } from '#src/components/tab-links.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths, productLines } from '#src/lib/paths.ts'
import { useAbsentPages } from '#src/stores/absent.ts'
import { Page } from '#src/ui/page.tsx'
import { AddOnLine } from './add-ons/add-on-line.tsx'
import { EverythingPart } from './slots/everything-part.tsx'
import { RestreamLine } from './restream-line.tsx'

/** Plans of a project, one tab for each product line. */
export function TariffsPage() {
  const { t } = useTranslation('tariffs')
  const params = useParams()
  const projectId = Number(params['projectId'])
  const { hasPlans } = useInstallation()
  const line = productLines.find((name) => name === params['line']) ?? 'restream'
  const absent = useAbsentPages()
  const tabs = productLines
    .filter((name) => !absent.has(name))
    .map((name) => ({
      to: paths.tariffs(projectId, name === 'restream' ? undefined : name),
      text: t(`line.${name}`),
    }))
  if (!hasPlans) {
    return (
      <Page title={t('title')}>
        <EverythingPart projectId={projectId} />
      </Page>
    )
  }
  return (
    <Page title={t('title')}>
      {tabs.length > 1 && <TabLinks label={t('title')} tabs={tabs} />}
      {line === 'restream' ? (
        <RestreamLine key={projectId} projectId={projectId} />
      ) : (
        <AddOnLine key={`${projectId} ${line}`} projectId={projectId} line={line} />
      )}
      <HelpLinkLater article="plans/periods" />
    </Page>
  )
}
