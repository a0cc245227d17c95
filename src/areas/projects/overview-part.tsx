import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { type ProjectInfo, projectNameMax, projects } from '#contract/areas/projects/projects.ts'
import { roleCan, roleOf } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { Deferred } from '#src/components/deferred.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { AppsCard } from './apps-card.tsx'
import { FactorCard } from './factor-card.tsx'
import { LimitsCard } from './limits-card.tsx'
import { nameOf } from './person.tsx'
import styles from './projects.module.css'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { paths } from '#src/lib/paths.ts'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { Refusal } from './refusal.tsx'

const purses = ['bonus', 'payment', 'profit'] as const

/** Facts of a project: name, type, own role, plan and balances. */
function Facts({ info }: { info: ProjectInfo }) {
  const { t } = useTranslation('projects')
  const { hasPlans } = useInstallation()
  const { data, restream, access } = info
  const end = restream.plan2user.date_end
  return (
    <FactList>
      <Fact name={t('facts.name')}>{[data.name, data.fename].filter(Boolean).join(' ')}</Fact>
      <Fact name={t('facts.type')}>{t(`type.${data.type}`)}</Fact>
      <Fact name={t('facts.role')}>{t(`role.${roleOf(access.access_type)}`)}</Fact>
      {hasPlans && (
        <Fact name={t('facts.plan')}>
          <Link to={paths.tariffs(data.project_id)}>{restream.data.title}</Link>
        </Fact>
      )}
      {hasPlans && end !== null && (
        <Fact name={t('facts.planEnd')}>
          <DateStamp iso={end} />
        </Fact>
      )}
      {(hasPlans ? purses : []).map((purse) => (
        <Fact key={purse} name={t(`purse.${purse}`)}>
          <MoneyAmount amountMinor={data[`balance_${purse}`]} currency={data.currency} />
        </Fact>
      ))}
      <Fact name={t('facts.number')}>
        <code>{data.project_id}</code>
      </Fact>
      <Fact name={t('facts.externalId')}>
        <code>{data.external_id}</code>
      </Fact>
    </FactList>
  )
}

/** Facts of the project; owners can rename it. */
export function OverviewPart() {
  const { t } = useTranslation('projects')
  const projectId = Number(useParams()['projectId'])
  const info = useQuery(q(projects.info, { project_id: projectId }))
  const { hasPlans } = useInstallation()
  const [isRenaming, setRenaming] = useState(false)
  return (
    <div className={styles.part}>
      <QueryPart query={info} failed={t('facts.failed')} skeleton={<Skeleton height={640} />}>
        {(data) => {
          const isOwner = roleCan(data.access.access_type, 'owner')
          return (
            <>
              <Card
                title={t('facts.title')}
                actions={
                  isOwner && (
                    <Button look="outline" onClick={() => setRenaming(true)}>
                      {t('rename.button')}
                    </Button>
                  )
                }
              >
                <Facts info={data} />
              </Card>
              {!hasPlans && <LimitsCard projectId={projectId} />}
              {isOwner && <FactorCard projectId={projectId} />}
              {isOwner && (
                <Deferred room={<Skeleton height={160} />}>
                  <AppsCard projectId={projectId} />
                </Deferred>
              )}
              {isRenaming && (
                <RenameDialog projectId={projectId} name={nameOf(data.data)} onClose={() => setRenaming(false)} />
              )}
            </>
          )
        }}
      </QueryPart>
    </div>
  )
}

interface RenameDialogProps {
  readonly projectId: number
  readonly name: string
  readonly onClose: () => void
}

/** Dialog that renames a project. */
function RenameDialog({ projectId, name, onClose }: RenameDialogProps) {
  const { t } = useTranslation('projects')
  const form = useWriteForm({
    op: projects.update,
    area: 'projects',
    values: { name },
    inputOf: (values) => ({ project_id: projectId, name: values.name.trim() }),
    onSuccess: onClose,
  })
  const wanted = form.values.name.trim()
  return (
    <Dialog title={t('rename.title')} onClose={onClose}>
      <DialogForm
        problem={form.problem && <Refusal error={form.problem} />}
        cancel={t('cancel')}
        submit={t('rename.save')}
        isBusy={form.isBusy}
        isOff={wanted === '' || wanted === name}
        onSubmit={form.submit}
        onClose={onClose}
      >
        <TextField label={t('rename.name')} limit={projectNameMax} {...form.field('name')} />
      </DialogForm>
    </Dialog>
  )
}
