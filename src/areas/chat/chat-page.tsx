import { IconExternalLink } from '@tabler/icons-react'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { writtenParams } from '#src/lib/page-params.ts'
import { paths } from '#src/lib/paths.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Page } from '#src/ui/page.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './chat.module.css'
import { ChatPanel } from './chat-panel.tsx'
import { ChatTools } from './chat-tools.tsx'
import { readView, type View, writeView } from './chat-view.ts'
import { useMember, useTitleOf } from './member.ts'
import { SidePanel } from './side-panel.tsx'
import { TestButton } from './test-button.tsx'
import { useCapabilities } from './use-chat.ts'

/** Chat of all platforms: the list, the composer, and a side panel. */
export function ChatPage() {
  const { t } = useTranslation('chat')
  const projectId = Number(useParams()['projectId'])
  const [params, setParams] = useSearchParams()
  const view = useMemo(() => readView(params), [params])
  const change = useCallback(
    (part: Partial<View>) =>
      setParams(writeView(readView(writtenParams()), part), { replace: true, preventScrollReset: true }),
    [setParams],
  )
  const by = useMember(projectId)
  const titleOf = useTitleOf()
  const caps = useCapabilities(by)
  // In one render with the list, which the button moves on phones.
  const shown = useDeferredValue(caps.data)
  const [person, setPerson] = useState<ChatMessage | null>(null)
  const showPerson = (message: ChatMessage) => {
    setPerson(message)
    change({ panel: 'people' })
  }
  return (
    <Page
      title={t('title')}
      intro={t('intro')}
      actions={
        <>
          {shown?.on_air && shown.may_write && <TestButton projectId={projectId} />}
          <a
            className={`${buttonClass('outline')} ${styles.wide}`}
            href={paths.chatPopout(projectId)}
            target="_blank"
            rel="noreferrer"
            onClick={(event) => openWindow(event, paths.chatPopout(projectId))}
          >
            <IconExternalLink size={17} aria-hidden /> {t('popout')}
          </a>
        </>
      }
    >
      <QueryPart query={caps} failed={t('failed')} skeleton={<Skeleton height={480} />}>
        {(data) => (
          <div className={styles.room} data-panel={view.panel !== '' || undefined}>
            <ChatTools rows={data.results} view={view} onChange={change} titleOf={titleOf} />
            <ChatPanel
              {...{ by, view, titleOf }}
              caps={data}
              onPerson={showPerson}
              empty={
                <EmptyState
                  title={t('empty.title')}
                  action={
                    <>
                      <Link className={buttonClass('outline')} to={paths.channels(projectId)}>
                        {t('empty.channels')}
                      </Link>
                      <Button look="quiet" onClick={() => change({ panel: 'keys' })}>
                        {t('empty.keys')}
                      </Button>
                    </>
                  }
                >
                  {t('empty.text')}
                </EmptyState>
              }
              aside={(content) => (
                <SidePanel
                  {...{ projectId, person, titleOf, content }}
                  panel={view.panel}
                  broadcastId={data.broadcast_id}
                  rows={data.results}
                  onPerson={setPerson}
                  onPanel={(panel) => change({ panel })}
                />
              )}
            />
          </div>
        )}
      </QueryPart>
    </Page>
  )
}

/** Opens the pop-out as a narrow window; with a modifier key the browser opens a tab. */
function openWindow(event: React.MouseEvent, path: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  if (open(path, 'relaydeck-chat', 'popup,width=420,height=720')) event.preventDefault()
}
