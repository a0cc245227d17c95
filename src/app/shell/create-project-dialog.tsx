import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { projectNameMax, projects } from '#contract/areas/projects/projects.ts'
import { currencyCodes, currencyOfLanguage } from '#contract/entities/currencies.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { currencyName } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './project-switcher.module.css'

interface Props {
  /** The project with the tariffs page that offers team projects. */
  readonly current: number
  readonly onClose: () => void
}

/** Creates a team project and opens it. */
export default function CreateProjectDialog({ current, onClose }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const language = useLanguage()
  const { hasPlans } = useInstallation()
  const form = useWriteForm({
    op: projects.create,
    values: { name: '', currency: currencyOfLanguage(language) },
    inputOf: ({ name, currency }) => ({ name: name.trim(), currency }),
    onSuccess: async ({ internal_id }) => {
      // The list must contain the project before the shell opens it.
      await queries.refetchQueries({ queryKey: projects.list.id.split('.') })
      onClose()
      await navigate(paths.home(internal_id))
    },
  })
  return (
    <Dialog title={t('project.create.title')} onClose={onClose}>
      <DialogForm
        problem={form.problem && <Why error={form.problem} current={current} onLeave={onClose} />}
        cancel={t('project.create.cancel')}
        submit={t('project.create.button')}
        isBusy={form.isBusy}
        isOff={form.values.name.trim() === ''}
        onSubmit={form.submit}
        onClose={onClose}
      >
        <p className={styles.fact}>{t('project.create.text')}</p>
        <TextField label={t('project.create.name')} limit={projectNameMax} {...form.field('name')} />
        {hasPlans && (
          <SelectField
            label={t('project.create.currency')}
            hint={t('project.create.currencyHint')}
            choices={currencyCodes.map((value) => ({
              value,
              label: `${currencyName(value, language)} (${value.toUpperCase()})`,
            }))}
            {...form.field('currency')}
          />
        )}
      </DialogForm>
    </Dialog>
  )
}

function Why({ error, current, onLeave }: { error: unknown; current: number; onLeave: () => void }) {
  const { t } = useTranslation()
  const failureText = useFailureText()
  const { name, data } = toApiError(error)
  if (name === 'TooManyProjects') return t('project.create.tooMany')
  const { plan_restream_id: plan, plan_title: title } = data
  if (name !== 'PlanLimitReached' || typeof plan !== 'number') return failureText(error)
  return (
    <>
      {t('project.create.needsPlan', { plan: String(title) })}{' '}
      <Link to={`${paths.tariffs(current)}?plan=${plan}`} onClick={onLeave}>
        {t('project.create.toPlans')}
      </Link>
    </>
  )
}
