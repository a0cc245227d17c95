import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { QueryPart } from '#src/components/query-part.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './chat.module.css'
import { useMember, useTitleOf } from './member.ts'
import { ChatPanel } from './chat-panel.tsx'
import { emptyView } from './chat-view.ts'
import { useCapabilities } from './use-chat.ts'

/** The chat alone, for a second screen. */
export function PopoutPage() {
  const { t } = useTranslation('chat')
  const by = useMember(Number(useParams()['projectId']))
  const titleOf = useTitleOf()
  const caps = useCapabilities(by)
  return (
    <main className={styles.window}>
      <h1 className="visually-hidden">{t('title')}</h1>
      <QueryPart query={caps} failed={t('failed')} skeleton={<Skeleton height={480} />}>
        {(data) => <ChatPanel {...{ by, titleOf }} caps={data} view={emptyView} />}
      </QueryPart>
    </main>
  )
}
