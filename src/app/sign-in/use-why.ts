import { useTranslation } from 'react-i18next'
import { toApiError } from '#src/api/api-error.ts'

/**
 * Why something failed before sign-in. In texts that are here already, because those of the pages are out of reach
 * together with the service.
 */
export function useWhy(): (error: unknown) => string {
  const { t, i18n } = useTranslation('sign-in')
  return (error) => {
    const { kind, name, message, status } = toApiError(error)
    if (i18n.exists(`sign-in:callback.why.${name}`)) return t(`callback.why.${name}`)
    if (status === null) return t('trouble.silent')
    return kind === 'refused' && status < 500 ? message : t('trouble.status', { status })
  }
}
