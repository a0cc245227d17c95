import { useTranslation } from 'react-i18next'
import { toApiError } from '#src/api/api-error.ts'

/**
 * Reason of a failure before sign-in. Uses texts that have loaded already, because the texts of the pages are
 * unreachable together with the service.
 */
export function useWhy(): (error: unknown) => string {
  const { t, i18n } = useTranslation('sign-in')
  return (error) => {
    const { kind, name, message, status } = toApiError(error)
    if (i18n.exists(`sign-in:callback.why.${name}`)) return t(`callback.why.${name}`)
    if (status === null) return t('trouble.silent')
    if (kind === 'missing') return t('trouble.missing')
    return kind === 'refused' && status < 500 ? message : t('trouble.status', { status })
  }
}
