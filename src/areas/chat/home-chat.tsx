import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { recall, remember } from '#src/lib/storage.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './chat.module.css'
import { useMember, useTitleOf } from './member.ts'
import { ChatPanel } from './chat-panel.tsx'
import { emptyView } from './chat-view.ts'
import { useCapabilities } from './use-chat.ts'

const stored = 'home.chat'

/** The chat on the home page while on air. The browser remembers that it is closed. */
export default function HomeChat({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('chat')
  const [isOpen, setOpen] = useState(() => recall(stored) !== 'closed')
  const toggle = () => {
    remember(stored, isOpen ? 'closed' : null)
    setOpen(!isOpen)
  }
  return (
    <Card
      title={t('title')}
      actions={
        <span className={styles.oneActs}>
          <Link to={paths.chat(projectId)}>{t('home.page')}</Link>
          <Button look="quiet" aria-expanded={isOpen} onClick={toggle}>
            {t(isOpen ? 'home.close' : 'home.open')}
          </Button>
        </span>
      }
    >
      {isOpen && <Content projectId={projectId} />}
    </Card>
  )
}

function Content({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('chat')
  const by = useMember(projectId)
  const titleOf = useTitleOf()
  const caps = useCapabilities(by)
  return (
    <div className={styles.home}>
      <QueryPart query={caps} failed={t('failed')} skeleton={<Skeleton height={440} />}>
        {(data) => <ChatPanel {...{ by, titleOf }} caps={data} view={emptyView} />}
      </QueryPart>
    </div>
  )
}
