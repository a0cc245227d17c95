import { useTranslation } from 'react-i18next'
import { toApiError } from '#src/api/api-error.ts'
import { useFailureText } from '#src/components/failure.tsx'
import type { CopyWords } from '#src/ui/copy-button.tsx'

/** Labels of copy buttons, and the texts of known errors of stream setup. */
export function useIngestWords() {
  const { t } = useTranslation('ingest')
  const failureText = useFailureText()
  const copy = (what: string): CopyWords => ({
    idle: t('copy.idle', { what }),
    copied: t('copy.copied'),
    refused: t('copy.refused'),
  })
  const why = (error: unknown): string => {
    const { name, data } = toApiError(error)
    const plan = typeof data['plan_title'] === 'string' ? data['plan_title'] : null
    if (name === 'PlanLimitReached' && plan) return t('refusal.limitWithPlan', { plan })
    return failureText(error)
  }
  return { copy, why }
}
