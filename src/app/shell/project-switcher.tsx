import { IconSelector } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './project-switcher.module.css'
import { nameOf } from './project-name.ts'
import { useProjects } from './use-projects.ts'

const ProjectDialog = lazy(() => import('./project-dialog.tsx'))
const CreateProjectDialog = lazy(() => import('./create-project-dialog.tsx'))

/** Name of the current project; opens the list of projects. A server without a list of projects shows its number. */
export function ProjectSwitcher({ projectId }: { projectId: number | string }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'list' | 'create' | null>(null)
  const close = () => setOpen(null)
  const { data } = useProjects()
  const current = data?.results.find((row) => row.project_id === Number(projectId))
  const name = current ? nameOf(current.project) : t('project.number', { id: projectId })
  return (
    <>
      <button
        type="button"
        className={styles.button}
        onClick={() => setOpen('list')}
        aria-haspopup="dialog"
        aria-label={t('project.switch', { name })}
      >
        <span className={styles.name}>{name}</span>
        <IconSelector size={16} stroke={1.8} aria-hidden />
      </button>
      {open === 'list' && (
        <Suspense>
          <ProjectDialog
            rows={data?.results ?? []}
            current={Number(projectId)}
            onClose={close}
            onCreate={() => setOpen('create')}
          />
        </Suspense>
      )}
      {/* Its own boundary: with a shared one, the list stays hidden until this loads, and receives its close event. */}
      {open === 'create' && (
        <Suspense>
          <CreateProjectDialog current={Number(projectId)} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
