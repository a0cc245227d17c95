import { useTranslation } from 'react-i18next'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Output } from '#contract/core/operation.ts'
import { promo } from '#contract/areas/tariffs/promo.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatMoney, formatPercent } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#src/api/call.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './billing.module.css'

type Offer = Output<typeof promo.check>

/** Promo code of the Balance tab: checks a code, names its effect, and applies it. */
export function PromoCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('promo')
  const why = useFailureText('promo')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [code, setCode] = useState('')
  const [done, setDone] = useState<string | null>(null)
  const effect = useEffectText()
  // Each check counts as a try, so it is sent by the button only.
  const check = useMutation({
    mutationFn: () =>
      call(promo.check, { project_id: projectId, code: code.trim() }, { sessionId: sessionOf(queries) }),
  })
  const apply = useWrite(promo.apply, {
    onSuccess: () => {
      setDone(check.data ? effect(check.data, 'done') : null)
      setCode('')
      check.reset()
    },
  })
  const isReduction = check.data?.type === 'percent' || check.data?.type === 'fixed'
  const isReady = code.trim() !== ''
  return (
    <Card title={t('title')} note={t('note')}>
      <form
        noValidate
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !check.isPending) check.mutate()
        }}
      >
        <TextField
          label={t('code')}
          isLabelHidden
          placeholder={t('code')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={code}
          error={check.error ? why(check.error) : undefined}
          onChange={(value) => {
            setCode(value)
            setDone(null)
            check.reset()
          }}
        />
        <Button type="submit" look="outline" isBusy={check.isPending} isOff={!isReady}>
          {t('check')}
        </Button>
      </form>
      <output className={styles.done}>{done}</output>
      {check.data && (
        <ConfirmDialog
          title={check.data.name}
          confirm={t(isReduction ? 'choose' : 'apply')}
          keep={t('cancel')}
          isBusy={apply.isPending}
          problem={apply.error && why(apply.error)}
          onConfirm={() => {
            if (isReduction) void navigate(`${paths.tariffs(projectId)}?code=${encodeURIComponent(code.trim())}`)
            else apply.mutate({ project_id: projectId, code: code.trim() })
          }}
          onClose={() => {
            apply.reset()
            check.reset()
          }}
        >
          {effect(check.data, 'effect')}
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** Returns the text of what a code does (`effect`) or has done (`done`). */
function useEffectText() {
  const { t } = useTranslation('promo')
  const language = useLanguage()
  return ({ type, amount, percent, currency, plan }: Offer, tense: 'effect' | 'done') => {
    if (plan) return t(`${tense}.plan.${plan.period}`, { plan: plan.title })
    const money = formatMoney(amount ?? 0, currency, language)
    if (type === 'top_up') return t(`${tense}.credit`, { amount: money })
    return t('effect.off', { amount: percent === null ? money : formatPercent(percent, language) })
  }
}
