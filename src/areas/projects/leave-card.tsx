import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { members as operations } from '#contract/areas/projects/members.ts'
import type { ProjectInfo } from '#contract/areas/projects/projects.ts'
import { accessTypes } from '#contract/entities/roles.ts'
import { useWrite } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { forgetProject } from '#src/stores/selected-project.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { nameOf } from './person.tsx'
import { Refusal } from './refusal.tsx'
import type { Member } from './use-team.ts'

interface Props {
  readonly info: ProjectInfo
  readonly members: readonly Member[]
}

/** Button to leave the project, or the reason why leaving is not possible. */
export function LeaveCard({ info, members }: Props) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const { project_id, type } = info.data
  const leave = useWrite(operations.leave, {
    onSuccess: () => {
      forgetProject(project_id)
      void navigate(paths.root(), { replace: true })
    },
  })
  const isOwner = info.access.access_type === accessTypes.owner
  const owners = members.filter(({ access_type }) => access_type === accessTypes.owner).length
  const bound = isOwner && (type === 0 ? 'personal' : owners < 2 ? 'last' : null)
  return (
    <Card
      look="quiet"
      title={t('leave.title')}
      note={t(`leave.${bound || 'text'}`)}
      actions={
        !bound && (
          <Button look="outline" onClick={() => setAsking(true)}>
            {t('leave.button')}
          </Button>
        )
      }
    >
      {isAsking && (
        <ConfirmDialog
          title={t('leave.ask', { name: nameOf(info.data) })}
          confirm={t('leave.button')}
          keep={t('cancel')}
          isDanger
          isBusy={leave.isPending}
          problem={leave.error && <Refusal error={leave.error} />}
          onConfirm={() => leave.mutate({ project_id })}
          onClose={() => setAsking(false)}
        >
          <p>{t('leave.text')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
