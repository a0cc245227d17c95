import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiTokenDays, apiTokens } from '#contract/areas/account/api-tokens.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Output } from '#contract/core/operation.ts'
import type { Scope } from '#contract/core/scopes.ts'
import { q } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { ScopeChoice } from './scopes.tsx'

/** Lifetimes to choose from, days. */
const lifetimes = [7, 30, apiTokenDays.usual, 180, apiTokenDays.max]

interface Props {
  readonly onCreated: (created: Output<typeof apiTokens.create>) => void
  readonly onClose: () => void
}

/** Dialog for a new API token: name, project, lifetime and scopes. */
export function CreateApiToken({ onCreated, onClose }: Props) {
  const { t } = useTranslation('account', { keyPrefix: 'tokens' })
  const why = useFailureText('account')
  const list = useQuery({ ...q(projects.list, { limit: 100 }), staleTime: 60_000 })
  const form = useWriteForm({
    op: apiTokens.create,
    area: 'account',
    values: { name: '', project_id: '', days: String(apiTokenDays.usual), scopes: noScopes },
    inputOf: ({ name, project_id, days, scopes }) => ({
      name: name.trim(),
      days: Number(days),
      scopes: project_id === '' ? [...scopes] : scopes.filter((scope) => !scope.startsWith('operator:')),
      ...(project_id !== '' && { project_id: Number(project_id) }),
    }),
    messages: { name: t('nameMissing'), scopes: t('scopesMissing') },
    onSuccess: onCreated,
  })
  const rows = list.data?.results ?? []
  const { value, error, onChange } = form.field('scopes')
  const isForProject = form.field('project_id').value !== ''
  return (
    <Dialog title={t('createTitle')} onClose={onClose}>
      <DialogForm
        onSubmit={form.submit}
        onClose={onClose}
        problem={form.problem && why(form.problem)}
        cancel={t('cancel')}
        submit={t('createButton')}
        isBusy={form.isBusy}
      >
        <TextField label={t('name')} hint={t('nameHint')} maxLength={100} {...form.field('name')} />
        <SelectField
          label={t('project')}
          choices={[
            { value: '', label: t('allProjects') },
            ...rows.map(({ project_id, project: { name, fename } }) => ({
              value: String(project_id),
              label: [name, fename].filter(Boolean).join(' '),
            })),
          ]}
          {...form.field('project_id')}
        />
        <SelectField
          label={t('days')}
          choices={lifetimes.map((days) => ({ value: String(days), label: t('dayCount', { count: days }) }))}
          {...form.field('days')}
        />
        <ScopeChoice label={t('scopes')} value={value} error={error} isForProject={isForProject} onChange={onChange} />
      </DialogForm>
    </Dialog>
  )
}

const noScopes: readonly Scope[] = []
