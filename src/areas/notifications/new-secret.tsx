import { useTranslation } from 'react-i18next'
import { SecretField } from '#src/ui/secret-field.tsx'

/** The secret of a webhook, which the service shows once. */
export function NewSecret({ secret }: { readonly secret: string }) {
  const { t } = useTranslation('notifications')
  return (
    <SecretField
      label={t('webhooks.secret')}
      hint={t('webhooks.secretHint')}
      value={secret}
      words={{
        show: t('webhooks.show'),
        copy: { idle: t('webhooks.copy'), copied: t('webhooks.copied'), refused: t('webhooks.notCopied') },
      }}
    />
  )
}
