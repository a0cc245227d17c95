import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { members } from '#contract/areas/projects/members.ts'
import { useWrite } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { forgetProject } from '#src/stores/selected-project.ts'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Refusal } from './refusal.tsx'

interface Props {
  readonly projectId: number
  /** Name of the project. */
  readonly name: string
}

/** Button that leaves a project, after a question. */
export function LeaveProject({ projectId, name }: Props) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const leave = useWrite(members.leave, {
    onSuccess: () => {
      forgetProject(projectId)
      void navigate(paths.root(), { replace: true })
    },
  })
  return (
    <>
      <Button look="outline" onClick={() => setAsking(true)}>
        {t('leave.button')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('leave.ask', { name })}
          confirm={t('leave.button')}
          keep={t('cancel')}
          isDanger
          isBusy={leave.isPending}
          problem={leave.error && <Refusal error={leave.error} />}
          onConfirm={() => leave.mutate({ project_id: projectId })}
          onClose={() => setAsking(false)}
        >
          <p>{t('leave.text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
