import { IconArrowLeft } from '@tabler/icons-react'
import { useMemo, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/chat/settings.ts'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { useWrite } from '#src/api/query.ts'
import { wordsOf } from '#src/components/message-list/message-menu.tsx'
import { MessageText } from '#src/components/message-list/message-text.tsx'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { platformNamed } from '#src/components/use-platform.ts'
import { formatTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button, IconButton } from '#src/ui/button.tsx'
import styles from './chat.module.css'
import type { ChatContent } from './chat-panel.tsx'
import { messagesOf, peopleOf } from './people.ts'
import { personOf, platformOf } from '#src/components/message-list/rows.ts'

interface Props {
  readonly projectId: number
  readonly person: ChatMessage | null
  readonly content: ChatContent
  readonly titleOf: (platform: string) => string
  readonly mayEdit: boolean
  readonly onPerson: (message: ChatMessage | null) => void
}

const maxPeople = 200

/** Authors of the list, or one of them. */
export function PeoplePart(props: Props) {
  const { person, content, titleOf, onPerson } = props
  const { t } = useTranslation('chat', { keyPrefix: 'people' })
  const { live } = useSyncExternalStore(content.log.subscribe, content.log.view)
  const people = useMemo(() => peopleOf(live), [live])
  if (person) return <PersonPart {...props} person={person} />
  if (people.length === 0) return <p className={styles.quiet}>{t('none')}</p>
  return (
    <ul className={styles.people} aria-label={t('title')}>
      {people.slice(0, maxPeople).map(({ key, latest, count }) => (
        <li key={key}>
          <button type="button" className={styles.person} onClick={() => onPerson(latest)}>
            <PlatformIcon {...platformNamed(platformOf(latest))} size={20} />
            <bdi>{latest.sender.name}</bdi>
            <span className="visually-hidden">{titleOf(platformOf(latest))}</span>
            <span className={styles.count}>{t('messages', { count })}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Messages of one author in this list, and acts on the author. */
function PersonPart({
  projectId,
  person,
  content,
  titleOf,
  mayEdit,
  onPerson,
}: Props & { readonly person: ChatMessage }) {
  const { t } = useTranslation('chat', { keyPrefix: 'people' })
  const { t: listWords } = useTranslation('chat-list')
  const language = useLanguage()
  const { live } = useSyncExternalStore(content.log.subscribe, content.log.view)
  const own = useMemo(
    () => messagesOf(live).filter((message) => !message.is_outgoing && personOf(message) === personOf(person)),
    [live, person],
  )
  const mute = useWrite(settings.set)
  const { sender } = person
  const platform = platformOf(person)
  const { acts } = content.acts.actsOf(person)
  const onAuthor = acts.filter(({ name }) => ['timeout', 'untimeout', 'ban', 'unban'].includes(name))
  return (
    <section aria-label={sender.name} className={styles.one}>
      <p className={styles.oneHead}>
        <IconButton label={t('back')} onClick={() => onPerson(null)}>
          <IconArrowLeft size={18} aria-hidden />
        </IconButton>
        <PlatformIcon {...platformNamed(platform)} size={22} />
        <strong>
          <bdi>{sender.name}</bdi>
        </strong>
        <span className={styles.quiet}>
          {titleOf(platform)}
          {sender.login && sender.login !== sender.name && (
            <>
              {' · '}
              <bdi>{sender.login}</bdi>
            </>
          )}
        </span>
      </p>
      <div className={styles.oneActs}>
        {onAuthor.map((act) => (
          <Button
            key={`${act.name}${act.seconds ?? ''}`}
            look="outline"
            onClick={() => content.acts.onAct(act, person)}
          >
            {wordsOf(act, listWords)}
          </Button>
        ))}
        {mayEdit && (
          <Button
            look="outline"
            isBusy={mute.isPending}
            isOff={mute.isSuccess}
            onClick={() =>
              mute.mutate({
                project_id: projectId,
                mute: { platform: platformNamed(platform).type, sender_id: sender.id, name: sender.name },
              })
            }
          >
            {t(mute.isSuccess ? 'muted' : 'mute')}
          </Button>
        )}
      </div>
      <ol className={styles.said} aria-label={t('said')}>
        {own.toReversed().map((message) => (
          <li key={message.event_id}>
            <time dateTime={message.created_at}>{formatTime(message.created_at, language)}</time>{' '}
            <bdi>{message.deleted ? listWords('deleted') : <MessageText message={message} />}</bdi>
          </li>
        ))}
      </ol>
    </section>
  )
}
