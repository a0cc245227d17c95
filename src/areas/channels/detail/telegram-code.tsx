import { useTranslation } from 'react-i18next'
import { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import { useWrite } from '#src/api/query.ts'
import { Button } from '#src/ui/button.tsx'
import { CopyIcon } from '#src/ui/copy-button.tsx'
import styles from '#src/areas/channels/accounts/accounts.module.css'
import { Refusal } from '#src/areas/channels/refusal.tsx'

interface Props {
  readonly place: { readonly project_id: number; readonly channel_id: number }
  readonly isLooking: boolean
  /** Checks again for the posted code. */
  readonly onLook: () => void
}

/** Steps to connect a chat, with the code to post there. */
export function TelegramCode({ place, isLooking, onLook }: Props) {
  const { t } = useTranslation('telegram-chat')
  const init = useWrite(telegramChat.init)
  return (
    <div className={styles.act}>
      {init.data ? (
        <>
          <ol className={styles.steps}>
            <li>{t('code.letIn', { bot: `@${init.data.bot}` })}</li>
            <li>
              {t('code.post')} <code className={styles.code}>{init.data.code}</code>
              <CopyIcon
                text={init.data.code}
                words={{ idle: t('code.copy'), copied: t('code.copied'), refused: t('code.refused') }}
              />
            </li>
          </ol>
          <Button isBusy={isLooking} onClick={onLook}>
            {t('code.done')}
          </Button>
        </>
      ) : (
        <Button look="outline" isBusy={init.isPending} onClick={() => init.mutate(place)}>
          {t('code.get')}
        </Button>
      )}
      <div role="alert" className={styles.problem}>
        {init.error && <Refusal projectId={place.project_id} error={init.error} />}
      </div>
    </div>
  )
}
