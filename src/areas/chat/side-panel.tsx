import { IconX } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { IconButton } from '#src/ui/button.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './chat.module.css'
import type { ChatContent } from './chat-panel.tsx'
import { type Panel, panels } from './chat-view.ts'

const PeoplePart = lazy(async () => ({ default: (await import('./people-part.tsx')).PeoplePart }))
const LogPart = lazy(() => import('./log-part.tsx'))
const SettingsPart = lazy(() => import('./settings-part.tsx'))
const KeysPart = lazy(() => import('./keys-part.tsx'))
const WidgetsPart = lazy(() => import('./widgets-part.tsx'))
/** Panels of editors. */
const ofEditors: readonly Panel[] = ['keys', 'settings', 'widgets']

/** Article of the handbook about each panel. */
const articles = {
  '': 'chat/all-platforms',
  people: 'chat/moderation',
  log: 'chat/moderation',
  settings: 'chat/moderation',
  keys: 'chat/overlay',
  widgets: 'chat/widgets',
} as const satisfies Readonly<Record<Panel | '', string>>

interface Props {
  readonly projectId: number
  readonly broadcastId: number | null
  readonly rows: readonly ChatCapability[]
  readonly panel: Panel | ''
  readonly person: ChatMessage | null
  readonly content: ChatContent
  readonly titleOf: (platform: string) => string
  readonly onPerson: (message: ChatMessage | null) => void
  readonly onPanel: (panel: Panel | '') => void
}

/** People, moderation log, settings, keys and widgets beside the list. */
export function SidePanel(props: Props) {
  const { projectId, broadcastId, panel, person, content, titleOf, onPerson, onPanel } = props
  const { t } = useTranslation('chat', { keyPrefix: 'side' })
  const mayEdit = useMayEdit(projectId)
  const aside = useRef<HTMLElement>(null)
  // On a phone the panel is below the list.
  useEffect(() => {
    if (person) aside.current?.scrollIntoView({ block: 'nearest' })
  }, [person])
  const shown = panels.filter((one) => mayEdit || !ofEditors.includes(one))
  return (
    <aside ref={aside} className={styles.side} aria-label={t('title')}>
      <div className={styles.tabs} role="group" aria-label={t('title')}>
        {shown.map((one) => (
          <button
            key={one}
            type="button"
            className={styles.tab}
            aria-pressed={one === panel}
            onClick={() => onPanel(one === panel ? '' : one)}
          >
            {t(one)}
          </button>
        ))}
        {panel !== '' && (
          <IconButton label={t('close')} onClick={() => onPanel('')}>
            <IconX size={18} aria-hidden />
          </IconButton>
        )}
      </div>
      {panel !== '' && (
        <div className={styles.sideBody}>
          <Suspense fallback={<Skeleton height={200} />}>
            {panel === 'people' && <PeoplePart {...{ projectId, person, content, titleOf, mayEdit, onPerson }} />}
            {panel === 'log' && broadcastId !== null && <LogPart {...{ projectId, broadcastId }} />}
            {panel === 'log' && broadcastId === null && <p className={styles.quiet}>{t('noBroadcast')}</p>}
            {panel === 'settings' && mayEdit && <SettingsPart projectId={projectId} />}
            {panel === 'keys' && mayEdit && <KeysPart projectId={projectId} />}
            {panel === 'widgets' && mayEdit && <WidgetsPart projectId={projectId} />}
          </Suspense>
        </div>
      )}
      <HelpLinkLater article={articles[panel]} />
    </aside>
  )
}
