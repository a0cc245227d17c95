import { useTranslation } from 'react-i18next'
import { toApiError } from '#src/api/api-error.ts'
import { useFailureText } from '#src/components/failure.tsx'

/** Why something was refused, in our own words where we know the refusal by its name. */
export function useRefusalText(): (error: unknown) => string {
  const { t, i18n } = useTranslation('account')
  const failureText = useFailureText()
  return (error) => {
    const { name } = toApiError(error)
    return i18n.exists(`account:refusal.${name}`) ? t(`refusal.${name}`) : failureText(error)
  }
}
