import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { memo, useRef, useState } from 'react'
import styles from './bottom-bar.module.css'
import { type Entry, useCurrent, useNavigation } from './navigation.ts'

/** Navigation of a phone: four pages, and the others behind "More". */
export const BottomBar = memo(function BottomBar({ projectId }: { projectId: number | string }) {
  const { t } = useTranslation()
  const entries = useNavigation()
  const currentOf = useCurrent(projectId)
  const more = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  // The click closes it, not the new page: that may load late, when the user has opened the menu again.
  const close = () => more.current?.hidePopover()

  const link = (entry: Entry) => (
    <Link
      key={entry.key}
      to={entry.to(projectId)}
      className={styles.entry}
      aria-current={currentOf(entry)}
      onClick={close}
    >
      <entry.icon size={21} stroke={1.7} aria-hidden />
      <span>{t(`nav.${entry.key}`)}</span>
    </Link>
  )

  return (
    <nav className={styles.bar} aria-label={t('shell.navigation')}>
      {entries.filter((entry) => entry.onPhone).map(link)}
      <button type="button" className={styles.entry} popoverTarget="more-pages">
        <IconDots size={21} stroke={1.7} aria-hidden />
        <span>{t('shell.more')}</span>
      </button>
      <div
        id="more-pages"
        ref={more}
        popover="auto"
        className={styles.more}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && entries.filter((entry) => !entry.onPhone).map(link)}
      </div>
    </nav>
  )
})
