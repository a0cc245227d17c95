import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import { formatMoney } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './quote.module.css'

interface Props {
  /** Code of the purchase; null: none. */
  readonly code: string | null
  /** Why the code is refused. */
  readonly error: string | null
  /** Quote with the code; undefined until it is known. */
  readonly quote: RestreamQuote | undefined
  readonly onCode: (code: string | null) => void
}

/** Promo code of a purchase: what it takes off the price, or a field that opens on demand. */
export function PromoField({ code, error, quote, onCode }: Props) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState(code ?? '')
  if (code !== null && error === null)
    return (
      <p className={styles.promo}>
        {quote
          ? t('promo.off', { code, amount: formatMoney(quote.promo_off ?? 0, quote.currency, language) })
          : t('promo.checking', { code })}
        <Button look="quiet" onClick={() => onCode(null)}>
          {t('promo.remove')}
        </Button>
      </p>
    )
  if (!isOpen && error === null)
    return (
      <p className={styles.promo}>
        <Button look="quiet" onClick={() => setOpen(true)}>
          {t('promo.open')}
        </Button>
      </p>
    )
  const handleUse = () => {
    setOpen(false)
    onCode(text.trim() || null)
  }
  return (
    <form
      noValidate
      className={styles.promo}
      onSubmit={(event) => {
        event.preventDefault()
        handleUse()
      }}
    >
      <TextField
        label={t('promo.label')}
        isLabelHidden
        placeholder={t('promo.label')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={text}
        error={error !== null && text === code ? error : undefined}
        onChange={setText}
      />
      <Button type="submit" look="outline">
        {t('promo.use')}
      </Button>
      {code !== null && (
        <Button look="quiet" onClick={() => onCode(null)}>
          {t('promo.remove')}
        </Button>
      )}
    </form>
  )
}
