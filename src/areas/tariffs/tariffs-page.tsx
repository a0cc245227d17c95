import { Navigate, useParams } from 'react-router'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { PlansPage } from '#src/components/plans-page.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths, productLines } from '#src/lib/paths.ts'
import { AddOnLine } from './add-ons/add-on-line.tsx'
import { RestreamLine } from './restream-line.tsx'

/** Plans of a project, one tab for each product line. */
export function TariffsPage() {
  const params = useParams()
  const projectId = Number(params['projectId'])
  const { hasPlans } = useInstallation()
  const line = productLines.find((name) => name === params['line']) ?? 'restream'
  if (!hasPlans) return <Navigate to={paths.project(projectId)} replace />
  return (
    <PlansPage projectId={projectId}>
      {line === 'restream' ? (
        <RestreamLine key={projectId} projectId={projectId} />
      ) : (
        <AddOnLine key={`${projectId} ${line}`} projectId={projectId} line={line} />
      )}
      <HelpLinkLater article="plans/periods" />
    </PlansPage>
  )
}
