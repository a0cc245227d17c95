import { useTranslation } from 'react-i18next'
import { toApiError } from '#src/api/api-error.ts'
import { useFailureText } from '#src/components/failure.tsx'

/** Why a change of the team was refused, in the language of the page. */
export function Refusal({ error }: { readonly error: unknown }) {
  const { t, i18n } = useTranslation('projects')
  const failureText = useFailureText()
  const { name } = toApiError(error)
  return i18n.exists(`projects:refusal.${name}`) ? t(`refusal.${name}`) : failureText(error)
}
