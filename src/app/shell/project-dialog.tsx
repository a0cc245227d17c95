import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useStore } from 'zustand'
import { projects } from '#contract/areas/projects/projects.ts'
import { roleOf } from '#contract/entities/roles.ts'
import type { Output } from '#contract/core/operation.ts'
import { useWrite } from '#src/api/query.ts'
import { isEnter } from '#src/lib/keys.ts'
import { paths } from '#src/lib/paths.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { recentProjects } from '#src/stores/selected-project.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { nameOf } from './project-name.ts'
import styles from './project-switcher.module.css'

interface Props {
  readonly rows: Output<typeof projects.list>['results']
  readonly current: number
  readonly onClose: () => void
  readonly onCreate: () => void
}

/** All projects of the user, recent ones first, with a search by name. */
export default function ProjectDialog({ rows, current, onClose, onCreate }: Props) {
  const { t } = useTranslation()
  const { comma } = usePunctuation()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const select = useWrite(projects.select)
  const [wanted, setWanted] = useState('')
  const { recent } = useStore(recentProjects)
  const rank = (id: number) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
  const shown = rows
    .filter(({ project }) => nameOf(project).toLowerCase().includes(wanted.trim().toLowerCase()))
    .toSorted((one, other) => rank(one.project_id) - rank(other.project_id))

  const open = (id: number) => {
    onClose()
    // The service stores it as the last one; the page does not wait for that.
    select.mutate({ id })
    void navigate(paths.home(id) + pageOf(pathname))
  }

  return (
    <Dialog title={t('project.choose')} onClose={onClose}>
      <input
        type="search"
        className={styles.search}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={(event) => isEnter(event) && shown[0] && open(shown[0].project_id)}
        placeholder={t('project.search')}
        aria-label={t('project.search')}
      />
      <ul className={styles.list}>
        {shown.map(({ project_id, project, access_type, member_count }) => (
          <li key={project_id}>
            <button
              type="button"
              className={styles.row}
              aria-current={project_id === current || undefined}
              onClick={() => open(project_id)}
            >
              <span>{nameOf(project)}</span>
              <span className={styles.fact}>
                {t(`role.${roleOf(access_type)}`)}
                {comma}
                {t('project.members', { count: member_count })}
              </span>
            </button>
          </li>
        ))}
        {shown.length === 0 && <li className={styles.fact}>{t('project.none')}</li>}
      </ul>
      <Button look="outline" onClick={onCreate}>
        <IconPlus size={17} aria-hidden />
        {t('project.create.button')}
      </Button>
    </Dialog>
  )
}

/** The same page in another project. Pages of one broadcast or channel open their list. */
const pageOf = (pathname: string): string => /^\/p\/[^/]+((?:\/[a-z-]+)*)/.exec(pathname)?.[1] ?? ''
